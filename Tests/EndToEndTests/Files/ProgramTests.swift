import Foundation
import Lab
import Testing

@Suite("Programs as outputs")
struct ProgramTests {
  @Test("each ear may go to a program of its own, which is told what it gets")
  func told() throws {
    let shop = try Workshop()
    let note = #"printf "%s " $SPLITCAP_EAR $SPLITCAP_RATE $SPLITCAP_FORMAT $SPLITCAP_CHANNELS"#
    try shop.run(
      """
      export SPLITCAP_RATE=1 SPLITCAP_OLD=1
      splitcap -q -i in.wav \
      -l 'exec:cat >l.raw; (\(note); echo $SPLITCAP_FIRST_FRAME) >l.txt; env >env.txt' \
      -r 'exec:cat >r.raw; (\(note); echo {ear} {rate} "{channels}" {format}) >r.txt' \
      --stereo 'exec:cat >b.raw; (\(note)) >b.txt; echo {start} >start.txt'
      """, expecting: 0)
    expectSame(try shop.raw("l.raw"), Workshop.left)
    expectSame(try shop.raw("r.raw"), Workshop.right)
    expectSame(try shop.raw("b.raw"), Workshop.stereo)
    #expect(try shop.text("l.txt") == "left 16000 s16le 1 0\n")
    #expect(try shop.text("r.txt") == "right 16000 s16le 1 right 16000 1 s16le\n")
    #expect(try shop.text("b.txt") == "stereo 16000 s16le 2 ")
    #expect(try !shop.text("env.txt").contains("SPLITCAP_OLD"))

    let start = try shop.text("start.txt").trimmingCharacters(in: .newlines)
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = try #require(format.date(from: start), "\(start)")
    #expect(abs(date.timeIntervalSinceNow) < 3_600)
  }

  @Test("real readers take what they get: sox by {rate}, ffmpeg by a WAV header")
  func realReaders() throws {
    let shop = try Workshop()
    try shop.run(
      """
      splitcap -q -i in.wav -l 'exec:sox -V1 -D -t raw -r {rate} -e signed -b 16 -c {channels} - l.wav'
      splitcap -q -i in.wav --pipe-format wav -r 'exec:ffmpeg -v error -i - -bitexact r.wav'
      """, expecting: 0)
    expectSame(try shop.wave("l.wav"), Workshop.left)
    expectSame(try shop.wave("r.wav"), Workshop.right)
  }

  @Test("a program that fails costs status 1 and a word, and the other ear nothing")
  func failures() throws {
    let shop = try Workshop()
    for (command, message) in [
      ("cat >/dev/null; exit 3", "exited with status 3"), ("exit 1", "exited with status 1"),
      ("no-such-command 2>&-", "exited with status 127: the command was not found"),
      ("./in.wav 2>&-", "exited with status 126: the command is not executable"),
      ("cat >/dev/null; kill -9 $$", "was killed by signal 9"),
      ("head -c 1000 >/dev/null; kill -TERM $$", "was killed by signal 15"),
    ] {
      let outcome = try shop.run(
        "splitcap -i in.wav -l 'exec:\(command)' -r r.wav", expecting: 1)
      #expect(
        outcome.errors.contains("splitcap: error: program '\(command)' \(message)\n"),
        "\(outcome.errors)")
      #expect(outcome.errors.contains("exec:\(command): left"))
      expectSame(try shop.wave("r.wav"), Workshop.right, command)
    }
  }

  @Test("a program that has had enough and exits 0 is a normal end, even if it read nothing")
  func hasEnough() throws {
    let shop = try Workshop()
    for command in ["head -c 100 >part", "true", "exec <&-; sleep 0.1"] {
      let outcome = try shop.run(
        "splitcap -i in.wav -l 'exec:\(command)' -r r.wav", expecting: 0)
      #expect(outcome.errors.contains("its reader left at"), "\(outcome.errors)")
      expectSame(try shop.wave("r.wav"), Workshop.right, command)
    }
    #expect(try shop.folder.bytes(of: "part") == bytes(of: Workshop.left.prefix(50)))
  }

  @Test("what it had not read when it ended is not counted as what it got")
  func unread() throws {
    let shop = try Workshop()
    // All of it fits in the pipe, or not.
    for frames in [10_000, 100_000] {
      let outcome = try shop.run(
        "splitcap -i in.wav --frames \(frames) -l 'exec:sleep 0.5; dd bs=500 count=2 2>/dev/null >part'",
        expecting: 0)
      #expect(try shop.folder.bytes(of: "part") == bytes(of: Workshop.left.prefix(500)))
      #expect(outcome.errors.contains("left, 500 frames"), "\(outcome.errors)")
      #expect(outcome.errors.contains("its reader left at 0.031 s"))
    }
  }

  @Test("one that takes its time is waited for, and may speak its last words after the end")
  func lastWords() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -q -i in.wav -l 'exec:sleep 0.5; wc -c; sleep 0.5; echo last words'", expecting: 0)
    #expect(outcome.text == "\(2 * Workshop.frames)\nlast words\n" && outcome.errors == "")
  }

  @Test("Ctrl-C at the terminal does not reach it: it gets the end of its input, and finishes")
  func controlC() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -i - -l 'exec:cat >l.raw; sleep 0.3; echo last words'", input: .held)
    try program.write(Workshop.wave)
    try waitUntil("it gets sound") {
      shop.size("l.raw") == 2 * Workshop.frames
    }
    program.signal(SIGINT)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(0) && outcome.text == "last words\n", "\(outcome.errors)")
    expectSame(try shop.raw("l.raw"), Workshop.left)
  }

  @Test("one that takes nothing is ended 2 s after Ctrl-C, with all that it started, and costs 1")
  func takesNothing() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -i - -l 'exec:sleep 1000 & echo $! $$ >ids; wait' -r r.wav", input: .held)
    try program.write(Workshop.wave)
    try waitUntil("both are at work") {
      shop.size("ids") > 0
        && shop.size("r.wav") > 2 * Workshop.frames
    }
    program.signal(SIGINT)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1) && outcome.errors.contains("took nothing for 2 s"))
    expectSame(try shop.wave("r.wav"), Workshop.right)
    for id in try shop.text("ids").split(whereSeparator: \.isWhitespace) {
      try waitUntil("\(id) is gone") { !FileManager.default.fileExists(atPath: "/proc/\(id)") }
    }
  }

  @Test("leaves no zombie while the recording goes on")
  func noZombie() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -q -i - -l 'exec:head -c 100 >/dev/null' -l 'exec:exit 1' -r r.wav",
      input: .held)
    try program.write(Workshop.wave)
    let children = "/proc/\(program.pid)/task"
    try waitUntil("both programs are gone") {
      try FileManager.default.contentsOfDirectory(atPath: children).allSatisfy { thread in
        let path = "\(children)/\(thread)/children"
        return (try? String(contentsOfFile: path, encoding: .utf8))?.isEmpty ?? true
      } && shop.size("r.wav") > 2 * Workshop.frames
    }
    #expect(program.isRunning)
    program.closeInput()
    #expect(try program.wait().status == .exited(1))
  }
}
