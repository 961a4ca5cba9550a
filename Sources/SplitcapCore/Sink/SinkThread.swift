private import Glibc
internal import Synchronization

/// One sink with its queue and its thread.
///
/// Its failure is reported once and ends nothing but itself.
final class SinkThread: Sendable {
  /// The sink, as it was asked for.
  let request: SinkRequest
  /// What waits for the sink.
  let queue: SinkQueue

  let context: SinkContext
  let restarts: Bool
  let observer: @Sendable (RecordingEvent) -> Void
  let summary: Mutex<SinkSummary>
  private let thread: Mutex<WorkerThread?> = Mutex(nil)
  private let hasEnded = Atomic<Bool>(false)

  /// Frames that are written at once where the timeline has silence, and to a program that may have
  /// to be started again: the next one gets a piece that did not fit whole, too.
  private static let pieceFrames = 4096

  /// Prepares a sink.
  ///
  /// - Parameters:
  ///   - request: The sink.
  ///   - queue: What is to wait for it.
  ///   - context: What it is told; its patience is the sink's own.
  ///   - restarts: Whether it is opened anew after its end, if it can be.
  ///   - observer: Hears what happens to it.
  init(
    _ request: SinkRequest, queue: SinkQueue, context: SinkContext, restarts: Bool,
    observer: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    self.request = request
    self.queue = queue
    self.restarts = restarts && request.isRestartable
    self.observer = observer
    summary = Mutex(SinkSummary(feed: request.feed, name: request.name))
    let place = SinkPlace(feed: request.feed, name: request.name, frame: context.firstFrame)
    var context = context
    context.noteUnread = { observer(.unread(place)) }
    self.context = context
  }

  /// Starts the thread, which opens the sink.
  func start() {
    do throws(SplitcapError) {
      try thread.withLock { (thread) throws(SplitcapError) in
        thread = try WorkerThread("sink-\(request.feed)") { self.run() }
      }
    } catch {
      fail(
        SplitcapError(
          .sinkFailed, "cannot write '\(request.name)': \(error.message)", hint: error.hint))
      hasEnded.store(true, ordering: .relaxed)
    }
  }

  /// Queues a block; tells if the sink begins or ceases to fall behind.
  func push(_ block: Block) {
    switch queue.push(block) {
    case nil: break
    case .full? where queue.rule == .close:
      fail(
        SplitcapError(
          .sinkFailed, "'\(request.name)' was given up: it does not keep up, and its queue is full",
          hint: "a longer --queue keeps more; --on-slow silence goes on"))
      context.patience.end()
    case .full?: observer(.slow(place(block.firstFrame)))
    case .roomAgain(let dropped)?:
      observer(.caughtUp(place(block.firstFrame), droppedFrames: dropped))
    }
  }

  /// The sink and how far it is, if all has been queued for it and it is still at work.
  var lateWork: SinkPlace? {
    guard queue.isClosed, !hasEnded.load(ordering: .relaxed) else { return nil }
    return place(summary.withLock { $0.endFrame })
  }

  /// Waits until the sink has ended; the queue must be closed.
  ///
  /// - Returns: What became of it.
  func join() -> SinkSummary {
    if let thread = thread.withLock({ $0.take() }) { thread.join() }
    return summary.withLock { summary in
      (summary.droppedFrames, summary.missedFrames) = queue.lostFrames
      return summary
    }
  }

  /// Opens and uses the sink until its end, and anew where it is to be restarted.
  private func run() {
    let error = restart(after: runOnce(context))
    queue.abandon()
    if let error {
      fail(error)
    } else {
      // Only now is it sure that this was a normal end.
      let end = summary.withLock { $0 }
      if end.hasReaderLeft { observer(.readerLeft(place(end.endFrame))) }
    }
    hasEnded.store(true, ordering: .relaxed)
  }

