import Foundation
import Lab
import Testing

@Suite("What programs print, merged")
struct MergeTests {
  /// A line of merged output.
  private struct Line: Decodable {
    var ear: String
    var time: Double
    var frame: Int
    var clock: String
    var program: String
    var line: String
  }

  private static func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  @Test("each line has its ear, its program and the frame up to which that had read")
  func frames() throws {
    let shop = try Workshop()
    // Reads so many samples exactly, prints, and reads the rest only when that has been seen.
    func reader(_ frames: Int) -> String {
      "dd bs=2 count=\(frames) status=none >/dev/null; echo \"had enough\"; sleep 0.5; cat >/dev/null; echo end"
    }
    try shop.run(
      "splitcap -q -i in.wav -l 'exec:\(reader(1_000))' -r 'exec:\(reader(100_000))' --merge-output m.jsonl",
      expecting: 0)
    let lines = try Self.lines(shop.text("m.jsonl"))
    #expect(lines.count == 4)
    for (ear, frames) in [("left", 1_000), ("right", 100_000)] {
      let own = lines.filter { $0.ear == ear }
      #expect(own.map(\.line) == ["had enough", "end"])
      #expect(own.map(\.frame) == [frames, Workshop.frames], "\(own)")
      #expect(own.allSatisfy { abs($0.time - Double($0.frame) / 16_000) < 0.001 })
      #expect(own.first?.program == reader(frames))
    }
  }

  @Test("whatever they print becomes lines: no newline, bytes that are no text, megabytes, CRLF")
  func junk() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      #"""
      splitcap -q -i in.wav --merge-output - \
      -l 'exec:cat >/dev/null; printf "one\r\n\n two\ntail"' -r 'exec:printf "a\377b\n"; head -c 300000 /dev/zero | tr "\0" x; cat >/dev/null'
      """#, expecting: 0)
    let lines = try Self.lines(outcome.text)
    #expect(lines.filter { $0.ear == "left" }.map(\.line) == ["one", " two", "tail"])
    let right = lines.filter { $0.ear == "right" }.map(\.line)
    #expect(right.count == 2 && right[0] == "a\u{FFFD}b" && right[1].count == 65_536)
  }

  @Test("what they start may hold their output open; nobody waits for it")
  func grandchild() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -q -i in.wav -l 'exec:cat >/dev/null; sleep 3 2>&- & echo done' --merge-output -",
      expecting: 0)
    #expect(try Self.lines(outcome.text).map(\.line) == ["done"])
  }

  @Test("no word gets into the sound, whoever prints it")
  func apart() throws {
    let shop = try Workshop()
    for command in [
      "record -r 'exec:cat >/dev/null; echo hi' --merge-output 'exec:cat'",
      "transcribe --recognizer 'echo hi' -o 'exec:cat; echo end'",
    ] {
      try shop.run("splitcap \(command) -q -i in.wav -l - >sound 2>words", expecting: 0)
      expectSame(try shop.raw("sound"), Workshop.left, command)
      #expect(try !shop.text("words").isEmpty)
    }
  }

  @Test("a recording that can't start leaves what was there; one without words makes an empty file")
  func nothing() throws {
    let shop = try Workshop()
    try shop.run(
      """
      echo before | tee old.jsonl >old.vtt
      splitcap -q -i 'exec:true' -l 'exec:cat' --merge-output old.jsonl 2>&- && exit 9
      splitcap transcribe -q -i 'exec:true' --recognizer none -o old.vtt 2>&- && exit 9
      splitcap transcribe -q -i in.wav --frames 100 --recognizer none -o empty.vtt
      splitcap -q -i in.wav -l 'exec:cat >/dev/null' --merge-output empty.jsonl
      """, expecting: 0)
    #expect(try shop.text("old.jsonl") == "before\n" && shop.text("old.vtt") == "before\n")
    #expect(try shop.text("empty.vtt") == "WEBVTT\n\n" && shop.text("empty.jsonl") == "")
  }

  @Test("a long backlog behind a reader that stalls is all there, in order")
  func backlog() throws {
    let shop = try Workshop()
    let count = 100_000
    try shop.run(
      """
      mkfifo fifo
      (exec 4<fifo; sleep 2; cat <&4 >m.jsonl) &
      splitcap -q -i in.wav -l 'exec:seq \(count); cat >/dev/null' --merge-output fifo
      wait
      """, expecting: 0)
    #expect(try Self.lines(shop.text("m.jsonl")).map(\.line) == (1...count).map(String.init))
  }

  @Test("a destination that fails is said, and costs status 1; the sound does not suffer")
  func failure() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -i in.wav -l 'exec:cat >/dev/null; echo words' -r r.wav --merge-output /dev/full",
      expecting: 1)
    #expect(
      outcome.errors.contains("what programs print is no longer written"), "\(outcome.errors)")
    expectSame(try shop.wave("r.wav"), Workshop.right)
  }
}

@Suite("Recognisers that listen all the time")
struct StreamModeTests {
  @Test("a line gets the times of the speech that was read by then")
  func lines() throws {
    let talk = try Talk()
    // Prints a line a second after each utterance: at 4.5 s on the left ear, at 8 s on the right one.
    let command = """
      if [ {ear} = left ]; then n=72000; else n=128000; fi
      dd bs=2 count=$n status=none >/dev/null; echo {ear} words; cat >/dev/null
      """
    let lines = try talk.transcript("--mode stream --recognizer '\(command)'")
    let wanted = try talk.transcript("--recognizer none")
    #expect(lines.map(\.text) == ["left words", "right words"])
    #expect(lines.map(\.first_frame) == wanted.map(\.first_frame))
    #expect(lines.map(\.frames) == wanted.map(\.frames))
  }
}
