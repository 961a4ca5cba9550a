extension WaveRepair {
  /// Whether a WAV file can have such samples.
  ///
  /// Its samples stand lowest byte first, and those of 8 bits have no sign. `RIFX`, which has the
  /// highest byte first, is read as noise by common programs, so none is made.
  package static func canHold(_ format: SampleFormat) -> Bool {
    format != .s8 && !format.isBigEndian
  }

  /// Makes a plan to put a header before `byteCount` bytes that are nothing but sound.
  ///
  /// Their format must be one that a WAV file can hold.
  package init(headerless layout: WaveLayout, byteCount: Int) {
    precondition(Self.canHold(layout.sampleFormat), "WAV has no such samples")
    self.byteCount = byteCount
    problems = [.noHeader]
    format = layout.format
    sampleFormat = layout.sampleFormat
    soundBytes = byteCount
    let end = Ending(byteCount, frameBytes: layout.frameBytes, sampleFormat: layout.sampleFormat)
    if let problem = end.problem { problems.append(problem) }
    frames = end.byteCount / layout.frameBytes

    let whole = WaveLayout(
      format: layout.format, sampleFormat: layout.sampleFormat, dataBytes: end.byteCount)
    needsLargeSizes = whole.riffBytes > Self.largestSize
    edits = [Edit(range: 0..<0, bytes: whole.header(isLarge: needsLargeSizes))]
    let rest = end.fill + [UInt8](repeating: 0, count: end.byteCount % 2)
    if !rest.isEmpty { edits.append(Edit(range: byteCount..<byteCount, bytes: rest)) }
  }
}

extension SampleFormat {
  fileprivate var isBigEndian: Bool {
    switch self {
    case .s16be, .s24be, .s32be, .f32be, .f64be: true
    case .u8, .s8, .s16le, .s24le, .s32le, .f32le, .f64le: false
    }
  }
}
