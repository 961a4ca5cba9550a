internal import SplitcapCore

extension Container {
  /// What of a file is no sample, at most, in bytes.
  private func overhead(of bytes: Int) -> Int {
    switch self {
    case .raw: 0
    case .wav: WaveHeader.byteCount
    // Headers are padded to 4 KiB at most; FLAC adds less than 0.2 % to what it can't make smaller.
    default: 8_192 + bytes / 256
    }
  }

  /// Frames of `feed` that a file may hold, if the user allows `maximumBytes`; `nil` if there is no
  /// limit.
  ///
  /// Samples are counted as they are before compression: nobody knows beforehand what it makes of them.
  func fileFrames(of feed: Feed, maximumBytes: Int?) -> Int? {
    let asked = maximumBytes.map { $0 - overhead(of: $0) }
    guard let bytes = [maximumDataBytes, asked].compactMap(\.self).min() else { return nil }
    return max(1, bytes / (feed.channelCount * MemoryLayout<Int16>.size))
  }
}
