import Foundation
import Lab
import Testing

@Suite("What a program behind --input says on descriptor 3")
struct SourceEventTests {
  /// A program in Python that writes sound with `sound(first, end)` and says `say(text)`.
  private static let prelude = """
    import os, struct, sys
    def say(text): os.write(3, text.encode() + b"\\n")
    def event(**members):
      import json
      say(json.dumps(members))
    def sound(first, end):
      frames = range(first, end)
      values = (v for i in frames for v in (1 + i % 32767, -(1 + i % 32767)))
      sys.stdout.buffer.write(struct.pack("<%dh" % (2 * len(frames)), *values))
      sys.stdout.buffer.flush()

    """

  /// Records such a program.
  private func record(
    _ shop: Workshop, _ program: String, _ more: String = "", expecting status: Int32
  ) throws -> Program.Outcome {
    try shop.folder.write(Self.prelude + program, to: "source.py")
    return try shop.run(
      "splitcap -q -i 'exec:exec python3 source.py' --input-rate 8000 -l l.wav -r r.wav "
        + "--events log \(more)", expecting: status)
  }

  @Test("gaps stand at their frames, and all that was written stands around them")
  func gaps() throws {
    let shop = try Workshop()
    let outcome = try record(
      shop,
      """
      event(event="gap", frame=0, frames=5)
      sound(5, 1000)
      event(event="gap", frame=995, frames=500)
      sound(1500, 90000)
      event(event="gap", frame=89495, frames=7)
      event(event="gap", frame=89495, frames=3)
      event(event="gap", frame=90485, frames=9000)
      sound(90010, 91000)
      sound(100000, 101000)
      event(event="gap", frame=91485, frames=20)
      """, expecting: 1)
    let events = try EventLine.all(in: shop.text("log"))
    let gaps = events.named("gap")
    #expect(gaps.map(\.frame) == [0, 1_000, 90_000, 90_007, 91_000, 101_000], "\(outcome.errors)")
    #expect(gaps.map { $0.number("frames") } == [5, 500, 7, 3, 9_000, 20])
    #expect(gaps.allSatisfy { $0.text("cause") == "source" })
    #expect(events.last?.number("gap_frames") == 9_535)

    // The program's ramp goes on through the gaps: each sample stands at its own frame, or is lost.
    let silent = gaps.flatMap { $0.frame..<$0.frame + ($0.number("frames") ?? 0) }
    for (name, sign) in [("l.wav", 1), ("r.wav", -1)] as [(String, Int16)] {
      var wanted = (0..<101_020).map { sign * Ramp.left($0) }
      for frame in silent { wanted[frame] = 0 }
      expectSame(try shop.wave(name), wanted, name)
    }
  }

  @Test("behind a WAV header, and resampled, a gap has its place and its length, too")
  func resampled() throws {
    let shop = try Workshop()
    try shop.folder.write(
      Self.prelude + """
        event(event="gap", frame=4000, frames=800)
        sys.stdout.buffer.write(open("in.wav", "rb").read())
        """, to: "source.py")
    try shop.run(
      "splitcap -q -i 'exec:python3 source.py' --resample 8000 -l l.wav --events log", expecting: 1)
    let events = try EventLine.all(in: shop.text("log"))
    #expect(events.named("gap").map(\.frame) == [2_000])
    #expect(events.named("gap").first?.number("frames") == 400)
    let samples = try shop.wave("l.wav")
    #expect(samples.count == (Workshop.frames + 800 + 1) / 2)
    #expect(samples[2_000..<2_400].allSatisfy { $0 == 0 })
  }

  @Test("a gap that is told too late is counted all the same, and that is said")
  func late() throws {
    let shop = try Workshop()
    let outcome = try record(
      shop,
      """
      sound(0, 1000)
      import time
      time.sleep(0.5)
      sound(1000, 1001)
      time.sleep(0.5)
      event(event="gap", frame=10, frames=50)
      """, expecting: 1)
    #expect(outcome.errors.contains("told of 1 gap after the sound behind"), "\(outcome.errors)")
    #expect(try shop.wave("l.wav").count == 1_051)
    let gap = try #require(try EventLine.all(in: shop.text("log")).named("gap").first)
    #expect(try shop.wave("l.wav")[gap.frame..<gap.frame + 50].allSatisfy { $0 == 0 })
  }

  @Test("a warning is passed on; it costs nothing, and control characters in it steer no terminal")
  func warning() throws {
    let shop = try Workshop()
    let outcome = try record(
      shop, #"event(event="warning", message="weak \x1b[31mradio")"# + "\nsound(0, 100)",
      expecting: 0)
    #expect(outcome.errors == "splitcap: warning: weak \\u{1b}[31mradio\n")
    let warning = try #require(try EventLine.all(in: shop.text("log")).named("warning").first)
    #expect(warning.text("message") == "weak \u{1B}[31mradio")
  }

