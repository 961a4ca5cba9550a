import Lab
import Testing

extension Live {
  @Suite("One microphone is never sold as two ears")
  struct MonoTests {
    @Test(
      "a mono ALSA device is refused before anything is made, and the hint says what is possible",
      arguments: [["-l", "l.wav", "-r", "r.wav"], ["--stereo", "both.wav"]])
    func refusedByALSA(sinks: [String]) throws {
      let studio = try Studio(VirtualHeadset("call", channels: [1]))
      let outcome = try studio.start(["-D", "call"] + sinks).wait()
      #expect(
        outcome.isRefusal(
          3, saying: "'call' has no two ears", "one channel", hint: "--mono copy"),
        "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
    }

    @Test("--mono copy records it to both, says so loudly even with -q, and does not wonder later")
    func copiedFromALSA() throws {
      // Eight times as fast, so that the ears are alike for longer than is found suspicious.
      var headset = VirtualHeadset("call", channels: [1])
      headset.speed = 8
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-q", "-D", "call", "--mono", "copy", "-l", "l.wav", "-r", "r.wav", "--duration", "4s")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.lines.count == 1)
      #expect(outcome.errors.hasPrefix("splitcap: warning: 'call' has no two ears"))
      let (left, right) = try (studio.wave("l.wav"), studio.wave("r.wav"))
      #expect(left == right)
      #expect(try Ramp.check(left.samples.prefix(30_000)).count == 30_000)
      #expect(left.samples.count == 64_000)
    }

    @Test("one ear of it is recorded, with a note", arguments: ["-l", "-r"])
    func oneEar(option: String) throws {
      let studio = try Studio(VirtualHeadset("call", channels: [1]))
      let outcome = try studio.run("-D", "call", option, "ear.wav", "--frames", "2000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("'call' has one microphone"))
      #expect(try Ramp.check(studio.wave("ear.wav").samples).count == 2_000)
    }

    @Test(
      "a mono source of a Pulse server: refused with the reason, copied, one ear")
    func pulse() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone(
        "bluez_source.AA.handsfree_head_unit", rate: 16_000, channels: 1, map: "mono",
        properties: "device.description=Buds device.bus=bluetooth"
          + " bluetooth.protocol=handsfree_head_unit bluetooth.codec=mSBC")
      let studio = try Studio(server: server)
      let refused = try studio.run("-D", "buds", "-l", "l.wav", "-r", "r.wav")
      #expect(
        refused.isRefusal(
          3, saying: "no two ears", "its profile handsfree_head_unit sends one microphone",
          hint: "--mono copy"), "\(refused.errors)")
      #expect(try studio.folder.contents() == [])

      let copied = try studio.run(
        "-D", "buds", "-l", "l.wav", "-r", "r.wav", "--mono", "copy", "--frames", "3000")
      #expect(copied.status == .exited(0), "\(copied.errors)")
      #expect(copied.errors.contains("left and right are copies"))
      #expect(try studio.wave("l.wav") == studio.wave("r.wav"))
      #expect(try Ramp.check(studio.wave("l.wav").samples).count == 3_000)

      let one = try studio.run("-D", "buds", "-r", "one.wav", "--frames", "1000")
      #expect(one.status == .exited(0), "\(one.errors)")
      #expect(one.errors.contains("it is recorded as the right ear"))
      #expect(try Ramp.check(studio.wave("one.wav").samples).count == 1_000)
      withExtendedLifetime(microphone) {}
    }

    @Test("two channels that are copies of one microphone are seen through")
    func remapped() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("webcam", rate: 16_000, channels: 1, map: "mono")
      try server.addRemapSource(
        "wide", over: "webcam", map: "front-left,front-right", masterMap: "mono,mono")
      let studio = try Studio(server: server)
      let outcome = try studio.run("-D", "wide", "-l", "l.wav", "-r", "r.wav")
      #expect(
        outcome.isRefusal(
          3, saying: "it copies the one channel of 'webcam' to 2", hint: "--mono copy"),
        "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
      withExtendedLifetime(microphone) {}
    }
  }
}
