import Glibc
import Lab
import Testing

@Suite("Stopping")
struct StopTests {
  @Test("one stop that comes as two signals, as from timeout, is one: every output is waited for")
  func doubled() throws {
    let folder = try TemporaryFolder()
    // A recogniser that takes its time at the end.
    let program = try Program(
      Program.splitcap,
      [
        "--input", "-", "--input-rate", "16000",
        "--left", "exec:cat >'\(folder("heard"))'; sleep 1; echo all >'\(folder("last"))'",
      ], input: .held)
    try program.write([UInt8](repeating: 1, count: 64_000))
    try waitUntil("sound arrives") {
      try folder.contents().contains("heard") && folder.text(of: "heard") != ""
    }
    program.signal(SIGTERM)
    pause(milliseconds: 20)
    program.signal(SIGTERM)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(try folder.text(of: "last") == "all\n")
  }
}