  @Test(
    "whatever else it writes does nothing but be counted",
    arguments: [
      "say('{')", "say('[1]')", "say('{}')", #"say('{"event":"gap"}')"#,
      "event(event='gap', frame=-1, frames=5)", "event(event='gap', frame=5, frames=-1)",
      "event(event='gap', frame=5, frames=0)", "event(event='gap', frame=5, frames=10**15)",
      "event(event='gap', frame=10**18, frames=5)", "event(event='gap', frame=5, frames=10**40)",
      "event(event='gap', frame=5, frames=1.5)", "event(event='gap', frame='5', frames='5')",
      "event(event='gap', frame=2**63 - 1, frames=2**63 - 1)", "event(event='warning', message='')",
      "event(event='warning', message=5)", "event(event='end')", "say('[' * 4000)",
      "say('\"' + 'x' * 5000)", "os.write(3, bytes(range(1, 10)) + bytes(range(11, 256)))",
    ])
  func nonsense(statement: String) throws {
    let shop = try Workshop()
    let outcome = try record(shop, statement + "\nsound(0, 20000)", expecting: 0)
    #expect(
      outcome.errors == "splitcap: warning: 1 line of program 'exec python3 source.py' on "
        + "descriptor 3 could not be used\n")
    #expect(try EventLine.all(in: shop.text("log")).names == ["start", "end"])
    expectSame(try shop.wave("l.wav"), (0..<20_000).map(Ramp.left))
  }

  @Test("floods take no memory and hold up no sound")
  func floods() throws {
    let shop = try Workshop()
    try shop.folder.write(
      Self.prelude + """
        sound(0, 10000)
        for i in range(40): os.write(3, b"x" * (1 << 20))
        for i in range(4): os.write(3, b"\\n" * (1 << 18) + b"{}\\n" * (1 << 16))
        for i in range(30): event(event="warning", message="m" * 3900)
        sound(10000, 20000)
        for i in range(5000): event(event="gap", frame=20000 + i * 1000000, frames=1)
        for i in range(5000): event(event="gap", frame=20000, frames=1)
        """, to: "source.py")
    let outcome = try shop.run(
      """
      python3 -c 'if True:
        import resource, subprocess, sys
        done = subprocess.run(sys.argv[1:])
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        sys.exit(done.returncode)' \
        splitcap -q -i 'exec:python3 source.py' --input-rate 8000 -l l.wav --events log
      """, expecting: 1)
    let kilobytes = try #require(Int(outcome.text.dropLast()))
    #expect(kilobytes < 40 << 10, "it held what it was sent")
    let messages = outcome.errors.split(separator: "\n")
    #expect(messages.filter { $0.contains("mmmm") }.count == 20)
    #expect(messages.allSatisfy { $0.utf8.count < 400 })
    #expect(messages.filter { $0.contains("on descriptor 3 could not be used") }.count == 1)
    let events = try EventLine.all(in: shop.text("log"))
    let gaps = events.named("gap")
    #expect(gaps.count <= 1_020)
    expectSame(
      try shop.wave("l.wav"),
      (0..<20_000).map(Ramp.left) + Array(repeating: 0, count: gaps.count))
  }

  @Test("a reader of events that stalls misses some and is told how many; the sound is whole")
  func stalledReader() throws {
    let shop = try Workshop()
    // Every gap is an event; more than wait for a reader fit neither in the pipe nor behind it.
    let program = """
      for i in range(3000):
        event(event="gap", frame=100 + i * 800, frames=1)
        sound(i * 800, i * 800 + 800)
        sys.stdout.flush()
      """
    try shop.folder.write(Self.prelude + program, to: "source.py")
    // It reads once all sound is in the file.
    let reader = "until [ $(stat -c %s l.wav) = \(44 + 2 * 3_000 * 801) ]; do sleep 0.05; done; cat"
    let outcome = try shop.run(
      "splitcap -q -i 'exec:python3 source.py' --input-rate 8000 -l l.wav "
        + "--events 'exec:\(reader) >late'", expecting: 1)
    let events = try EventLine.all(in: shop.text("late"))
    let end = try #require(events.last)
    #expect(end.name == "end" && end.number("gap_count") == 3_000)
    let missing = events.reduce(0) { $0 + ($1.number("events_left_out") ?? 0) }
    #expect(missing > 0 && events.named("gap").count + missing == 3_000)
    #expect(
      outcome.errors.contains("the reader of events was too slow; \(missing) events were left out"))
    #expect(try shop.wave("l.wav").count == 3_000 * 801)
  }
}
