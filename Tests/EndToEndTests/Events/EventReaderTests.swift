import Foundation
import Lab
import Testing

@Suite("Readers of events that fail, stall or leave")
struct EventReaderTests {
  @Test(
    "one that fails is a warning and status 1, and the sound is whole",
    arguments: [
      ("/dev/full", "No space left on device"), ("exec:'cat >/dev/null; exit 3'", "status 3"),
      ("fifo", "nobody reads FIFO 'fifo'"),
      ("exec:'exec sleep 1000'", "took nothing|still at work"),
      ("exec:'cat >/dev/null; exec sleep 1000'", "still at work 2 s after the end"),
    ])
  func fails(destination: String, words: String) throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("fifo")
    let outcome = try shop.run(
      "splitcap -q -i in.wav -l l.wav --events \(destination)", expecting: 1)
    let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("warning") }
    #expect(warnings.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: events are no longer written: "))
    #expect(
      words.split(separator: "|").contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    expectSame(try shop.wave("l.wav"), Workshop.left)
  }

  @Test("a file that may not grow further keeps whole lines")
  func full() throws {
    let shop = try Workshop()
    // Some lines are longer than what is left.
    let outputs = (0..<40).map { "-l /dev/full -r 'exec:exit \($0)'" }.joined(separator: " ")
    let outcome = try shop.run(
      "ulimit -f 5; splitcap -q -i in.wav -l /dev/null \(outputs) --events log", expecting: 1)
    #expect(outcome.errors.contains("warning: events are no longer written: cannot write to 'log'"))
    #expect(shop.size("log") <= 5_120)
    _ = try EventLine.all(in: shop.text("log"))
  }

  @Test("one that leaves is no fault")
  func leaves() throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("fifo")
    for option in [
      "fifo & head -n 1 fifo >log; wait $!", "exec:'head -n 1 >log'",
      "- | head -n 1 >log; exit ${PIPESTATUS[0]}", "exec:true",
    ] {
      let outcome = try shop.run("splitcap -q -i in.wav -l l.wav --events \(option)", expecting: 0)
      #expect(outcome.errors == "")
      expectSame(try shop.wave("l.wav"), Workshop.left, option)
    }
  }

  @Test("one that never comes holds up neither the recording nor Ctrl-C")
  func neverComes() throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("fifo")
    let program = try shop.start(
      "exec splitcap -q -i /dev/zero --input-rate 16000 -l - --events fifo", output: .collected)
    try waitUntil("sound comes, and that nobody reads is said") {
      program.outputSoFar.count > 10_000_000
        && program.errorsSoFar.contains("warning: nobody reads events from FIFO 'fifo' yet")
    }
    program.signal(SIGINT)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    #expect(outcome.errors.contains("nobody reads FIFO 'fifo'"))
  }
}
