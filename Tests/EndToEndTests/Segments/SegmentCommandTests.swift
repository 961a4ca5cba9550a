import Foundation
import Lab
import Testing

@Suite("Commands for segments, and segments that are removed")
struct SegmentCommandTests {
  @Test("each segment is handed on once, in order, with the paths of files that are whole")
  func handedOn() throws {
    let shop = try Workshop()
    try shop.run(
      """
      splitcap -q -i in.wav --segment 4s -l "it's %i.wav" -r r-%i.flac -l second-%i.wav \
        --on-segment 'echo {index} {left} {right} {stereo}. >>log; cp {left} copy-{index}
          [ {first_frame}/{frames}/{rate} = \
            $SPLITCAP_FIRST_FRAME/$SPLITCAP_FRAMES/$SPLITCAP_RATE ] || exit
          [ {start} = $SPLITCAP_START ] || exit; echo "$SPLITCAP_SEGMENT $SPLITCAP_FIRST_FRAME $SPLITCAP_FRAMES $SPLITCAP_RATE" >>log
          echo "$SPLITCAP_LEFT $SPLITCAP_RIGHT ${SPLITCAP_STEREO-none} $SPLITCAP_START" >>log'
      """, expecting: 0)
    let lines = try shop.text("log").split(separator: "\n").map(String.init)
    let facts = ["1 0 64000 16000", "2 64000 64000 16000", "3 128000 22001 16000"]
    #expect(lines.count == 9)
    for (number, fact) in facts.enumerated() {
      let (left, right) = ("it's 000\(number + 1).wav", "r-000\(number + 1).flac")
      #expect(lines[3 * number] == "\(number + 1) \(left) \(right) .")
      #expect(lines[3 * number + 1] == fact)
      #expect(lines[3 * number + 2].hasPrefix("\(left) \(right) none 20"))
      let start = try Date(
        String(lines[3 * number + 2].suffix(24)),
        strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      let first = try Date(
        String(lines[2].suffix(24)),
        strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      #expect(abs(start.timeIntervalSince(first) - 4 * Double(number)) < 0.0015)
    }
    let copies = try (1...3).flatMap { try shop.wave("copy-\($0)") }
    expectSame(copies, Workshop.left)
  }

  @Test("a command that fails is a warning, and exit status 1; the next one is run all the same")
  func failing() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -i in.wav --segment 4s -l l-%i.wav --on-segment 'echo {index} >>log; "
        + "test {index} != 2'", expecting: 1)
    #expect(outcome.errors.contains("warning: the command for segment 2, 'echo {index} >>log;"))
    #expect(outcome.errors.contains("exited with status 1"))
    #expect(try shop.text("log") == "1\n2\n3\n")
    expectSame(try (1...3).flatMap { try shop.wave("l-000\($0).wav") }, Workshop.left)
  }

  @Test("a command that hangs holds up no recording; it is waited for, until a second Ctrl-C")
  func hanging() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -i in.wav --segment 1s -l l-%i.wav --on-segment 'echo $$ >>pid; sleep 1000'")
    try waitUntil("all segments are done") {
      try shop.folder.contents().contains("l-0010.wav") && shop.size("pid") > 0
    }
    expectSame(
      try (1...9).flatMap { try shop.wave("l-000\($0).wav") }, Workshop.left.dropLast(6_001))
    program.signal(SIGINT)
    try waitUntil("it says what it waits for") {
      program.errorsSoFar.contains("still waiting for the command for segment 1; Ctrl-C again")
    }
    #expect(program.isRunning)
    program.signal(SIGINT)
    #expect(try program.wait().status == .exited(1))
    let pid = try #require(pid_t(try shop.text("pid").dropLast()))
    try waitUntil("the command is gone") { kill(pid, 0) != 0 }
  }

  @Test("--keep N removes all files of older segments, after their command has had them")
  func keepCount() throws {
    let shop = try Workshop()
    try shop.folder.write("not ours", to: "l-0000.wav")
    try shop.run(
      "splitcap -q -i in.wav --segment 1s -l l-%i.wav -r sub-%i.flac --keep 3 "
        + "--on-segment 'cat {left} | tail -c +45 >>all.raw; ls {right} >>log'", expecting: 0)
    expectSame(try shop.raw("all.raw"), Workshop.left)
    #expect(try shop.text("log").split(separator: "\n").count == 10)
    #expect(
      try shop.folder.contents() == [
        "all.raw", "in.wav", "l-0000.wav", "l-0008.wav", "l-0009.wav", "l-0010.wav", "log",
        "sub-0008.flac", "sub-0009.flac", "sub-0010.flac",
      ])
  }

  @Test("--keep TIME removes what ended that long before the last segment did")
  func keepTime() throws {
    let shop = try Workshop()
    try shop.run("splitcap -q -i in.wav --segment 1s -l l-%i.wav --keep 2.5s", expecting: 0)
    // The last one ends at 9.375 s: those that ended at 6.875 s and later stay.
    #expect(
      try shop.folder.contents() == [
        "in.wav", "l-0007.wav", "l-0008.wav", "l-0009.wav", "l-0010.wav",
      ])
  }

  @Test("--keep removes the folders that it has emptied, if they were made for a segment")
  func keepFolders() throws {
    let shop = try Workshop()
    try shop.run(
      "mkdir -p day/0002; splitcap -q -i in.wav --segment 1s -l day/%i/ears/l.wav -r "
        + "day/%i/ears//r.wav --keep 1 --on-segment '[ {index} != 3 ] || touch day/0003/note'",
      expecting: 0)
    let left = try FileManager.default.subpathsOfDirectory(atPath: shop.folder("day")).sorted()
    #expect(
      left == [
        "0002", "0003", "0003/note", "0010", "0010/ears", "0010/ears/l.wav", "0010/ears/r.wav",
      ])
  }

  @Test("a folder whose name comes again is made again, and removed again")
  func keepRecurringFolders() throws {
    let shop = try Workshop()
    // In ten minutes each second of a minute comes ten times, just when its folder is removed.
    let ramp = (0..<600_000).map { Int16(truncatingIfNeeded: $0) }
    try shop.folder.write(bytes(of: ramp), to: "in.raw")
    try shop.run(
      "splitcap -q -i in.raw --input-rate 1000 --input-channels 1 --segment 1s -l %S/l-%i.wav "
        + "--keep 59", expecting: 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: shop.folder.path)
      .filter { $0.contains("l-") }.sorted { $0.suffix(8) < $1.suffix(8) }
    #expect(names.count == 59)
    expectSame(try names.flatMap { try shop.wave($0) }, Array(ramp.suffix(59_000)))
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: shop.folder.path).count == 2 + 2 * 59)
  }

  @Test("what someone else has put in the place of an old segment is not removed")
  func keepForeign() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --segment 4s -l l-%i.wav --keep 1 "
        + "--on-segment 'mv {left} moved-{index}; echo mine >new; mv new {left}'", expecting: 0)
    #expect(try shop.text("l-0001.wav") == "mine\n" && shop.text("l-0002.wav") == "mine\n")
    expectSame(try (1...3).flatMap { try shop.wave("moved-\($0)") }, Workshop.left)
  }

  @Test("sound on standard output is not mixed with what a command says")
  func standardOutput() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -q -i in.wav --segment 4s -l l-%i.wav -r - --on-segment 'echo done {index}'",
      expecting: 0)
    expectSame(try samples(of: outcome.output), Workshop.right)
    #expect(outcome.errors == "done 1\ndone 2\ndone 3\n")
  }
}
