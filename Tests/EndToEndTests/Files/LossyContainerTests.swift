import Foundation
import Lab
import SplitcapCore
import Testing

@Suite("Files that are split into containers that lose some")
struct LossyContainerTests {
  private static let seconds = 1

  /// A WAV file with a tone an ear: 440 Hz left, 700 Hz right.
  private func tones(rate: Int) -> [UInt8] {
    var samples: [Int16] = []
    samples.reserveCapacity(2 * Self.seconds * rate)
    for frame in 0..<Self.seconds * rate {
      let angle = 2 * Double.pi * Double(frame) / Double(rate)
      samples.append(Int16(10_000 * sin(440 * angle)))
      samples.append(Int16(10_000 * sin(700 * angle)))
    }
    return WaveBytes.pcm(samples, rate: rate)
  }

  @Test(
    "have the length, the rate, the channels, and each ear's tone in its own place",
    arguments: [Container.ogg, .opus, .mp3], [16_000, 44_100])
  func tones(container: Container, rate: Int) throws {
    let shop = try Workshop()
    try shop.folder.write(tones(rate: rate), to: "tones.wav")
    let outcome = try shop.run(
      "splitcap -i tones.wav -l l.\(container) -r r.\(container) --stereo b.\(container)",
      expecting: 0)
    // Opus knows few rates, and that is said for each file.
    let isResampled = container == .opus && rate == 44_100
    let note = "resampled 44100 to 48000: Opus has no such rate"
    #expect(outcome.errors.components(separatedBy: note).count == (isResampled ? 4 : 1))

    for (name, channels, tones) in [("l", 1, [440]), ("r", 1, [700]), ("b", 2, [440, 700])] {
      // ffmpeg does not cut the end of the last block of Vorbis off.
      let reader = container == .ogg ? Reader.sox : .ffmpeg
      let file = try reader.read(
        shop.folder("\(name).\(container)"), copy: shop.folder("copy.wav"))
      // ffmpeg decodes all Opus at 48 kHz.
      #expect(file.rate == (container == .opus ? 48_000 : rate) && file.channels == channels)
      let frames = file.samples.count / channels
      // An MP3 file is whole frames of 576 samples or more, with silence around the sound.
      let slack = container == .mp3 ? 4 * 1_152 : 0
      #expect((0...slack).contains(frames - Self.seconds * file.rate), "\(frames)")
      for (index, own) in tones.enumerated() {
        let ear = channel(index, of: channels, in: file.samples)
        for tone in [440, 700] {
          let level = Tone(hertz: Double(tone), rate: file.rate).level(in: ear)
          #expect(tone == own ? level > 9_000 : level < 200, "\(name) \(tone) Hz: \(level)")
        }
      }
    }
  }
}

/// How strong one frequency is.
struct Tone {
  let hertz: Double
  let rate: Int

  /// The peak of the sine of that frequency in `samples`; the Goertzel algorithm.
  func level(in samples: [Int16]) -> Double {
    let step = 2 * cos(2 * Double.pi * hertz / Double(rate))
    var (last, beforeLast) = (0.0, 0.0)
    for sample in samples { (last, beforeLast) = (Double(sample) + step * last - beforeLast, last) }
    let power = last * last + beforeLast * beforeLast - step * last * beforeLast
    return 2 * power.squareRoot() / Double(samples.count)
  }
}
