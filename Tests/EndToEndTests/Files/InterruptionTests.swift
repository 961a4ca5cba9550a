import Foundation
import Lab
import Testing

@Suite("Interruptions while an input is split")
struct InterruptionTests {
  /// Splits an endless input into a file and a FIFO whose reader has stopped to read.
  private func stalled(_ shop: Workshop) throws -> (program: Program, reader: FileHandle) {
    try shop.folder.makeFIFO("l")
    // Held open for reading, and never read.
    let reader = try Tube.open(shop.folder("l"), O_RDONLY | O_NONBLOCK)
    let program = try shop.start(
      "exec splitcap -i /dev/zero --input-rate 1000 -l l -r r.wav -r r.flac")
    try waitUntil("the file stands still, since an input waits for its slowest output") {
      guard let before = try? shop.folder.bytes(of: "r.wav").count, before > 44 else {
        return false
      }
      pause(milliseconds: 300)
      return shop.size("r.wav") == before
    }
    return (program, reader)
  }

  @Test(
    "Ctrl-C with a stalled reader: it is given up after 2 s, by name; files are whole; status 1")
  func stalledReader() throws {
    let shop = try Workshop()
    let (program, reader) = try stalled(shop)
    program.signal(SIGINT)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    #expect(outcome.errors.contains("error: FIFO 'l' took nothing for 2 s at the end"))
    let wave = try shop.wave("r.wav")
    let flac = try Reader.flac.read(shop.folder("r.flac"), copy: shop.folder("copy.wav"))
    #expect(wave.count > 0 && wave.count == flac.samples.count)
    #expect(outcome.errors.contains("r.wav: right, \(wave.count) frames"))
    try reader.close()
  }

  @Test("a second Ctrl-C ends it at once: status 1, a word of warning, and the files are valid")
  func secondInterrupt() throws {
    let shop = try Workshop()
    let (program, reader) = try stalled(shop)
    program.signal(SIGINT)
    // As long as a finger takes: what follows sooner is the same wish.
    pause(milliseconds: 300)
    program.signal(SIGINT)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("warning: stopped without waiting for all outputs"))
    #expect(!outcome.errors.contains("2 s"))
    #expect(try shop.wave("r.wav").count > 0)
    try reader.close()
  }

  @Test(
    "P31, P32: what came before the signal is all written, whichever it is; status 0",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(signal: Int32) throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -i - -l l.wav -r r.flac --stereo 'exec:cat >b.raw'", input: .held)
    try program.write(Workshop.wave)
    // The program's copy shows how far it has come.
    try waitUntil("all frames are read") {
      shop.size("b.raw") == 4 * Workshop.frames
    }
    program.signal(signal)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(!outcome.errors.contains("nterrupted"))
    expectSame(try shop.wave("l.wav"), Workshop.left)
    let right = try Reader.flac.read(shop.folder("r.flac"), copy: shop.folder("copy.wav"))
    expectSame(right.samples, Workshop.right)
    expectSame(try shop.raw("b.raw"), Workshop.stereo)
  }

  @Test("nohup: a hang-up is ignored where it was ignored before")
  func nohup() throws {
    let shop = try Workshop()
    let program = try shop.start("trap '' HUP; exec splitcap -q -i - -l l.wav", input: .held)
    try program.write(Array(Workshop.wave.prefix(50_000)))
    try waitUntil("frames flow") { shop.size("l.wav") > 0 }
    program.signal(SIGHUP)
    try program.write(Array(Workshop.wave.dropFirst(50_000)))
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
    expectSame(try shop.wave("l.wav"), Workshop.left)
  }

  @Test(
    "W24: kill -9 in the middle: the file is valid, and all but the last second is in it",
    arguments: ["wav", "w64", "au"])
  func killed(name: String) throws {
    let shop = try Workshop()
    let program = try shop.start("exec splitcap -q -i - -l l.\(name)", input: .held)
    let sound = Array(Workshop.wave.dropFirst(44))
    try program.write(Array(Workshop.wave.prefix(44)))
    // At the speed of a device: 100 ms of sound each 100 ms, for 2 s.
    let step = 4 * Workshop.rate / 10
    let started = ContinuousClock.now
    var second = 0
    for part in 0..<20 {
      try program.write(Array(sound[part * step..<(part + 1) * step]))
      pause(milliseconds: 100)
      // How much had been written a second before the end, by the clock.
      if ContinuousClock.now - started < .seconds(1) { second = (part + 1) * step / 4 }
    }
    program.signal(SIGKILL)
    #expect(try program.wait().status == .killed(SIGKILL))
    let file = try Reader.sox.read(shop.folder("l.\(name)"), copy: shop.folder("copy.wav"))
    #expect(file.samples.count >= second && second > 0, "\(file.samples.count) of \(second)")
    expectSame(file.samples, Array(Workshop.left.prefix(file.samples.count)))
    if name == "wav" {
      let python = try Reader.python.read(shop.folder("l.wav"), copy: shop.folder("copy.wav"))
      #expect(python.samples.count == file.samples.count)
    }
  }

  @Test("P37: it sleeps while nothing comes")
  func idle() throws {
    let shop = try Workshop()
    let program = try shop.start("exec splitcap -q -i - -l l.wav", input: .held)
    try program.write(Workshop.wave)
    try waitUntil("all is written") {
      shop.size("l.wav") == 44 + 2 * Workshop.frames
    }
    let before = try ticks(program.pid)
    pause(milliseconds: 1_000)
    // Ticks are of 10 ms: of a second, 2 % are two of them.
    #expect(try ticks(program.pid) - before <= 2)
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
  }

  /// The processor time that a process has used, in ticks; fields 14 and 15 of proc(5)'s `stat`.
  private func ticks(_ id: pid_t) throws -> Int {
    let stat = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }
}
