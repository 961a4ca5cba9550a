import Foundation
import Lab
import Testing

extension Live {
  @Suite("ALSA: every sample arrives on its ear")
  struct ALSARampTests {
    @Test(
      "left, right and both, of devices of every sample format",
      arguments: ["S16_LE", "S24_3LE", "S32_LE", "FLOAT_LE"])
    func formats(format: String) throws {
      let studio = try Studio(VirtualHeadset("headset", formats: [format]))
      let outcome = try studio.run(
        "--backend", "alsa", "--device", "headset", "--left", "l.wav", "--right", "r.wav",
        "--stereo", "both.wav", "--left", "l.raw", "--frames", "5000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav"), studio.wave("r.wav"))
      let both = try studio.wave("both.wav")
      let piece = try Ramp.check(left: left.samples, right: right.samples)
      #expect(piece.start == 0 && piece.count == 5_000)
      #expect(try Ramp.check(stereo: both.samples) == piece)
      #expect((left.channels, right.channels, both.channels) == (1, 1, 2))
      #expect((left.rate, right.rate, both.rate) == (16_000, 16_000, 16_000))
      #expect(try studio.folder.bytes(of: "l.raw") == bytes(of: left.samples))
    }

    @Test("Ctrl-C writes no stale sound: each sample follows the one before it, to the last")
    func interrupted() throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [44_100]))
      let program = try studio.start("-D", "headset", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      let piece = try Ramp.check(left: left, right: right)
      #expect(piece.start == 0 && piece.count == left.count && left.count >= 8_000)
      #expect(outcome.errors.contains("\(left.count) frames"))
    }

    @Test(
      "--channels chooses the ears of a device of four",
      arguments: [("3,4", 2, 3), ("4,3", 3, 2), ("2,1", 1, 0), ("1,3", 0, 2)])
    func channels(choice: String, left: Int, right: Int) throws {
      let studio = try Studio(VirtualHeadset("interface", channels: [4]))
      let outcome = try studio.run(
        "-D", "interface", "--channels", choice, "-l", "l.wav", "-r", "r.wav", "--frames", "2000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("channels \(left + 1) and \(right + 1) of 4"))
      let first = VirtualHeadset.frame(ofLeft: abs(try studio.wave("l.wav").samples[0]))
      // The pairs of channels are apart by a constant that the pattern knows.
      let start = first - left / 2 * 4_099
      for (name, channel) in [("l.wav", left), ("r.wav", right)] {
        let ramp = (0..<2_000).map { VirtualHeadset.sample(channel: channel, frame: start + $0) }
        #expect(firstDifference(try studio.wave(name).samples, ramp) == nil)
      }
    }

    @Test("a channel that the device does not have is refused, and nothing is made")
    func noSuchChannel() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "-D", "headset", "--channels", "3,4", "-l", "l.wav", "-r", "r.wav")
      #expect(
        outcome.isRefusal(3, saying: "'headset' has no channel 4, only 2", hint: "--channels"),
        "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
    }

    @Test("ALSA's own way to a Pulse server is read, too, and said to be one")
    func pulsePlugin() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      try server.setDefaultSource("ears")
      let studio = try Studio(server: server)
      let outcome = try studio.run(
        "--backend", "alsa", "-D", "pulse", "-l", "l.wav", "-r", "r.wav", "--frames", "5000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("use --backend pulse to see its real layout"))
      let piece = try Ramp.check(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples)
      #expect(piece.start == 0 && piece.count == 5_000)
      withExtendedLifetime(microphone) {}
    }
  }
}
