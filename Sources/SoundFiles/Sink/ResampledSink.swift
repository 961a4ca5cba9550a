internal import Resampling
internal import SplitcapCore

/// A sink that gets its samples at another rate than the recording has.
struct ResampledSink<Inner: Sink & ~Copyable>: ~Copyable, Sink {
  private var inner: Inner
  private var resampler: Resampler
  private var block: [Int16]
  private let note: String
  /// Where on the timeline stands what comes next.
  private var frame = 0
  private var isClosed = false

  /// Resamples what `inner` gets.
  ///
  /// - Parameters:
  ///   - inner: What gets the samples at the new rate.
  ///   - format: What this sink gets.
  ///   - rate: The new rate, in hertz.
  ///   - note: What the report says about it.
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat` if libsoxr refuses these rates.
  init(
    _ inner: consuming Inner, from format: StreamFormat, to rate: Int, note: String
  ) throws(SplitcapError) {
    resampler = try Resampler(
      channelCount: format.channelCount, from: format.sampleRate, to: rate)
    block = [Int16](repeating: 0, count: 4096 * format.channelCount)
    self.inner = inner
    self.note = note
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    // Out of `self` while both the resampler and the inner sink work with it.
    var block: [Int16] = []
    swap(&block, &self.block)
    defer { swap(&block, &self.block) }
    frame = firstFrame
    var rest = samples
    while !rest.isEmpty {
      var room = block.mutableSpan
      let (consumed, produced) = resampler.process(rest, into: &room)
      rest = rest.extracting(droppingFirst: consumed * resampler.channelCount)
      frame += consumed
      guard try pass(produced, of: block) == .more else { return .closed }
    }
    return .more
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    var block: [Int16] = []
    swap(&block, &self.block)
    while !isClosed {
      var room = block.mutableSpan
      let produced = resampler.drain(into: &room)
      if produced == 0 { break }
      _ = try pass(produced, of: block)
    }
    var report = try inner.finish()
    report.notes.append(note)
    return report
  }

  private mutating func pass(
    _ count: Int, of block: [Int16]
  ) throws(SplitcapError) -> WriteResult {
    guard count > 0 else { return .more }
    // Whatever ends the inner sink, nothing more is drained into it.
    isClosed = true
    let samples = block.span.extracting(first: count * resampler.channelCount)
    let result = try inner.write(samples, firstFrame: frame)
    isClosed = result == .closed
    return result
  }
}
