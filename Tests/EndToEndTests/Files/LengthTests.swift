import Lab
import Testing

@Suite("Length and rate of a recorded file")
struct LengthTests {
  @Test("S8: --frames and --duration are exact, in both ears and every container")
  func exact() throws {
    let shop = try Workshop()
    for (limit, frames) in [
      ("--frames 1", 1), ("--frames 65536", 65_536), ("--frames 65537", 65_537),
      ("--frames 150001", 150_001), ("--duration 250ms", 4_000), ("--duration 1.5s", 24_000),
      ("--duration 7", 112_000), ("--duration 0.1ms", 2),
    ] {
      try shop.run(
        "splitcap -q -i in.wav \(limit) -l l.wav -r r.raw --stereo b.flac", expecting: 0)
      expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(frames)), limit)
      expectSame(try shop.raw("r.raw"), Array(Workshop.right.prefix(frames)), limit)
      let both = try Reader.flac.read(shop.folder("b.flac"), copy: shop.folder("copy.wav"))
      expectSame(both.samples, Array(Workshop.stereo.prefix(2 * frames)), limit)
    }
  }

  @Test("a limit beyond the end of the file is no fault")
  func beyond() throws {
    let shop = try Workshop()
    let outcome = try shop.run("splitcap -i in.wav --duration 1h -l l.wav", expecting: 0)
    expectSame(try shop.wave("l.wav"), Workshop.left)
    #expect(outcome.errors.contains("\(Workshop.frames) frames, 9.375 s at 16000 Hz, no gaps"))
  }

  @Test("what was asked for is enough: a producer that has more to say is let go")
  func producerGoesOn() throws {
    let shop = try Workshop()
    try shop.run("cat in.wav /dev/zero | splitcap -q -i - --frames 10 -l l.wav", expecting: 0)
    expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(10)))
  }

  @Test("--resample: the right rate, length and pitch in each ear; frames count at the new rate")
  func resampled() throws {
    let shop = try Workshop()
    for (rate, limit, frames) in [
      (8_000, "", 4_000), (48_000, "", 24_000), (11_025, "--frames 5000", 5_000),
    ] {
      // Half a second of 440 and 660 Hz at 44.1 kHz.
      let outcome = try shop.run(
        "splitcap -v -i $audio/tones-44100.flac --resample \(rate) \(limit) -l l.wav -r r.wav",
        expecting: 0)
      #expect(outcome.errors.contains("resampled 44100 to \(rate)"))
      for (name, own, other) in [("l.wav", 440.0, 660.0), ("r.wav", 660.0, 440.0)] {
        let file = try WaveFile(shop.folder.bytes(of: name))
        #expect(file.rate == rate && file.samples.count == frames, "\(file.samples.count)")
        #expect(Tone(hertz: own, rate: rate).level(in: file.samples) > 10_000)
        #expect(Tone(hertz: other, rate: rate).level(in: file.samples) < 500)
      }
    }
  }

  @Test("--resample to the rate that it has, and never, change nothing and say nothing")
  func notResampled() throws {
    let shop = try Workshop()
    for option in ["--resample 16000", "--resample never"] {
      let outcome = try shop.run("splitcap -v -i in.wav \(option) -l l.wav", expecting: 0)
      expectSame(try shop.wave("l.wav"), Workshop.left, option)
      #expect(!outcome.errors.contains("resampled"))
    }
  }

  @Test("the rate of a file is kept, whatever it is, since only devices have a list of rates")
  func ownRate() throws {
    let shop = try Workshop()
    for rate in [8_000, 12_345, 96_000] {
      try shop.folder.write(
        WaveBytes.pcm(Array(Workshop.stereo.prefix(2_000)), rate: rate), to: "x.wav")
      try shop.run("splitcap -q -i x.wav -l l.wav -r r.flac", expecting: 0)
      #expect(try WaveFile(shop.folder.bytes(of: "l.wav")).rate == rate)
      expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(1_000)))
    }
  }
}
