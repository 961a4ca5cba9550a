import Foundation
import Lab
import Testing

@Suite("Recognisers that fail cost their own words, and nothing else")
struct RecognizerFaultTests {
  /// Runs a recogniser that does its worst on the right ear; the left one's words must come.
  private static func expectFailure(
    _ fault: String, _ message: String, options: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let talk = try Talk()
    let command = "if [ {ear} = left ]; then echo fine; else \(fault); fi"
    let outcome = try talk.shop.run(
      "splitcap transcribe -i call.wav --format jsonl --recognizer '\(command)' \(options) "
        + "--left l.wav --right r.wav --events events.jsonl", expecting: 1, at: location)
    let lines = try TalkLine.lines(outcome.text)
    #expect(lines.map(\.text) == ["fine", nil], "\(outcome.text)", sourceLocation: location)
    #expect(lines.last?.error?.contains(message) == true, "\(lines)", sourceLocation: location)
    #expect(
      outcome.errors.contains("Right's words at") && outcome.errors.contains(message),
      "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains("1 not recognised"), sourceLocation: location)
    let events = try talk.shop.text("events.jsonl")
    #expect(
      events.contains(#""event":"recognizer-failed""#) && events.contains(#""ear":"right""#),
      "\(events)", sourceLocation: location)
    expectSame(try talk.shop.wave("l.wav"), try talk.shop.wave("left.wav"), at: location)
    expectSame(try talk.shop.wave("r.wav"), try talk.shop.wave("right.wav"), at: location)
  }

  @Test("one that is not there, is no program, exits, is killed, or hangs")
  func failures() throws {
    try Self.expectFailure("no-such-recogniser 2>&-", "the command was not found")
    try Self.expectFailure("./call.wav 2>&-", "the command is not executable")
    try Self.expectFailure("exit 3", "exited with status 3")
    try Self.expectFailure("kill -9 $$", "was killed by signal 9")
    try Self.expectFailure("sleep 1000", "was still at work after", options: "--timeout 500ms")
    try Self.expectFailure(
      "sleep 1000 & wait", "was still at work after", options: "--timeout 500ms")
  }

  @Test("whatever it prints is one line of text")
  func text() throws {
    let talk = try Talk()
    for (command, text) in [
      ("printf one", "one"), (#"printf " one\r\n\r\n two\tthree \n\n""#, "one two three"),
      (#"printf "a\\377b\\033[31mc""#, "a\u{FFFD}b [31mc"), ("true", ""),
      ("sleep 3 2>&- & echo left behind", "left behind"),
    ] {
      let lines = try talk.transcript("--recognizer '\(command)'")
      #expect(lines.map(\.text) == [text, text], "\(command)")
    }
    let flood = try talk.transcript(#"--recognizer 'head -c 20000000 /dev/zero | tr "\\0" x'"#)
    #expect(flood.map(\.text?.utf8.count) == [65_536, 65_536])
  }

  @Test("no more run at once than are wanted, and the order is that of the talk, whoever is first")
  func jobs() throws {
    let talk = try Talk()
    try talk.shop.run(
      "sox -V1 left.wav right.wav left.wav right.wav long.wav; sox -V1 -M long.wav long.wav two.wav",
      expecting: 0)
    let command = """
      mkdir running-$$; ls -d running-* | wc -l >>counts; sleep 0.$((RANDOM % 3)); rmdir running-$$; echo {first_frame}
      """
    let lines = try talk.transcript(
      "--jobs 2 --recognizer 'bash -c \"\(command.replacing("$", with: "\\$"))\"'",
      input: "-i two.wav")
    #expect(lines.count == 8 && lines.map(\.start) == lines.map(\.start).sorted(), "\(lines)")
    let counts = try talk.shop.text("counts").split(separator: "\n").compactMap {
      Int($0.trimmingCharacters(in: .whitespaces))
    }
    #expect(counts.count == 8 && counts.max() ?? 9 <= 2, "\(counts)")
  }

  @Test("nothing stays behind: no file of an utterance, no process")
  func clean() throws {
    let talk = try Talk()
    try talk.shop.run(
      """
      mkdir tmp
      export TMPDIR=$PWD/tmp
      splitcap transcribe -q -i call.wav --recognizer 'ls tmp/* >>seen; cat {file} >/dev/null'
      splitcap transcribe -q -i call.wav --recognizer 'exit 1' 2>&-
      ls tmp >after; chmod 500 tmp
      \(Workshop.obeyingModes) splitcap transcribe -q -i call.wav --recognizer 'cat {file}' 2>message
      echo $? >status
      """, expecting: 0)
    #expect(try talk.shop.text("seen").contains(".wav"))
    #expect(try talk.shop.text("after") == "")
    #expect(try talk.shop.text("status") == "1\n")
    #expect(try talk.shop.text("message").contains("TMPDIR chooses another folder"))
  }

  @Test("a command that can't be meant is refused before anything is opened")
  func refused() throws {
    let shop = try Workshop()
    for (command, message, hint) in [
      ("transcribe -i in.wav -o in.wav", "the input", "call.txt"),
      ("transcribe -i in.wav -o l.wav -l l.wav", "the same place", "call.txt"),
      ("transcribe -i in.wav --mode stream", "--mode stream needs --recognizer", "raw samples"),
      ("transcribe -i in.wav --jobs 0", "a number from 1 to 64", "--jobs 2"),
      ("transcribe -i in.wav --format srl", "one of text, jsonl, srt, vtt", "--format srt"),
      ("record -l l.wav --recognizer x", "no option of 'splitcap record'", "splitcap transcribe"),
      ("record -i in.wav -l l.wav --merge-output m", "needs an output that is a program", "exec:"),
    ] {
      try shop.expectRefusal(2, message, hint: hint, of: "splitcap \(command)")
    }
    try shop.expectRefusal(
      2, "PocketSphinx, is not installed", hint: "--recognizer",
      of: "PATH=${PATH%%:*} splitcap transcribe -i in.wav")
  }
}
