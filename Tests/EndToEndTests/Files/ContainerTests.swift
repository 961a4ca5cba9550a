import Foundation
import Lab
import SplitcapCore
import Testing

@Suite("Files that are split into containers")
struct ContainerTests {
  /// Who reads a container of ours, and not by our code.
  private static let readers: [(Container, [Reader])] = [
    (.wav, [.python, .sox, .ffmpeg]), (.flac, [.flac, .sox, .ffmpeg]), (.caf, [.sox, .ffmpeg]),
    (.w64, [.sox, .ffmpeg]), (.aiff, [.sox, .ffmpeg]), (.au, [.sox, .ffmpeg]), (.rf64, [.ffmpeg]),
  ]

  @Test("every lossless one has each ear, and both, sample by sample, in one run")
  func lossless() throws {
    let shop = try Workshop()
    var command = "splitcap -i in.wav"
    let names = Self.readers.map(\.0.rawValue) + ["raw", "pcm", "s16"]
    for name in names { command += " -l l.\(name) -r r.\(name) --stereo b.\(name)" }
    try shop.run(command, expecting: 0)

    for (container, readers) in Self.readers {
      for reader in readers {
        for (feed, wanted) in [("l", Workshop.left), ("r", Workshop.right), ("b", Workshop.stereo)]
        where feed == "b" || reader == readers[0] {
          let name = "\(feed).\(container)"
          let file = try reader.read(shop.folder(name), copy: shop.folder("copy.wav"))
          #expect(file.rate == Workshop.rate && file.channels == (feed == "b" ? 2 : 1))
          expectSame(file.samples, wanted, "\(name) by \(reader)")
        }
      }
    }
    for name in ["raw", "pcm", "s16"] {
      expectSame(try shop.raw("l.\(name)"), Workshop.left, name)
      expectSame(try shop.raw("r.\(name)"), Workshop.right, name)
      expectSame(try shop.raw("b.\(name)"), Workshop.stereo, name)
    }
    // What it read is what it was.
    #expect(try shop.folder.bytes(of: "in.wav") == Workshop.wave)
  }

  @Test("an ear may go to several files at once, and a file is closed with the length it has")
  func several() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -i in.wav -l 1.wav -l 2.wav -l 3.flac -l 4.raw -l 5.wav", expecting: 0)
    for name in ["1.wav", "2.wav", "5.wav"] { expectSame(try shop.wave(name), Workshop.left, name) }
    expectSame(try shop.raw("4.raw"), Workshop.left)
    #expect(outcome.errors.contains("1.wav: left, \(Workshop.frames) frames, 300046 bytes"))
    // The right ear was not asked for.
    #expect(
      try shop.folder.contents() == ["1.wav", "2.wav", "3.flac", "4.raw", "5.wav", "in.wav"])
  }

  @Test("upper and lower case, and the other spellings of an extension, mean the same")
  func extensions() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -i in.wav -l L.WAV -l l.Flac -l l.AIF -l l.oga -l l.PCM -l l.S16", expecting: 0)
    expectSame(try shop.wave("L.WAV"), Workshop.left)
    expectSame(try shop.raw("l.PCM"), Workshop.left)
    expectSame(try shop.raw("l.S16"), Workshop.left)
    for (name, start) in [("l.Flac", "fLaC"), ("l.AIF", "FORM"), ("l.oga", "OggS")] {
      #expect(try shop.folder.bytes(of: name).starts(with: start.utf8), "\(name)")
    }
  }

  @Test("S1: a name that ends in .wav is a WAV file, and one that ends in nothing is asked about")
  func extensionDecides() throws {
    let shop = try Workshop()
    try shop.expectRefusal(
      2, "'ear' has no extension", hint: "ear.wav", of: "splitcap -i in.wav -l ear")
    try shop.run("splitcap -i in.wav -l a.raw.wav -l a.wav.raw", expecting: 0)
    expectSame(try shop.wave("a.raw.wav"), Workshop.left)
    expectSame(try shop.raw("a.wav.raw"), Workshop.left)
  }

  @Test("W19: the header's arithmetic is right at every rate, for one ear and both")
  func headerArithmetic() throws {
    let shop = try Workshop()
    let frames = Ramp.stereo(frames: 0..<500)
    try shop.folder.write(bytes(of: frames), to: "in.raw")
    for rate in [1, 8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 384_000] {
      try shop.run(
        "splitcap -q -i in.raw --input-rate \(rate) -l l.wav --stereo b.wav", expecting: 0)
      for (name, channels) in [("l.wav", 1), ("b.wav", 2)] {
        let file = try WaveFile(shop.folder.bytes(of: name))
        #expect(file.rate == rate && file.channels == channels)
        #expect(file.samples.count == 500 * channels)
      }
    }
  }

  @Test(
    "a source without a frame gives files without a frame, valid ones",
    arguments: Container.allCases)
  func empty(container: Container) throws {
    let shop = try Workshop()
    try shop.folder.write(WaveBytes.pcm([]), to: "empty.wav")
    let name = "l.\(container)"
    try shop.run("splitcap -i empty.wav -l \(name) -r r.wav", expecting: 0)
    #expect(try shop.wave("r.wav") == [])
    let bytes = try shop.folder.bytes(of: name)
    switch container {
    // An MP3 file is frames, and nothing else.
    case .raw, .mp3: #expect(bytes == [])
    // Only opusinfo and its like take it for what it is.
    case .opus: #expect(bytes.starts(with: "OggS".utf8) && bytes.count < 2_000)
    default:
      // Each of them takes some files without sound for broken ones.
      let reader = container == .w64 || container == .ogg ? Reader.sox : .ffmpeg
      let file = try reader.read(shop.folder(name), copy: shop.folder("copy.wav"))
      #expect(file.samples == [] && file.rate == Workshop.rate)
    }
  }
}
