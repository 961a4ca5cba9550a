import Foundation
import Lab
import SplitcapCore
import Testing

@Suite("Standard input and programs as inputs")
struct StreamInputTests {
  @Test("a WAV stream is read whatever brings it: a pipe, a file, a FIFO, a socket, a program")
  func sources() throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("in.fifo")
    for command in [
      "cat in.wav | splitcap -q -i -", "splitcap -q -i - <in.wav",
      "cat in.wav >in.fifo & splitcap -q -i in.fifo", "splitcap -q -i <(cat in.wav)",
      "splitcap -q -i 'exec:cat in.wav'", "sox -V1 -D in.wav -t wav - | splitcap -q -i -",
      "ffmpeg -v error -i in.wav -f wav - | splitcap -q -i -",
    ] {
      try shop.run("\(command) -l l.wav -r r.wav", expecting: 0)
      expectSame(try shop.wave("l.wav"), Workshop.left, command)
      expectSame(try shop.wave("r.wav"), Workshop.right, command)
    }
  }

  @Test("a FIFO is opened once: a writer that comes early is not left by a reader that only looks")
  func opensOnce() throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("in.fifo")
    try shop.run(
      "cat in.wav >in.fifo & strace -f -o trace -e trace=open,openat splitcap -q -i in.fifo -l l.wav",
      expecting: 0)
    #expect(try shop.text("trace").components(separatedBy: "\"in.fifo\"").count == 2)
  }

  @Test("headerless input is what the options say it is", arguments: SampleFormat.allCases)
  func headerless(format: SampleFormat) throws {
    let shop = try Workshop()
    let name = format.rawValue
    let kind = name.hasPrefix("f") ? "floating-point" : name.hasPrefix("u") ? "unsigned" : "signed"
    let bits = name.filter(\.isNumber)
    let end = name.hasSuffix("be") ? "-B" : "-L"
    // sox scales up what 8 bits can't hold, so that it comes back as it went.
    let isNarrow = format.byteCount == 1
    let wave = isNarrow ? "8bit.wav" : "in.wav"
    try shop.run(
      """
      sox -V1 -D in.wav -b 8 narrow.wav && sox -V1 -D narrow.wav -b 16 8bit.wav
      sox -V1 -D \(wave) -t raw -e \(kind) -b \(bits) \(end) in.raw
      """, expecting: 0)
    let wanted = isNarrow ? try shop.wave("8bit.wav") : Workshop.stereo
    let options = "--input-rate 22050 --input-format \(name)"
    for input in ["-i in.raw", "-i - <in.raw"] {
      try shop.run("splitcap -q \(input) \(options) --stereo b.wav", expecting: 0)
      let file = try WaveFile(shop.folder.bytes(of: "b.wav"))
      #expect(file.rate == 22_050 && file.channels == 2)
      expectSame(file.samples, wanted, "\(input) \(name)")
    }
  }

  @Test("--input-channels: the third and fourth of four, and one alone")
  func channels() throws {
    let shop = try Workshop()
    let four = Ramp.frames(0..<20_000, channels: 4)
    try shop.folder.write(bytes(of: four), to: "four.raw")
    let options = "--input-rate 8000 --input-channels"
    try shop.run(
      "splitcap -q -i four.raw \(options) 4 --channels 4,3 -l l.wav -r r.wav", expecting: 0)
    expectSame(try shop.wave("l.wav"), channel(3, of: 4, in: four))
    expectSame(try shop.wave("r.wav"), channel(2, of: 4, in: four))
    try shop.run("splitcap -q -i four.raw \(options) 1 -l all.wav", expecting: 0)
    expectSame(try shop.wave("all.wav"), four)
  }

  @Test(
    "S11: bytes that come one by one, in odd pieces, shift nothing", arguments: [1, 2, 3, 5, 7])
  func dribble(size: Int) throws {
    let shop = try Workshop()
    let frames = 700
    let file = Array(Workshop.wave.prefix(44 + 4 * frames))
    for (options, bytes) in [("", file), ("--input-rate 16000", Array(file[44...]))] {
      let program = try shop.start(
        "exec splitcap -q -i - \(options) -l l.wav -r r.wav", input: .held)
      for start in stride(from: 0, to: bytes.count, by: size) {
        try program.write(Array(bytes[start..<min(start + size, bytes.count)]))
        // Gives the reader a chance to see the pieces as they are.
        if start % 16 == 0 { pause(milliseconds: 1) }
      }
      program.closeInput()
      #expect(try program.wait().status == .exited(0))
      expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(frames)))
      expectSame(try shop.wave("r.wav"), Array(Workshop.right.prefix(frames)))
    }
  }

  @Test("S11: a length that is no whole number of frames: all whole ones, and a warning")
  func partialFrame() throws {
    let shop = try Workshop()
    let sound = Array(Workshop.wave[44..<(44 + 4_000)])
    for extra in 1...3 {
      let bytes = sound + [UInt8](repeating: 0x77, count: extra)
      let outcome = try shop.run(
        "splitcap -i - --input-rate 16000 -l l.wav -r r.wav", expecting: 0, input: .bytes(bytes))
      #expect(outcome.errors.contains("warning: standard input ends in the middle of a frame"))
      #expect(outcome.errors.contains("its last bytes, \(extra) of 4, were dropped"))
      expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(1_000)))
      expectSame(try shop.wave("r.wav"), Array(Workshop.right.prefix(1_000)))
    }
  }

  @Test("an input-program has nothing to read, and is gone when the recording has what it wants")
  func program() throws {
    let shop = try Workshop()
    let command = "echo $$ >id; wc -c >read; cat in.wav /dev/zero"
    try shop.run(
      "yes | splitcap -q -i 'exec:\(command)' --frames 100 -l l.wav", expecting: 0)
    #expect(try shop.text("read") == "0\n")
    expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(100)))
    let id = try shop.text("id").trimmingCharacters(in: .newlines)
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(id)"))
  }
}
