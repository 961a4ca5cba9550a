import Foundation
import Lab
import Testing

extension Live {
  @Suite("PipeWire: a source that comes back goes on, with silence for what was missed")
  struct PipeWireReturnTests {
    @Test("a sink that is unloaded and loaded again, then the Pulse server that is killed")
    func returned() throws {
      let server = try PrivatePipeWireServer()
      let studio = try Studio(server: server)
      let sink = try server.addNullSink("ears", rate: 48_000)
      let program = try studio.start(
        "--latency", "100ms", "-D", "ears.monitor", "-l", "l.wav", "-r", "r.wav")
      func goesOn(_ count: Int) throws {
        try waitUntil("it is back; it said: \(program.errorsSoFar)") {
          program.errorsSoFar.components(separatedBy: "is back").count == count + 1
        }
        try studio.waitForSound(
          in: "r.wav", frames: studio.size(of: "r.wav") / 2 + 8_000, of: program)
      }
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      try server.unload(sink)
      pause(milliseconds: 1_000)
      try server.addNullSink("ears", rate: 48_000)
      try goesOn(1)
      try server.restartPulseServer { pause(milliseconds: 1_000) }
      try server.addNullSink("ears", rate: 48_000)
      try goesOn(2)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == right.count)
      #expect(outcome.errors.contains("l.wav: left, \(left.count) frames"), "\(outcome.errors)")
    }
  }
}