  /// Opens the sink, writes what is queued, and closes it.
  ///
  /// - Returns: Why it failed.
  func runOnce(_ context: SinkContext, whenOpened: () -> Void = {}) -> SplitcapError? {
    do throws(SplitcapError) {
      var sink = try request.open(context)
      whenOpened()
      let framesBefore = summary.withLock { $0.frames }
      let failure = writeAll(to: &sink)
      do throws(SplitcapError) {
        let report = try sink.finish()
        let isLeft = !queue.isAbandoned
        let missing = summary.withLock { summary in
          // A block that the next program gets whole is not counted in parts for this one.
          summary.add(
            report, counted: summary.frames - framesBefore,
            countsParts: !(isLeft && queue.rule == .block))
        }
        if isLeft { queue.miss(missing) }
        return failure ?? report.failure
      } catch {
        // The first failure says why; what closing found is its consequence.
        return failure ?? error
      }
    } catch {
      leave([])
      return error
    }
  }

  private func fail(_ error: SplitcapError) {
    queue.abandon()
    let frame: Int? = summary.withLock { summary in
      guard summary.error == nil else { return nil }
      summary.error = error
      return summary.endFrame
    }
    if let frame { observer(.sinkFailed(place(frame), error)) }
  }

  func place(_ frame: Int) -> SinkPlace {
    SinkPlace(feed: request.feed, name: request.name, frame: frame)
  }

  /// Writes what is queued until the end, until the reader leaves, or until writing fails.
  private func writeAll(to sink: inout any Sink & ~Copyable) -> SplitcapError? {
    // Last first, so that each is let go of once it is written.
    var items: [SinkQueue.Item] = []
    let channelCount = context.format.channelCount
    do throws(SplitcapError) {
      while true {
        var memory = BacklogMemory(of: items, channelCount: channelCount)
        while let item = items.last {
          guard try write(item, to: &sink) == .more else {
            noteReaderLeft()
            leave(items)
            return nil
          }
          items.removeLast()
          queue.release(item)
          memory.note(freed: item.frameCount * channelCount)
        }
        memory.finish()
        items = queue.takeAll().reversed()
        if items.isEmpty {
          queue.abandon()
          return nil
        }
      }
    } catch {
      leave(items)
      return error
    }
  }

  private func noteReaderLeft() {
    summary.withLock { summary in
      // One that was given up is no reader that left.
      if summary.error == nil { summary.hasReaderLeft = true }
    }
  }

  private func write(
    _ samples: Span<Int16>, of block: Block, from written: Int, to sink: inout any Sink & ~Copyable
  ) throws(SplitcapError) -> WriteResult {
    let channelCount = context.format.channelCount
    var done = written
    while done < block.frameCount {
      let count = restarts ? min(block.frameCount - done, Self.pieceFrames) : block.frameCount
      let part = samples.extracting(done * channelCount..<(done + count) * channelCount)
      let firstFrame = block.firstFrame + done
      guard try sink.write(part, firstFrame: firstFrame) == .more else { return .closed }
      summary.withLock { $0.add(count, from: firstFrame) }
      done += count
    }
    return .more
  }

  private func write(
    _ item: SinkQueue.Item, to sink: inout any Sink & ~Copyable
  ) throws(SplitcapError) -> WriteResult {
    switch item {
    case .samples(let block, let written):
      return try block.read { (samples) throws(SplitcapError) in
        try write(samples, of: block, from: written, to: &sink)
      }
    case .silence(var firstFrame, var frames):
      let zeros = [Int16](
        repeating: 0, count: min(frames, Self.pieceFrames) * context.format.channelCount)
      while frames > 0 {
        let count = min(frames, Self.pieceFrames)
        let part = zeros.span.extracting(first: count * context.format.channelCount)
        guard try sink.write(part, firstFrame: firstFrame) == .more else { return .closed }
        summary.withLock { summary in
          summary.add(count, from: firstFrame)
          summary.silentFrames += count
        }
        firstFrame += count
        frames -= count
      }
      return .more
    case .cut(let next):
      try sink.cut(next)
      return .more
    }
  }
}
