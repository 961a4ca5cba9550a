import Lab
import SplitcapCore
import Testing

@Suite("Files as inputs")
struct InputFileTests {
  /// A recording of TestAudio, and how far its samples may be from what another reader makes of them.
  private struct Recording: Sendable, CustomTestStringConvertible {
    let name: String
    let rate: Int
    /// Not 0 where a wider format is rounded, or a codec decodes.
    let slack: Int
    var testDescription: String { name }
  }

  private static let recordings = [
    Recording(name: "two-talkers.wav", rate: 16_000, slack: 0),
    Recording(name: "tones-44100.flac", rate: 44_100, slack: 0),
    Recording(name: "tones-8bit.wav", rate: 11_025, slack: 0),
    Recording(name: "tones.aiff", rate: 16_000, slack: 0),
    Recording(name: "tones-24bit.wav", rate: 22_050, slack: 1),
    Recording(name: "tones-float.wav", rate: 16_000, slack: 1),
    Recording(name: "tones.ogg", rate: 16_000, slack: 2),
  ]

  @Test("each test recording is split at its own rate, every sample where it belongs")
  func testAudio() throws {
    let shop = try Workshop()
    for recording in Self.recordings {
      try shop.run(
        "splitcap -q -i $audio/\(recording.name) -l l.wav -r r.wav --stereo b.wav", expecting: 0)
      let both = try WaveFile(shop.folder.bytes(of: "b.wav"))
      // ffmpeg does not cut the end of the last block of Vorbis off.
      let reader = recording.name.hasSuffix("ogg") ? Reader.sox : .ffmpeg
      let other = try reader.read(
        "\(Workshop.testAudio)/\(recording.name)", copy: shop.folder("copy.wav"))
      #expect(both.rate == recording.rate && both.channels == 2)
      #expect(both.samples.count == other.samples.count, "\(recording.name)")
      let farthest = zip(both.samples, other.samples).map { abs(Int($0) - Int($1)) }.max()
      #expect(farthest ?? .max <= recording.slack, "\(recording.name)")
      expectSame(try shop.wave("l.wav"), channel(0, of: 2, in: both.samples), recording.name)
      expectSame(try shop.wave("r.wav"), channel(1, of: 2, in: both.samples), recording.name)
      #expect(Set(both.samples).count > 100)
    }
  }

  @Test("W21: what is lost of wider samples is said with -v, and only then")
  func precision() throws {
    let shop = try Workshop()
    for (name, note) in [
      ("tones-24bit.wav", "samples are rounded from s24le to 16 bits"),
      ("tones-float.wav", "samples are rounded from f32le to 16 bits"),
    ] {
      let verbose = try shop.run("splitcap -v -i $audio/\(name) -l l.wav", expecting: 0)
      #expect(verbose.errors.contains(note))
      let plain = try shop.run("splitcap -i $audio/\(name) -l l.wav", expecting: 0)
      #expect(!plain.errors.contains(note))
    }
    let exact = try shop.run("splitcap -v -i $audio/tones-8bit.wav -l l.wav", expecting: 0)
    #expect(!exact.errors.contains("16 bits"))
  }

  @Test("W16: the extensible format is read where it holds PCM, and is never written")
  func extensible() throws {
    let shop = try Workshop()
    var wave = WaveBytes()
    wave.appendExtensibleFormat(subformat: [1, 0])
    wave.append(chunk: "data", bytes(of: Ramp.stereo(frames: 0..<5_000)))
    try shop.folder.write(wave.bytes, to: "ext.wav")
    for input in ["-i ext.wav", "-i - <ext.wav"] {
      try shop.run("splitcap \(input) --stereo b.wav", expecting: 0)
      expectSame(try shop.wave("b.wav"), Array(Workshop.stereo.prefix(10_000)), input)
    }
  }

