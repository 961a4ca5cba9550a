import Lab
import Testing

extension Live {
  @Suite("Ears that can't be right are warned about, once")
  struct EarWarningTests {
    /// Seven seconds of both ears, made of the ramp's left sample.
    private static let sounds: [(String, @Sendable (Int16) -> (Int16, Int16), String?)] = [
      ("right", { ($0, 0) }, "the right ear has been exact silence for 3 s"),
      ("left", { (0, $0) }, "the left ear has been exact silence for 3 s"),
      ("both", { _ in (0, 0) }, "both ears have been exact silence for 3 s"),
      ("same", { ($0, $0) }, "left and right have been the same sound for 3 s"),
      ("fine", { ($0, -$0) }, nil),
    ]

    @Test("dead and identical ears, with what to check; good ones never", arguments: sounds.indices)
    func once(index: Int) throws {
      let (name, sound, warning) = Self.sounds[index]
      let studio = try Studio()
      let frames = (0..<56_000).map { sound(Ramp.left($0)) }
      let outcome = try studio.run(
        "-i", "-", "--input-rate", "8000", "-l", "l.wav", "-r", "r.wav", "-q",
        input: .bytes(bytes(of: frames.flatMap { [$0.0, $0.1] })))
      #expect(outcome.status == .exited(0), "\(name): \(outcome.errors)")
      if let warning {
        #expect(outcome.lines.count == 2, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("splitcap: warning: \(warning)\n  hint: "))
        #expect(outcome.errors.contains("splitcap devices"))
      } else {
        #expect(outcome.errors == "")
      }
      #expect(try studio.wave("l.wav").samples.count == 56_000)
    }

    @Test("less than three seconds of silence mean nothing")
    func short() throws {
      let studio = try Studio()
      var samples = Ramp.stereo(frames: 0..<40_000)
      for i in 8_000..<8_000 + 2 * 23_000 { samples[i] = 0 }
      let outcome = try studio.run(
        "-i", "-", "--input-rate", "8000", "-l", "l.wav", "-r", "r.wav", "-q",
        input: .bytes(bytes(of: samples)))
      #expect(outcome.status == .exited(0) && outcome.errors == "")
    }

    @Test("a source that the server mutes is said to be, at the start and when it stays silent")
    func muted() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      try server.pactl("set-source-mute", "ears", "1")
      let studio = try Studio(server: server)
      let program = try studio.start("-D", "ears", "-l", "l.wav", "-r", "r.wav")
      try waitUntil("the silence is found") {
        program.errorsSoFar.contains("warning: both ears have been exact silence")
      }
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("'pactl set-source-mute ears 0'"))
      #expect(outcome.lines.filter { $0.contains("warning") }.count == 1)
      withExtendedLifetime(microphone) {}
    }
  }
}
