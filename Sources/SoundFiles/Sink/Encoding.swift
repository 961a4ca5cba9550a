private import CSndFile
public import SplitcapCore

/// How libsndfile is to write a container.
struct Encoding: Sendable {
  /// libsndfile's number for the container with its codec.
  let format: Int
  /// Whether a file without a frame would have no header, since the first frame brings it.
  var headerNeedsFrames = false
  /// The most sound that the codec holds back until a page of it is written, in milliseconds; `nil`
  /// if the codec decides.
  var pageMilliseconds: Double?
  /// The quality of a codec that loses some, from 0 to 1.
  var quality: Double?
  /// The rates that the codec knows, ascending; `nil` if it knows all.
  var rates: [Int]?
  /// The codec's name for people.
  var codecName = ""

  /// The rate at which a stream of `rate` hertz is written.
  ///
  /// The same where the codec knows it, else the highest that it knows.
  func rate(for rate: Int) -> Int {
    guard let rates, !rates.contains(rate) else { return rate }
    return rates[rates.count - 1]
  }
}

extension Container {
  /// How libsndfile writes it; `nil` for plain samples, see ``PCMLayout``.
  ///
  /// AU has both: libsndfile writes it down pipes.
  var encoding: Encoding? {
    switch self {
    case .wav, .raw, .caf, .w64, .rf64, .aiff: return nil
    case .flac: return Encoding(format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, headerNeedsFrames: true)
    case .au: return Encoding(format: SF_FORMAT_AU | SF_FORMAT_PCM_16)
    case .ogg:
      // Quality 6 of 10: about 55 kbit/s for speech on one channel.
      return Encoding(format: SF_FORMAT_OGG | SF_FORMAT_VORBIS, quality: 0.6)
    case .opus:
      // About 70 kbit/s a channel, at which speech can't be told from the original. A page of a
      // fifth of a second costs less than 2 % of that, and is all that a killed file lacks.
      return Encoding(
        format: SF_FORMAT_OGG | SF_FORMAT_OPUS, pageMilliseconds: 200, quality: 0.25,
        rates: [8_000, 12_000, 16_000, 24_000, 48_000], codecName: "Opus")
    case .mp3:
      // LAME's V2.
      return Encoding(
        format: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, quality: 0.8,
        rates: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
        codecName: "MP3")
    }
  }

  /// Whether libsndfile can write it; whether it does so to a file, too, is up to ``PCMLayout``.
  package var hasEncoder: Bool { encoding != nil }

  /// Whether it can go down a pipe, so that no header has to be completed at its end.
  public var canStream: Bool {
    switch self {
    case .wav, .raw, .flac, .ogg, .opus, .au: true
    case .caf, .w64, .rf64, .aiff, .mp3: false
    }
  }

  /// The container that the extension of a path's last part names; `nil` if it names none.
  public init?(path: String) {
    guard let name = FilePath(path).fileExtension else { return nil }
    self.init(pathExtension: name)
  }
}
