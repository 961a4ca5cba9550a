internal import SplitcapCore

/// Writes a WAV file that is valid at any moment, even if the process is killed.
///
/// The header is written first, for no samples, and again after the samples that it counts: then a
/// reader finds at most samples that the header does not know of yet. See ``headerInterval``.
struct WaveFileSink: ~Copyable, Sink {
  /// How far the header may lag behind the samples, in nanoseconds of CLOCK_MONOTONIC.
  ///
  /// Shorter than the pace at which a live recording writes, so that it costs sound only once.
  static let headerInterval: Int64 = 100_000_000

  /// The most bytes of samples that a header can say.
  static let maximumDataBytes = Int(UInt32.max) - (WaveHeader.byteCount - 8)

  private var file: OutputFile
  private let format: StreamFormat
  private let frameBytes: Int
  private let dataLimit: Int
  /// When the header was last made true; the first samples are counted at once.
  private var headerTime: Int64 = 0

  /// Makes the file at `path`, or empties it.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - format: What to write.
  ///   - noClobber: Whether to fail if the file exists.
  ///   - dataLimit: The most bytes of samples that the file may hold.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  init(
    path: String, format: StreamFormat, noClobber: Bool, dataLimit: Int = maximumDataBytes
  ) throws(SplitcapError) {
    var file = try OutputFile(creating: path, noClobber: noClobber)
    let header = WaveHeader(format: format, dataBytes: 0).bytes
    try unsafe file.append(header.span.bytes, unit: 1)
    self.file = consume file
    self.format = format
    self.frameBytes = format.channelCount * MemoryLayout<Int16>.size
    self.dataLimit = dataLimit
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    let bytes = unsafe samples.bytes  // Int16 has no padding
    let room = dataLimit - dataBytes
    let fitting = min(bytes.byteCount, room - room % frameBytes)
    do throws(SplitcapError) {
      try file.append(bytes.extracting(first: fitting), unit: frameBytes)
    } catch {
      // The disk is full, but the header's place is taken already.
      try writeHeader()
      throw error
    }
    let isFull = fitting < bytes.byteCount
    let now = SystemClock.monotonic
    if isFull || now - headerTime >= Self.headerInterval {
      headerTime = now
      try writeHeader()
    }
    if isFull { throw SplitcapError(fileIsFull: file.path) }
    return .more
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    try writeHeader()
    try file.settle()
    return SinkReport(bytes: file.byteCount, frames: dataBytes / frameBytes)
  }

  private var dataBytes: Int { file.byteCount - WaveHeader.byteCount }

  private func writeHeader() throws(SplitcapError) {
    let header = WaveHeader(format: format, dataBytes: dataBytes).bytes
    try unsafe file.overwriteStart(header.span.bytes)
  }
}