  @Test("W16: other formats in a WAV stream are named and refused; in a file libsndfile may know")
  func otherCodecs() throws {
    let shop = try Workshop()
    var wave = WaveBytes()
    wave.appendFormat(codec: 0x55, bits: 0)
    wave.append(chunk: "data", [UInt8](repeating: 0x55, count: 4_000))
    try shop.folder.write(wave.bytes, to: "mp3-in.wav")
    try shop.expectRefusal(
      3, "standard input has MP3 samples", hint: "ffmpeg",
      of: "splitcap -i - -l l.wav <mp3-in.wav")
    try shop.expectRefusal(
      3, "cannot read 'mp3-in.wav'", hint: "ffmpeg", of: "splitcap -i mp3-in.wav -l l.wav")

    try shop.run("sox -V1 -D in.wav -e ms-adpcm adpcm.wav", expecting: 0)
    try shop.run("splitcap -q -i adpcm.wav -l l.wav -r r.wav", expecting: 0)
    let other = try Reader.sox.read(shop.folder("adpcm.wav"), copy: shop.folder("copy.wav"))
    expectSame(try shop.wave("l.wav"), channel(0, of: 2, in: other.samples))
  }

  @Test("W17: chunks before and behind the sound are read over")
  func chunks() throws {
    let shop = try Workshop()
    var wave = WaveBytes()
    wave.append(chunk: "JUNK", [UInt8](repeating: 0x11, count: 28))
    wave.append(chunk: "bext", [UInt8](repeating: 0x22, count: 603))
    wave.appendFormat()
    wave.append(chunk: "fact", [0, 0, 0, 0])
    wave.append(chunk: "LIST", [UInt8](repeating: 0x33, count: 70_001))
    wave.append(chunk: "data", bytes(of: Workshop.stereo))
    wave.append(chunk: "LIST", [UInt8](repeating: 0x44, count: 500_000))
    try shop.folder.write(wave.bytes, to: "chunks.wav")
    for input in ["splitcap -i chunks.wav", "set -o pipefail; cat chunks.wav | splitcap -i -"] {
      // With pipefail a producer that was killed by a closed pipe would show.
      let outcome = try shop.run("\(input) -l l.wav -r r.wav", expecting: 0)
      expectSame(try shop.wave("l.wav"), Workshop.left, input)
      expectSame(try shop.wave("r.wav"), Workshop.right, input)
      #expect(!outcome.errors.contains("warning"))
    }
  }

  @Test("W13, W19: headers that lie about size, byte rate and block align are not believed")
  func lies() throws {
    let shop = try Workshop()
    for size: UInt32 in [0, .max, .max - 36, 0x7FFF_FFFF, 0x8000_0000, 0x7FFF_F000] {
      try shop.folder.write(WaveBytes.pcm(Workshop.stereo, dataSize: size), to: "lie.wav")
      for input in ["-i lie.wav", "-i - <lie.wav"] {
        let outcome = try shop.run("splitcap \(input) -l l.wav", expecting: 0)
        expectSame(try shop.wave("l.wav"), Workshop.left, "\(input) \(size)")
        #expect(!outcome.errors.contains("warning"), "\(outcome.errors)")
      }
    }
    var wave = WaveBytes()
    wave.appendFormat(channels: 1, blockAlign: 77)
    wave.bytes.replaceSubrange(28..<32, with: [9, 9, 9, 9])
    wave.append(chunk: "data", bytes(of: Workshop.left))
    try shop.folder.write(wave.bytes, to: "mono.wav")
    try shop.run("splitcap -q -i mono.wav -r r.wav", expecting: 0)
    expectSame(try shop.wave("r.wav"), Workshop.left)
  }

  @Test("a file that is shorter than its header says is recorded, and what is missing is said")
  func cutOff() throws {
    let shop = try Workshop()
    let outcome = try shop.run("head -c 200044 in.wav >cut.wav; splitcap -i cut.wav -l l.wav")
    expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(50_000)))
    #expect(outcome.errors.contains("'cut.wav' ends 100001 frames before the length in its header"))
    #expect(outcome.status == .exited(0))

    try shop.run(
      "splitcap -q -i in.wav --stereo b.flac && head -c 20000 b.flac >cut.flac", expecting: 0)
    let flac = try shop.run("splitcap -i cut.flac -l l.wav")
    #expect(flac.status == .exited(4) && flac.errors.contains("'cut.flac' breaks off after"))
    let part = try shop.wave("l.wav")
    #expect(part.count > 1_000)
    expectSame(part, Array(Workshop.left.prefix(part.count)))
  }
}
