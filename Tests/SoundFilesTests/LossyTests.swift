import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

@Suite("Files that lose some")
struct LossyTests {
  /// A sine on each channel, 440 Hz and 700 Hz.
  private func sines(rate: Int, seconds: Int, channelCount: Int) -> [Int16] {
    var second: [Int16] = []
    second.reserveCapacity(rate * channelCount)
    for frame in 0..<rate {
      let angle = 2 * Double.pi * Double(frame) / Double(rate)
      second.append(Int16(10_000 * sin(440 * angle)))
      if channelCount == 2 { second.append(Int16(10_000 * sin(700 * angle))) }
    }
    return Array(repeatElement(second, count: seconds).joined())
  }

  /// How strong `hertz` is in one channel of `samples`, as the peak of a sine.
  ///
  /// The Goertzel algorithm.
  private func level(
    of hertz: Double, in samples: [Int16], channel: Int, channelCount: Int, rate: Int
  ) -> Double {
    let step = 2 * cos(2 * Double.pi * hertz / Double(rate))
    var (last, beforeLast) = (0.0, 0.0)
    var place = channel
    while place < samples.count {
      (last, beforeLast) = (Double(samples[place]) + step * last - beforeLast, last)
      place += channelCount
    }
    let power = last * last + beforeLast * beforeLast - step * last * beforeLast
    return 2 * power.squareRoot() / Double(samples.count / channelCount)
  }

  @Test(
    "hold each ear's sound at its level, and nothing of the other's",
    arguments: [Container.ogg, .opus, .mp3], [8_000, 48_000] + StreamFormat.preferredRates)
  func sound(container: Container, rate: Int) throws {
    let folder = try TemporaryFolder()
    for channelCount in [1, 2] {
      let path = folder("ear.\(container.rawValue)")
      let written = sines(rate: rate, seconds: 2, channelCount: channelCount)
      try record(written, to: path, rate: rate, channelCount: channelCount)
      var info: SourceInfo?
      let got = try read(path, info: &info)
      let format = try #require(info?.format)
      #expect(format.channelCount == channelCount)
      #expect(got.count == 2 * format.sampleRate * channelCount)

      for channel in 0..<channelCount {
        for (other, hertz) in [440.0, 700.0].enumerated() {
          let level = level(
            of: hertz, in: got, channel: channel, channelCount: channelCount,
            rate: format.sampleRate)
          #expect(other == channel ? 9_500..<10_500 ~= level : level < 150)
        }
      }
    }
  }

  @Test(
    "are resampled where the codec does not know the rate, and say so",
    arguments: [
      (Container.opus, 44_100, 48_000, "resampled 44100 to 48000: Opus has no such rate"),
      (.opus, 11_025, 48_000, "resampled 11025 to 48000: Opus has no such rate"),
      (.mp3, 96_000, 48_000, "resampled 96000 to 48000: MP3 has no such rate"),
    ])
  func resampled(container: Container, rate: Int, written: Int, note: String) throws {
    let folder = try TemporaryFolder()
    let path = folder("ear.\(container.rawValue)")
    let report = try record(
      sines(rate: rate, seconds: 1, channelCount: 1), to: path, rate: rate, channelCount: 1)
    #expect(report.notes == [note])
    var info: SourceInfo?
    let got = try read(path, info: &info)
    #expect(info?.format.sampleRate == written && got.count == written)
  }

  @Test("keep a known rate without a word", arguments: [8_000, 12_000, 16_000, 24_000, 48_000])
  func keepsRate(rate: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder("ear.opus")
    let report = try record(
      sines(rate: rate, seconds: 1, channelCount: 1), to: path, rate: rate, channelCount: 1)
    #expect(report.notes == [])
    var info: SourceInfo?
    _ = try read(path, info: &info)
    #expect(info?.format.sampleRate == rate)
  }

  @Test("are read by other programs too", arguments: [Container.ogg, .opus, .mp3])
  func others(container: Container) throws {
    let folder = try TemporaryFolder()
    let path = folder("ear.\(container.rawValue)")
    try record(
      sines(rate: 48_000, seconds: 2, channelCount: 2), to: path, rate: 48_000, channelCount: 2)
    let got = try samplesByFFmpeg(path)
    #expect(
      9_500..<10_500 ~= level(of: 700, in: got, channel: 1, channelCount: 2, rate: 48_000))
  }
}
