private import Glibc
internal import Synchronization

// Restarting a program that ended.
extension SinkThread {
  /// Whether the sink, once it has ended, is to be opened anew; once false, it stays so.
  private var mayRestart: Bool { mayRestart(unwritten: []) }

  /// The same while `items` that were taken have not reached it.
  private func mayRestart(unwritten items: [SinkQueue.Item]) -> Bool {
    guard restarts && !context.patience.isEnding && !queue.isAbandoned else { return false }
    // What waits for the next program waits behind the end of the input, too.
    return !queue.isClosed || queue.rule == .block && !(items.isEmpty && queue.isEmpty)
  }

  /// Opens and uses the sink anew after each end, with growing waits in between.
  ///
  /// - Returns: How it ended at last.
  func restart(after error: SplitcapError?) -> SplitcapError? {
    var error = error
    var backoff = Backoff()
    var runTime = Duration.zero
    var toldFrames = 0
    var firstFrame = 0
    while mayRestart {
      let wait = backoff.wait(afterRunning: runTime)
      let end = SystemClock.monotonic + wait.components.seconds * 1_000_000_000
      // One that read nothing ended where it began, at the earliest.
      let frame = max(firstFrame, summary.withLock { $0.endFrame })
      observer(.programEnded(place(frame), error, restartsIn: wait))
      while mayRestart && SystemClock.monotonic < end { _ = usleep(20_000) }
      guard mayRestart else { break }
      firstFrame = queue.comeBack()
      let start = SystemClock.monotonic
      error = runOnce(context.starting(at: firstFrame)) {
        let missedFrames = queue.lostFrames.missed
        summary.withLock { summary in
          summary.restarts += 1
          summary.hasReaderLeft = false
        }
        observer(.restarted(place(firstFrame), missedFrames: missedFrames - toldFrames))
        toldFrames = missedFrames
      }
      runTime = .nanoseconds(SystemClock.monotonic - start)
    }
    return error
  }

  /// Lets go of what is queued, and of what passes until the sink is opened anew, if it is.
  ///
  /// `items` were taken and have not reached the sink; last first.
  func leave(_ items: [SinkQueue.Item]) {
    guard mayRestart(unwritten: items) else { return queue.abandon() }
    var unwritten: [SinkQueue.Item] = items.reversed()
    let endFrame = summary.withLock { $0.endFrame }
    switch unwritten.first {
    case .silence(let firstFrame, let frames)? where firstFrame < endFrame:
      unwritten[0] = .silence(firstFrame: endFrame, frames: firstFrame + frames - endFrame)
    case .samples(let block, _)? where block.firstFrame < endFrame:
      unwritten[0] = .samples(block, written: endFrame - block.firstFrame)
    default: break
    }
    queue.leave(unwritten)
  }
}
