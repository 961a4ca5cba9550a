import Glibc
import Lab
import Testing

extension Live {
  @Suite(
    "A source that goes away, with --on-lost stop: status 4, valid files, never another device")
  struct SourceLossTests {
    @Test("a source that is removed, while a tempting other one is the default")
    func removed() throws {
      let server = try PrivatePulseServer()
      try server.addNullSink("other", rate: 16_000)
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      try server.setDefaultSource("other.monitor")
      let studio = try Studio(server: server)
      let program = try studio.start(
        "--on-lost", "stop", "-D", "ears", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 3_000, of: program)
      // All that the server had of it before it went has arrived.
      try microphone.whileStalled {
        let fed = try microphone.waitUntilTaken()
        try studio.waitForSound(in: "r.wav", frames: fed - 1_600, of: program)
        try server.unload(microphone.module)
      }
      let outcome = try program.wait()
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      #expect(outcome.errors.contains("error: 'ears' was removed from the sound server"))
      try check(studio, outcome)
    }

    @Test("a server that is killed", arguments: [SIGKILL, SIGTERM])
    func killed(signal: Int32) throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start(
        "--on-lost", "stop", "-D", "ears", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 3_000, of: program)
      server.program.signal(signal)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      #expect(outcome.errors.contains("'ears'"))
      try check(studio, outcome)
      withExtendedLifetime(microphone) {}
    }

    @Test("PipeWire: a source that is removed, then a server that is killed")
    func pipeWire() throws {
      let server = try PrivatePipeWireServer()
      let removed = try server.addNullSink("one", rate: 48_000)
      try server.addNullSink("two", rate: 48_000)
      let studio = try Studio(server: server)
      for (sink, end) in [
        ("one", { try server.unload(removed) }),
        ("two", { server.programs.last?.signal(SIGKILL) }),
      ] as [(String, () throws -> Void)] {
        let program = try studio.start(
          "--on-lost", "stop", "-D", "\(sink).monitor", "-l", "\(sink).wav", "-r",
          "\(sink)-right.wav")
        try studio.waitForSound(in: "\(sink)-right.wav", of: program)
        try end()
        let outcome = try program.wait()
        #expect(outcome.status == .exited(4), "\(outcome.errors)")
        #expect(outcome.errors.contains("error: "))
        let count = try studio.wave("\(sink).wav").samples.count
        #expect(try studio.wave("\(sink)-right.wav").samples.count == count && count > 0)
      }
    }

    @Test("a source that stops delivering for good is gone, too")
    func quiet() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start(
        "--on-lost", "stop", "-D", "ears", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 3_000, of: program)
      let (outcome, fed) = try microphone.whileStalled {
        (try program.wait(), try microphone.waitUntilTaken())
      }
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      #expect(outcome.errors.contains("'ears' has stopped delivering"))
      let piece = try check(studio, outcome)
      #expect(piece.first - 1 + piece.count == fed)
    }

    /// Both files are valid and hold the same piece of the ramps, and nothing else.
    @discardableResult
    private func check(_ studio: Studio, _ outcome: Program.Outcome) throws -> Ramp.Piece {
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      let piece = try Ramp.check(left: left, right: right)
      #expect(piece.count == left.count)
      #expect(outcome.errors.contains("l.wav: left, \(left.count) frames"))
      return piece
    }
  }
}
