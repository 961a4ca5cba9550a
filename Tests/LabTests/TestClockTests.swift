import Foundation
import Lab
import Testing

@Suite("Lab: another time for programs under test")
struct TestClockTests {
  /// A program that says its clocks in seconds, a line for each line it gets.
  private func start(_ clock: TestClock) throws -> Program {
    try Program(
      "python3",
      [
        "-uc",
        """
        import sys, time
        for line in sys.stdin:
          print(*[time.clock_gettime(c) for c in (1, 7, 0)])
        """,
      ], environment: clock.environment, input: .held)
  }

  /// Asks for monotonic, boottime and realtime.
  private func ask(_ program: Program, _ count: Int) throws -> [Double] {
    try program.write([10])
    var lines: [Substring] = []
    try waitUntil("it has said its clocks") {
      let text = String(decoding: program.outputSoFar, as: UTF8.self)
      lines = text.split(separator: "\n")
      return lines.count == count && text.hasSuffix("\n")
    }
    return lines[count - 1].split(separator: " ").compactMap { Double($0) }
  }

  @Test("a suspend moves boottime and realtime of a program that runs, not monotonic")
  func suspend() throws {
    let folder = try TemporaryFolder()
    let clock = try TestClock(in: folder)
    let program = try start(clock)
    let before = try ask(program, 1)
    try clock.suspend(forSeconds: 100_000)
    try clock.suspend(forSeconds: 100_000)
    let after = try ask(program, 2)
    let moved = zip(before, after).map { Int((($1 - $0) / 200_000).rounded()) }
    #expect(moved == [0, 1, 1], "\(before) \(after)")
  }

  @Test("a thousand seconds of sleep at a thousand times the speed are one")
  func speed() throws {
    let folder = try TemporaryFolder()
    let clock = try TestClock(in: folder, speed: 1_000)
    let program = try start(clock)
    let before = try ask(program, 1)
    try #expect(
      Program.run("sleep", ["1000"], environment: clock.environment).status == .exited(0))
    for (first, second) in try zip(before, ask(program, 2)) { #expect(second - first >= 999) }
  }

  @Test("a virtual headset in a program runs by its time")
  func headset() throws {
    let folder = try TemporaryFolder()
    let clock = try TestClock(in: folder, speed: 100)
    let headsets = try VirtualHeadsets([VirtualHeadset("headset")])
    let outcome = try Program.run(
      "arecord",
      ["-q", "-t", "raw", "-D", "headset", "-f", "S16_LE", "-r", "16000", "-c", "2", "-d", "300"],
      environment: headsets.environment.merging(clock.environment) { $1 })
    #expect(outcome.output.count == 4 * 300 * 16_000, "\(outcome.errors)")
  }
}
