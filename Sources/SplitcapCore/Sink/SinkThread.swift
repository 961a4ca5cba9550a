private import Synchronization

/// One sink with its queue and its thread.
///
/// Its failure is reported once and ends nothing but itself.
final class SinkThread: Sendable {
  /// The sink, as it was asked for.
  let request: SinkRequest
  /// What waits for the sink.
  let queue: SinkQueue

  private let context: SinkContext
  private let observer: @Sendable (RecordingEvent) -> Void
  private let summary: Mutex<SinkSummary>
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  /// Frames that are written at once where the timeline has silence.
  private static let silenceFrames = 4096

  init(
    _ request: SinkRequest, queue: SinkQueue, context: SinkContext,
    observer: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    self.request = request
    self.queue = queue
    self.context = context
    self.observer = observer
    summary = Mutex(SinkSummary(feed: request.feed, name: request.name))
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
    }
  }

  /// Waits until the sink has ended; the queue must be closed.
  ///
  /// - Returns: What became of it.
  func join() -> SinkSummary {
    if let thread = thread.withLock({ $0.take() }) { thread.join() }
    return summary.withLock { summary in
      summary.droppedFrames = queue.droppedFrames
      return summary
    }
  }

  private func run() {
    do throws(SplitcapError) {
      var sink = try request.open(context)
      var failure = writeAll(to: &sink)
      queue.abandon()
      do throws(SplitcapError) {
        let report = try sink.finish()
        failure = failure ?? report.failure
        summary.withLock { summary in
          summary.report = report
          summary.frames = report.frames ?? summary.frames
        }
      } catch  where failure != nil {
        // The first failure says why; what closing found is its consequence.
      }
      if let failure { throw failure }
      // Only now is it sure that this was a normal end.
      let end = summary.withLock { $0 }
      if end.hasReaderLeft { observer(.readerLeft(place(end.frames))) }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: SplitcapError) {
    queue.abandon()
    let frame = summary.withLock { summary in
      summary.error = error
      return summary.frames
    }
    observer(.sinkFailed(place(frame), error))
  }

  private func place(_ frame: Int) -> SinkPlace {
    SinkPlace(feed: request.feed, name: request.name, frame: frame)
  }

  /// Writes what is queued until the end, until the reader leaves, or until writing fails.
  private func writeAll(to sink: inout any Sink & ~Copyable) -> SplitcapError? {
    do throws(SplitcapError) {
      while true {
        let items = queue.takeAll()
        if items.isEmpty { return nil }
        for item in items {
          guard try write(item, to: &sink) == .more else {
            summary.withLock { $0.hasReaderLeft = true }
            return nil
          }
          queue.release(item)
        }
      }
    } catch {
      return error
    }
  }

  private func write(
    _ item: SinkQueue.Item, to sink: inout any Sink & ~Copyable
  ) throws(SplitcapError) -> WriteResult {
    switch item {
    case .samples(let block):
      let result = try block.read { (samples) throws(SplitcapError) in
        try sink.write(samples, firstFrame: block.firstFrame)
      }
      if result == .more { summary.withLock { $0.frames += block.frameCount } }
      return result
    case .silence(var firstFrame, var frames):
      let zeros = [Int16](
        repeating: 0, count: min(frames, Self.silenceFrames) * context.format.channelCount)
      while frames > 0 {
        let count = min(frames, Self.silenceFrames)
        let part = zeros.span.extracting(first: count * context.format.channelCount)
        guard try sink.write(part, firstFrame: firstFrame) == .more else { return .closed }
        summary.withLock { summary in
          summary.frames += count
          summary.silentFrames += count
        }
        firstFrame += count
        frames -= count
      }
      return .more
    }
  }
}
