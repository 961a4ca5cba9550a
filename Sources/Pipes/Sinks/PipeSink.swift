internal import SplitcapCore

/// Writes samples down a pipe, a socket, to a device: to whatever has no names and no way back.
struct PipeSink: ~Copyable, Sink {
  private var writer: PipeWriter?
  private let format: PipeFormat
  private let stream: StreamFormat

  /// Starts with a header if `format` has one.
  init(
    _ writer: consuming PipeWriter, as format: PipeFormat, _ context: SinkContext
  ) throws(SplitcapError) {
    var writer = writer
    try writer.writeHeader(of: format, context.format)
    self.writer = consume writer
    self.format = format
    stream = context.format
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    try unsafe writer?.write(samples.bytes) ?? .closed
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    let report = writer?.report(of: format, stream) ?? SinkReport(bytes: 0)
    try writer.take()?.close()
    return report
  }
}

extension PipeWriter {
  /// What was written after a header for `format`, of samples in `stream`.
  func report(of format: PipeFormat, _ stream: StreamFormat) -> SinkReport {
    let header = format == .wav ? WaveHeader.byteCount : 0
    let frameBytes = stream.channelCount * MemoryLayout<Int16>.size
    return SinkReport(
      bytes: bytes, frames: unreadBytes.map { max(0, bytes - header - $0) / frameBytes })
  }

  /// Writes what comes before the samples.
  ///
  /// A reader that has left is noticed at the next write, too.
  mutating func writeHeader(
    of format: PipeFormat, _ stream: StreamFormat
  ) throws(SplitcapError) {
    guard format == .wav else { return }
    _ = try unsafe write(WaveHeader(format: stream, dataBytes: nil).bytes.span.bytes)
  }
}
