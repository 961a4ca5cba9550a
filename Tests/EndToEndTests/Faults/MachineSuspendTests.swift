import Lab
import Testing

extension Live {
  @Suite("A machine that sleeps: the time is silence in both ears, and said")
  struct MachineSuspendTests {
    private static let seconds = 17.0

    /// Records, lets the machine sleep, and records on.
    private func record(
      _ studio: Studio, _ arguments: String..., sleeping seconds: Double = seconds
    ) throws -> Program.Outcome {
      let folder = try TemporaryFolder()
      let clock = try TestClock(in: folder)
      let program = try studio.start(
        ["-l", "l.wav", "-r", "r.wav"] + arguments, variables: clock.environment)
      try studio.waitForSound(in: "l.wav", frames: 16_000, of: program)
      try clock.suspend(forSeconds: seconds)
      let sum = 32_000 + Int(seconds * 16_000)
      try waitUntil("it has slept; it said: \(program.errorsSoFar)") {
        !program.isRunning || studio.size(of: "l.wav") > 2 * sum
      }
      return try program.end()
    }

    /// Checks that the sleep, and nothing else, is missing between two pieces of the ramp.
    private func check(_ studio: Studio, _ outcome: Program.Outcome) throws {
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("the machine was suspended"), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      // The device slept, too: its ramp goes on behind the silence where it was.
      let silent = left.indices.filter { left[$0] == 0 }
      let (start, end) = try (#require(silent.first), #require(silent.last) + 1)
      #expect(abs(end - start - Int(Self.seconds * 16_000)) <= 320 && silent.count == end - start)
      let before = try Ramp.check(left: Array(left[..<start]), right: Array(right[..<start]))
      let after = try Ramp.check(left: Array(left[end...]), right: Array(right[end...]))
      #expect((before.first + before.count - after.first).isMultiple(of: 32_767))
    }

    @Test("ALSA")
    func alsa() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      try check(studio, record(studio, "-D", "headset"))
    }

    @Test("PulseAudio")
    func pulse() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      try check(studio, record(studio, "-D", "ears"))
      withExtendedLifetime(microphone) {}
    }

    @Test("a sleep longer than --wait ends the recording with status 4, and nothing is made up")
    func tooLong() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try record(studio, "-D", "headset", "--wait", "10s", sleeping: 3_600)
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(try Ramp.check(left: left, right: right).count == left.count)
    }
  }
}
