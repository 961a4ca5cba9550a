import Lab
import SplitcapCore

extension FuzzTarget {
  /// The header parser: every header is read the same at any cut, and what is read makes sense.
  static let waveHeader = FuzzTarget(
    "wave-header", seeds: WaveSeeds.streams, words: WaveSeeds.words
  ) { bytes in
    let whole = ParsedHeader(bytes)
    for step in [1, 3, 13] where step < bytes.count {
      let pieces = ParsedHeader(bytes, step: step)
      try promise(pieces == whole, "in pieces of \(step): \(pieces), in one: \(whole)")
    }
    switch whole.outcome {
    case .incomplete:
      try promise(whole.consumed == bytes.count, "\(whole.consumed) bytes are used, not all")
    case .notWave:
      try promise(whole.prefix == Array(bytes.prefix(whole.consumed)), "the prefix is no prefix")
    case .refused(let reason):
      try promise(isPlain(reason) && !reason.isEmpty, "the reason is '\(reason)'")
    case .complete(let layout):
      try checkLayout(layout)
    }
  }

  private static func checkLayout(_ layout: WaveLayout) throws {
    let format = layout.format
    try promise(1...1024 ~= format.channelCount, "\(format.channelCount) channels")
    try promise(1...10_000_000 ~= format.sampleRate, "\(format.sampleRate) Hz")
    try promise(layout.dataBytes ?? 1 > 0, "\(layout.dataBytes ?? 0) bytes of sound")
    // A header of our own, with and without the length, is read as what it was made from.
    let lengths = [layout.dataBytes.map { min($0, 0x7000_0000) }, nil]
    for length in lengths {
      let header = ParsedHeader(WaveHeader(format: format, dataBytes: length).bytes)
      let expected = WaveLayout(format: format, sampleFormat: .s16le, dataBytes: length)
      try promise(header.outcome == .complete(expected), "\(expected) comes back as \(header)")
    }
  }
}

/// What the parser makes of the start of a stream.
struct ParsedHeader: Equatable {
  let outcome: WaveHeaderParser.Outcome
  let isWave: Bool
  let prefix: [UInt8]
  /// Bytes before the first byte of sound.
  let consumed: Int

  init(_ bytes: [UInt8], step: Int = .max) {
    var parser = WaveHeaderParser()
    var consumed = 0
    while consumed < bytes.count && parser.outcome == .incomplete {
      let part = Array(bytes[consumed...].prefix(step))
      consumed += unsafe parser.feed(part.span.bytes)
    }
    outcome = parser.outcome
    isWave = parser.isWave
    prefix = parser.prefix
    self.consumed = consumed
  }
}
