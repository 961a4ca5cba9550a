/// A sink that goes on in a new file at each cut.
///
/// A file is opened when there is a frame for it, so that no recording ends with an empty one.
struct SegmentedSink: ~Copyable, Sink {
  private let request: SinkRequest
  private let number: Int
  private let book: SegmentBook
  /// What the file that is open was told, or what the next one will be.
  private var context: SinkContext
  private var file: (any Sink & ~Copyable)?
  /// Frames in the file that is open.
  private var frames = 0
  private var hasFailed = false
  /// What all files before hold.
  private var total: SinkReport?

  /// Opens the first file.
  ///
  /// - Parameters:
  ///   - request: Opens a file.
  ///   - number: Tells the sinks of a recording apart.
  ///   - book: Where files that are done are entered.
  ///   - context: What the first file is told.
  /// - Throws: What `request` throws.
  private init(
    _ request: SinkRequest, number: Int, book: SegmentBook, context: SinkContext
  ) throws(SplitcapError) {
    do throws(SplitcapError) {
      file = try request.open(context)
    } catch {
      book.leave(number)
      throw error
    }
    self.request = request
    self.number = number
    self.book = book
    self.context = context
  }

  /// The request for a sink that goes on in a new file of `request` at each cut.
  static func request(_ request: SinkRequest, number: Int, book: SegmentBook) -> SinkRequest {
    var segmented = request
    segmented.open = { context throws(SplitcapError) in
      try SegmentedSink(request, number: number, book: book, context: context)
    }
    return segmented
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    hasFailed = true  // until it has not
    if file == nil { file = try request.open(context) }
    let result = try file!.write(samples, firstFrame: firstFrame)
    hasFailed = false
    frames += samples.count / context.format.channelCount
    return result
  }

  mutating func cut(_ next: SegmentStart) throws(SplitcapError) {
    if next.index != context.segmentIndex { book.enter(try finishFile(), of: number) }
    context = context.next(next)
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    // The end of a file that failed has nothing to enter; it was closed as well as it could be.
    defer { book.leave(number) }
    if hasFailed {
      if var file = file.take() { add(try file.finish()) }
    } else if let done = try finishFile() {
      book.enter(done, of: number)
    }
    return total ?? SinkReport(bytes: 0, frames: 0)
  }

  private mutating func finishFile() throws(SplitcapError) -> SegmentFile? {
    guard var file = file.take() else { return nil }
    hasFailed = true
    let report = try file.finish()
    hasFailed = false
    defer { frames = 0 }
    add(report)
    return SegmentFile(
      feed: request.feed, name: request.name, path: report.path ?? request.name,
      firstFrame: context.firstFrame, frames: report.frames ?? frames, bytes: report.bytes)
  }

  private mutating func add(_ report: SinkReport) {
    guard var total else { return total = report }
    total.add(report)
    self.total = total
  }
}

extension SinkReport {
  /// Adds what a further file of the same sink holds.
  fileprivate mutating func add(_ next: SinkReport) {
    bytes += next.bytes
    frames = frames.flatMap { frames in next.frames.map { frames + $0 } }
    fileCount += next.fileCount
    path = next.path
    notes += next.notes.filter { !notes.contains($0) }
  }
}

extension SinkContext {
  /// The same for the next file.
  fileprivate func next(_ segment: SegmentStart) -> SinkContext {
    var context = self
    context.startNanoseconds = segment.startNanoseconds
    context.firstFrame = segment.firstFrame
    context.segmentIndex = segment.index
    return context
  }
}
