internal import SplitcapCore

/// Writes headerless signed 16-bit little-endian samples to a file.
struct RawFileSink: ~Copyable, Sink {
  private var file: OutputFile
  private let frameBytes: Int

  /// Makes the file at `path`, or empties it.
  init(path: String, format: StreamFormat, noClobber: Bool) throws(SplitcapError) {
    file = try OutputFile(creating: path, noClobber: noClobber)
    frameBytes = format.channelCount * MemoryLayout<Int16>.size
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    let bytes = unsafe samples.bytes  // Int16 has no padding
    try file.append(bytes, unit: frameBytes)
    return .more
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    try file.settle()
    return SinkReport(bytes: file.byteCount, frames: file.byteCount / frameBytes)
  }
}
