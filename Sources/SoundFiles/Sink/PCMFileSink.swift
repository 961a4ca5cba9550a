internal import SplitcapCore

/// Writes a file of plain samples that is valid at any moment, even if the process is killed.
///
/// The header is written first, for no samples, and again with each block: then at most the block
/// that was being written is not counted. Killed between the two calls that a block takes, a file
/// holds more than its header says, which is what readers mind least; see
/// ``PCMLayout/countsAhead`` for the one that differs.
///
/// With a sync interval the disk has the samples before it gets a header that counts them.
struct PCMFileSink: ~Copyable, Sink {
  /// Samples that are turned to the other byte order at a time.
  private static let swappedSamples = 32_768

  private var file: OutputFile
  private let layout: PCMLayout
  private let dataLimit: Int
  private let headerBytes: Int
  private var swapped: [UInt16] = []
  private var hasFailed = false

  /// Starts with the header, for no samples.
  ///
  /// - Parameters:
  ///   - file: Where; nothing may be in it.
  ///   - layout: What to write.
  ///   - dataLimit: The most bytes of samples that the file may hold, if not what its header can say.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  init(
    _ file: consuming OutputFile, _ layout: PCMLayout, dataLimit: Int? = nil
  ) throws(SplitcapError) {
    let header = layout.header(dataBytes: 0)
    try unsafe file.append(header.span.bytes, unit: 1)
    self.file = consume file
    self.layout = layout
    headerBytes = header.count
    self.dataLimit = min(dataLimit ?? .max, layout.container.maximumDataBytes ?? .max / 2)
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    do throws(SplitcapError) {
      try writeBlock(samples, firstFrame: firstFrame)
    } catch {
      hasFailed = true
      throw error
    }
    return .more
  }

  private mutating func writeBlock(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) {
    let room = dataLimit - dataBytes
    let fitting = min(samples.count * 2, room - room % layout.frameBytes)
    if layout.countsAhead && !file.syncsBeforeHeader { try writeHeader(dataBytes + fitting) }
    do throws(SplitcapError) {
      try append(samples.extracting(first: fitting / 2))
    } catch {
      // The disk is full, but the header's place is taken already.
      if file.syncsBeforeHeader { try? syncWithHeader() } else { try? writeHeader(dataBytes) }
      throw error
    }
    let isFull = fitting < samples.count * 2
    if file.syncsBeforeHeader {
      if isFull || file.isSyncDue { try syncWithHeader() }
    } else if !layout.countsAhead {
      try writeHeader(dataBytes)
    }
    if isFull { throw SplitcapError(fileIsFull: file.path) }
    file.look(
      frame: firstFrame + samples.count / layout.format.channelCount,
      bytesPerSecond: Double(layout.format.sampleRate * layout.frameBytes))
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    // After a failure the header is as true as it can be already.
    if !hasFailed {
      if file.syncsBeforeHeader { try syncWithHeader() } else { try writeHeader(dataBytes) }
      try file.settle()
    }
    return SinkReport(bytes: file.byteCount, frames: dataBytes / layout.frameBytes)
  }

  private var dataBytes: Int { file.byteCount - headerBytes }

  private mutating func append(_ samples: Span<Int16>) throws(SplitcapError) {
    guard layout.isBigEndian else {
      // Int16 has no padding.
      return try unsafe file.append(samples.bytes, unit: layout.frameBytes)
    }
    // Out of `self` while both it and the file are worked with.
    var swapped: [UInt16] = []
    swap(&swapped, &self.swapped)
    defer { swap(&swapped, &self.swapped) }
    let whole = Self.swappedSamples - Self.swappedSamples % layout.format.channelCount
    var start = 0
    while start < samples.count {
      let part = samples.extracting(start..<min(start + whole, samples.count))
      swapped.removeAll(keepingCapacity: true)
      for i in part.indices { swapped.append(UInt16(bitPattern: part[i]).byteSwapped) }
      try unsafe file.append(swapped.span.bytes, unit: layout.frameBytes)
      start += part.count
    }
  }

  /// Makes the disk have the samples, then a header that counts them.
  private mutating func syncWithHeader() throws(SplitcapError) {
    try file.sync()
    guard headerBytes > 0 else { return }
    try writeHeader(dataBytes)
    try file.sync()
  }

  private mutating func writeHeader(_ dataBytes: Int) throws(SplitcapError) {
    guard headerBytes > 0 else { return }
    let header = layout.header(dataBytes: dataBytes)
    try unsafe file.write(header.span.bytes, at: 0, unit: 1)
  }
}
