import Lab
import Testing

extension Live {
  @Suite("A machine that was suspended: the time is missing, and that is told")
  struct SuspendTests {
    /// Records while the machine is suspended for 5 s.
    private func record(
      _ more: String...
    ) throws -> (studio: Studio, outcome: Program.Outcome) {
      let clocks = try TemporaryFolder()
      let clock = try TestClock(in: clocks)
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        ["-D", "headset", "-l", "l-%i.wav", "-r", "r-%i.wav"] + more,
        variables: clock.environment.mapValues { $0 })
      try waitUntil("it records; it said: \(program.errorsSoFar)") {
        try studio.folder.contents().contains { studio.size(of: $0) > 32_044 }
      }
      try clock.suspend(forSeconds: 5)
      pause(milliseconds: 2_000)
      return (studio, try program.end())
    }

    private func ears(_ studio: Studio, _ name: String) throws -> ([Int16], [Int16]) {
      try (studio.wave("l-\(name).wav").samples, studio.wave("r-\(name).wav").samples)
    }

    @Test("silence of that length stands in both ears; status 1")
    func filled() throws {
      let (studio, outcome) = try record()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("the machine was suspended"), "\(outcome.errors)")
      let (left, right) = try ears(studio, "%i")
      // The headset's own time went on, so the ramp has no gap, and is all that long behind.
      let start = try #require(left.firstIndex(of: 0))
      let end = try #require(left[start...].firstIndex { $0 != 0 })
      #expect(abs(end - start - 80_000) <= 320, "\(outcome.errors)")
      try Ramp.check(left: Array(left[..<start]), right: Array(right[..<start]))
      try Ramp.check(left: Array(left[end...]), right: Array(right[end...]))
    }

    @Test("PulseAudio: the same, and no frame on either side of it is lost")
    func pulse() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let clocks = try TemporaryFolder()
      let clock = try TestClock(in: clocks)
      let studio = try Studio(server: server)
      let program = try studio.start(
        ["-D", "ears", "-l", "l-%i.wav", "-r", "r-%i.wav"],
        variables: clock.environment.mapValues { $0 })
      try studio.waitForSound(in: "l-%i.wav", frames: 16_000, of: program)
      try clock.suspend(forSeconds: 17)
      try studio.waitForSound(in: "l-%i.wav", frames: 18 * 16_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("the machine was suspended"), "\(outcome.errors)")
      let (left, right) = try ears(studio, "%i")
      let silent = left.indices.filter { left[$0] == 0 }
      let (start, end) = try (#require(silent.first), #require(silent.last) + 1)
      #expect(silent.count == end - start && abs(silent.count - 17 * 16_000) <= 320)
      let before = try Ramp.check(left: Array(left[..<start]), right: Array(right[..<start]))
      let after = try Ramp.check(left: Array(left[end...]), right: Array(right[end...]))
      #expect((before.first + before.count - after.first).isMultiple(of: 32_767))
      withExtendedLifetime(microphone) {}
    }

    @Test("a time longer than --wait ends the recording, status 4, and no silence is made up")
    func tooLong() throws {
      let (studio, outcome) = try record("--wait", "3s")
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      #expect(outcome.errors.contains("5 s of 'headset' are missing"), "\(outcome.errors)")
      let (left, right) = try ears(studio, "%i")
      #expect(try Ramp.check(left: left, right: right).count == left.count)
    }

    @Test("with --segment new files begin behind it, with a time of their own")
    func segments() throws {
      let (studio, outcome) = try record("--wait", "3s", "--segment", "1h")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("new files begin there"), "\(outcome.errors)")
      for name in ["0001", "0002"] {
        let (left, right) = try ears(studio, name)
        #expect(try Ramp.check(left: left, right: right).count == left.count)
      }
    }
  }
}
