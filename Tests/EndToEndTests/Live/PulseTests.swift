import Lab
import Testing

extension Live {
  @Suite("PulseAudio: every sample arrives on its ear")
  struct PulseTests {
    @Test(
      "left, right and both at each rate, from a source named whole, in part, or by default",
      arguments: [(16_000, "ears"), (44_100, "two-EAR"), (11_025, nil)])
    func ramps(rate: Int, device: String?) throws {
      let server = try PrivatePulseServer()
      try server.addNullSink("other", rate: 16_000)
      let microphone = try server.addMicrophone(
        "ears", rate: rate, properties: "device.description=Two-ear")
      try server.setDefaultSource("ears")
      let studio = try Studio(server: server)
      let outcome = try studio.start(
        (device.map { ["-D", $0] } ?? []) + [
          "-l", "l.wav", "-r", "r.wav", "--stereo", "both.wav", "--rate", "\(rate)", "--duration",
          "200ms",
        ]
      ).wait()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("'Two-ear' (ears), \(rate) Hz, channels 1 and 2 of 2"))
      let (left, right) = try (studio.wave("l.wav"), studio.wave("r.wav"))
      let piece = try Ramp.check(left: left.samples, right: right.samples)
      #expect(piece.start == 0 && piece.count == rate / 5)
      #expect(try Ramp.check(stereo: studio.wave("both.wav").samples) == piece)
      #expect(left.rate == rate && right.rate == rate)
      withExtendedLifetime(microphone) {}
    }

    @Test("a source whose rate is not listed is converted by the server, which is said")
    func converted() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 48_000)
      let studio = try Studio(server: server)
      let outcome = try studio.run(
        "-D", "ears", "-l", "l.wav", "-r", "r.wav", "--duration", "200ms", "-l",
        "exec:cat >/dev/null; echo $SPLITCAP_RATE >told")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.lines.contains("splitcap: pulse resamples 48000 to 16000"))
      #expect(try studio.folder.bytes(of: "told") == Array("16000\n".utf8))
      for (name, sign) in [("l.wav", 1), ("r.wav", -1)] {
        let wave = try studio.wave(name)
        #expect(wave.rate == 16_000 && wave.samples.count == 3_200)
        #expect(wave.samples.dropFirst(1_000).allSatisfy { Int($0) * sign > 0 })
      }
      withExtendedLifetime(microphone) {}
    }

    @Test("ears that are mapped the other way round, and four channels, are told apart by name")
    func maps() throws {
      let server = try PrivatePulseServer()
      let swapped = try server.addMicrophone("swapped", rate: 16_000, map: "front-right,front-left")
      let four = try server.addMicrophone(
        "four", rate: 16_000, channels: 4, map: "rear-left,rear-right,front-left,front-right")
      let studio = try Studio(server: server)
      let first = try studio.run(
        "-D", "swapped", "-l", "l.wav", "-r", "r.wav", "--frames", "3000")
      #expect(first.status == .exited(0), "\(first.errors)")
      #expect(first.errors.contains("channel 2 (front-left) left and 1 (front-right) right"))
      // What is named left is the second channel, which counts down.
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(try Ramp.check(left: right, right: left).count == 3_000)

      for (arguments, channel) in [
        ([], 2), (["--channels", "1,2"], 0), (["--channels", "4,1"], 3),
      ] {
        let outcome = try studio.start(
          ["-D", "four", "-l", "four.wav", "--frames", "1000"] + arguments
        ).wait()
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let samples = try studio.wave("four.wav").samples
        let sign: Int16 = channel.isMultiple(of: 2) ? 1 : -1
        let start = Int(samples[0] * sign) - 1 - channel / 2 * 1_000
        let ramp = (start..<start + 1_000).map { Ramp.sample($0, channel: channel) }
        #expect(firstDifference(samples, ramp) == nil)
      }
      withExtendedLifetime((swapped, four)) {}
    }

    @Test("a wrong name lists what is near, and nothing else is recorded")
    func wrongName() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("headset", rate: 16_000)
      let studio = try Studio(server: server)
      let outcome = try studio.run("-D", "haedset", "-l", "l.wav", "-r", "r.wav")
      #expect(
        outcome.isRefusal(3, saying: "no device is named 'haedset'", hint: "'headset'"),
        "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
      withExtendedLifetime(microphone) {}
    }

    @Test("a monitor is recorded only if it is named, and said to be one")
    func monitor() throws {
      let server = try PrivatePulseServer()
      try server.addNullSink("speaker", rate: 16_000)
      let studio = try Studio(server: server)
      let byDefault = try studio.run("-l", "l.wav")
      #expect(
        byDefault.isRefusal(
          3, saying: "no microphone", "'speaker.monitor'", hint: "--device speaker.monitor"),
        "\(byDefault.errors)")
      let inPart = try studio.run("-D", "speaker", "-l", "l.wav")
      #expect(
        inPart.isRefusal(3, saying: "only 'speaker.monitor', a monitor", hint: "whole name"),
        "\(inPart.errors)")
      #expect(try studio.folder.contents() == [])
      let recorder = try server.keepAwake("speaker")
      let named = try studio.run("-D", "speaker.monitor", "-l", "l.wav", "--frames", "100")
      #expect(named.status == .exited(0), "\(named.errors)")
      #expect(named.errors.contains("a monitor: what the computer plays, no microphone"))
      withExtendedLifetime(recorder) {}
    }
  }
}
