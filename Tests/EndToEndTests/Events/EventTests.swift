import Foundation
import Glibc
import Lab
import Testing

@Suite("Events of a recording")
struct EventTests {
  @Test("start and end tell what is recorded to where, and what each output really holds")
  func counts() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      """
      splitcap -q -i in.wav -l l.wav -r r.flac --stereo both.raw -l 'exec:head -c 100 >part' \
        -r 'exec:cat >all; exit 7' -r /dev/full --events log
      """, expecting: 1)
    let events = try EventLine.all(in: shop.text("log"))
    let (start, end) = try events.ends()
    #expect(start.text("program")?.hasPrefix("splitcap ") == true)
    let source = try #require(start.object("source"))
    #expect(source.text("backend") == "file" && source.text("name") == "in.wav")
    for layout in ["native", "recorded"] {
      let layout = try #require(source.object(layout))
      #expect(layout.number("rate") == Workshop.rate && layout.number("channels") == 2)
    }
    #expect(start.members["ears"] as? [Int] == [1, 2])

    let paths = [
      "l.wav", "r.flac", "both.raw", "exec:head -c 100 >part", "exec:cat >all; exit 7", "/dev/full",
    ]
    #expect(start.objects("outputs").map { $0.text("path") } == paths)
    let outputs = end.objects("outputs")
    #expect(outputs.map { $0.text("path") } == paths)
    let feeds = ["left", "right", "stereo", "left", "right", "right"]
    #expect(outputs.map { $0.text("feed") } == feeds)
    #expect(
      outputs[..<3].map { $0.number("frames") } == Array(repeating: Workshop.frames, count: 3))
    #expect(try shop.wave("l.wav").count == Workshop.frames)
    #expect(try shop.raw("both.raw").count == 2 * Workshop.frames)
    #expect(outputs[0].number("bytes") == shop.size("l.wav"))
    #expect(outputs[1].number("bytes") == shop.size("r.flac"))
    #expect(outputs[3].number("program_status") == 0)
    #expect(outputs[3].members["reader_left"] as? Bool == true)
    #expect(outputs[4].number("program_status") == 7)
    #expect(outputs[4].number("frames") == shop.size("all") / 2)
    #expect(outputs[5].number("frames") == 0)
    #expect(outputs.map { $0.isNull("error") } == [true, true, true, true, false, false])

    #expect(end.frame == Workshop.frames && end.number("frames") == Workshop.frames)
    #expect(end.text("ending") == "source-ended" && end.isNull("error"))
    #expect(end.number("exit_status") == 1 && outcome.status == .exited(1))
    #expect(end.number("gap_count") == 0 && end.number("gap_frames") == 0)
    let peak = 20 * log10(32_767.0 / 32_768)
    let level = try #require(end.object("left")?.members["peak_dbfs"] as? Double)
    #expect(abs(level - peak) < 0.01)

    let between = events.dropFirst().dropLast()
    #expect(between.filter { $0.name == "sink-failed" }.count == 2)
    #expect(between.filter { $0.name == "reader-left" }.map { $0.text("path") } == [paths[3]])
    let failed = try #require(between.first { $0.text("path") == "/dev/full" })
    #expect(failed.object("error")?.text("kind") == "sink-failed")
    #expect(failed.object("error")?.text("message")?.contains("No space left") == true)
    let program = try #require(
      between.first { $0.name == "sink-failed" && $0.text("path") == paths[4] })
    #expect(program.frame == outputs[4].number("frames"))
  }

  @Test("frame 0 has its time on both clocks, as text and as a number")
  func times() throws {
    let shop = try Workshop()
    let before = (wall: nanoseconds(CLOCK_REALTIME), monotonic: nanoseconds(CLOCK_MONOTONIC))
    try shop.run("splitcap -q -i in.wav -l l.wav --events log", expecting: 0)
    let after = (wall: nanoseconds(CLOCK_REALTIME), monotonic: nanoseconds(CLOCK_MONOTONIC))
    let (start, end) = try EventLine.all(in: shop.text("log")).ends()
    let wall = try #require(start.number("start_time_ns"))
    #expect(before.wall <= wall && wall <= after.wall)
    let monotonic = try #require(start.number("start_monotonic_ns"))
    #expect(before.monotonic <= monotonic && monotonic <= after.monotonic)
    for (event, key) in [(start, "start_time"), (start, "time"), (end, "time")] {
      let number = try #require(event.number(key + "_ns"))
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      let date = try style.parse(#require(event.text(key)))
      #expect(abs(date.timeIntervalSince1970 - Double(number) / 1e9) < 0.002)
      #expect(wall <= number && number <= after.wall)
    }
  }

  private func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  @Test(
    "they go to whatever an output may go to",
    arguments: [
      "--events any.name", "--events ./-", "--events - >log", "--events fd:3 3>log",
      "--events /dev/fd/3 3>log", "--events exec:'cat >log'",
      "--events fifo & cat fifo >log; wait $!",
      "--events >(cat >log); while [ ! -s log ]; do sleep 0.01; done",
    ])
  func destinations(option: String) throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("fifo")
    try shop.run("set -o pipefail; splitcap -q -i in.wav -l l.wav \(option)", expecting: 0)
    let names = try Set(shop.folder.contents()).subtracting(["in.wav", "l.wav", "fifo"])
    #expect(names.count == 1)
    let text = try shop.text(#require(names.first))
    // Another reader of JSON, and an independent one.
    let read = try Program.output(
      of: "python3",
      ["-c", "import sys, json\nfor l in sys.stdin: print(json.loads(l).get('event'))"],
      input: .bytes([UInt8](text.utf8)))
    #expect(read.hasPrefix("start\nend\n"), "\(option): \(text)")
  }

  @Test("words of programs do not get among events on standard output")
  func standardOutput() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -q -i in.wav -l 'exec:cat >/dev/null; echo words' --events -", expecting: 0)
    #expect(try EventLine.all(in: outcome.text).names == ["start", "end"])
    #expect(outcome.errors == "words\n")
  }

  @Test("a file is emptied, appended to by the shell's >>, and protected by --no-clobber")
  func existingFile() throws {
    let shop = try Workshop()
    try shop.folder.write("old\n", to: "log")
    try shop.run("splitcap -q -i in.wav -l l.wav --events log", expecting: 0)
    #expect(try EventLine.all(in: shop.text("log")).names == ["start", "end"])
    try shop.run("splitcap -q -i in.wav -l l.wav --events fd:3 3>>log", expecting: 0)
    #expect(try EventLine.all(in: shop.text("log")).names == ["start", "end", "start", "end"])
    try shop.expectRefusal(
      2, "'log' exists, and --no-clobber protects it", hint: "another name",
      of: "splitcap -i in.wav -l new.wav --no-clobber --events log")
  }

  @Test("what can't be meant is refused before anything is made")
  func refusals() throws {
    let shop = try Workshop()
    try shop.folder.write("", to: "old.wav")
    try FileManager.default.linkItem(
      atPath: shop.folder("old.wav"), toPath: shop.folder("same"))
    for (arguments, message, hint) in [
      (
        "-l - --events - | cat", "--events '-' and the sound of --left '-'", "--events events.jsonl"
      ),
      ("-l l.wav --events l.wav", "--events 'l.wav' and the sound of --left 'l.wav'", "own"),
      ("-l l.wav --events ./L.wav", "'./L.wav' and the sound of --left 'l.wav'", "own"),
      ("-l old.wav --events same", "'same' and the sound of --left 'old.wav'", "own"),
      ("-l l.wav --events in.wav", "'in.wav' and the input, 'in.wav'", "own"),
      ("-l l.wav --events fd:2", "is standard error", "--events -"),
      ("-l l.wav --events fd:9", "descriptor 9 is not open", "--events fd:9 9>events.jsonl"),
      ("-l l.wav --events no/log", "there is no folder 'no'", "mkdir -p no"),
      ("-l %F/l.wav --events log", "there is no folder '%F'", "--segment TIME"),
      ("-l l.wav --events .", "is a folder", "./events.jsonl"),
      ("-l l.wav --events new/", "is a folder", "new/events.jsonl"),
      ("-l l.wav --events ''", "has no name", "variable"),
      ("-l l.wav --events exec:", "names no program", "exec:COMMAND"),
    ] {
      try shop.expectRefusal(
        2, message, hint: hint, of: "set -o pipefail; splitcap -i in.wav \(arguments)")
    }
    let outcome = try shop.run("splitcap -i in.wav -l l.wav --events log 2>log", expecting: 2)
    #expect(outcome.errors == "")
    #expect(try shop.text("log").contains("--events 'log' and the messages go to the same place"))
  }

  @Test("a recording that can't start makes no file of events, and keeps an old one")
  func noStart() throws {
    let shop = try Workshop()
    try shop.folder.write("kept", to: "old")
    for name in ["old", "new"] {
      try shop.run("splitcap -i none.wav -l l.wav --events \(name)", expecting: 3)
      try shop.run("splitcap -i 'exec:exit 1' -l l.wav --events \(name)", expecting: 3)
    }
    #expect(try shop.folder.contents() == ["in.wav", "old"])
    #expect(try shop.text("old") == "kept")
  }

  @Test("a kill -9 leaves whole lines")
  func killed() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -q -i - --input-rate 8000 -l l.wav -r 'exec:exit 9' --events log", input: .held
    )
    try program.write(bytes(of: Workshop.stereo))
    try waitUntil("events are written") {
      try shop.size("log") > 0 && shop.text("log").contains("9")
    }
    try waitUntil("two lines") { try shop.text("log").split(separator: "\n").count == 2 }
    program.signal(SIGKILL)
    _ = try program.wait()
    #expect(try EventLine.all(in: shop.text("log")).names == ["start", "sink-failed"])
  }
}
