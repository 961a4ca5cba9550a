private import Synchronization

/// What waits between the splitter and one sink: blocks in order, and silence where some did not
/// fit.
///
/// The splitter pushes, the sink's thread takes; the lock that they share is held for moments.
final class SinkQueue: Sendable {
  /// A stretch of the timeline.
  enum Item: Sendable {
    case samples(Block)
    /// Frames that are to be written as silence: a gap, or what the queue had no room for.
    case silence(firstFrame: Int, frames: Int)

    var frameCount: Int {
      switch self {
      case .samples(let block): block.frameCount
      case .silence(_, let frames): frames
      }
    }
  }

  /// What to do with a block for which there is no room.
  enum WhenFull: Sendable {
    /// Count it, and write silence in its place.
    case silence
    /// Wait for room.
    case wait
  }

  fileprivate struct State {
    var items: [Item] = []
    /// Frames of samples that wait or are being written; silence takes no room.
    var queuedFrames = 0
    /// Frames pushed since the sink was last woken.
    var unannouncedFrames = 0
    var droppedFrames = 0
    var isClosed = false
    var isAbandoned = false
  }

  private let state = Mutex(State())
  private let filled = Semaphore()
  private let freed = Semaphore()
  private let capacity: Int
  private let wakeFrames: Int
  private let whenFull: WhenFull

  /// Makes an empty queue.
  ///
  /// - Parameters:
  ///   - capacity: Frames of samples it holds; one block fits always.
  ///   - wakeFrames: Frames that are gathered before the sink is woken.
  ///   - whenFull: What to do without room.
  init(capacity: Int, wakeFrames: Int, whenFull: WhenFull) {
    self.capacity = capacity
    self.wakeFrames = wakeFrames
    self.whenFull = whenFull
  }

  /// Frames that wait.
  var queuedFrames: Int { state.withLock { $0.queuedFrames } }

  /// Frames for which there was no room.
  var droppedFrames: Int { state.withLock { $0.droppedFrames } }

  /// Whether the sink has ended and takes nothing more.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Puts a block behind all others.
  func push(_ block: Block) {
    while true {
      let isDone = state.withLock { state in
        if state.isAbandoned { return true }
        let isFull = state.queuedFrames > 0 && state.queuedFrames + block.frameCount > capacity
        switch (isFull, whenFull) {
        case (false, _):
          state.items.append(.samples(block))
          state.queuedFrames += block.frameCount
        case (true, .silence):
          state.appendSilence(firstFrame: block.firstFrame, frames: block.frameCount)
          state.droppedFrames += block.frameCount
        case (true, .wait):
          return false
        }
        state.unannouncedFrames += block.frameCount
        return true
      }
      if isDone { break }
      filled.post()
      freed.wait()
    }
    announce()
  }

  /// Puts silence behind all others; it needs no room.
  func pushSilence(firstFrame: Int, frames: Int) {
    state.withLock { state in
      state.appendSilence(firstFrame: firstFrame, frames: frames)
      state.unannouncedFrames += frames
    }
    announce()
  }

  /// Says that nothing more will be pushed.
  func close() {
    state.withLock { $0.isClosed = true }
    filled.post()
  }

  /// Wakes the sink if enough has been gathered for it.
  private func announce() {
    let isDue = state.withLock { state in
      guard state.unannouncedFrames >= wakeFrames else { return false }
      state.unannouncedFrames = 0
      return true
    }
    if isDue { filled.post() }
  }

  /// Takes all that waits; sleeps while there is nothing.
  ///
  /// - Returns: Items in order; none if the queue is closed and empty.
  func takeAll() -> [Item] {
    while true {
      let (items, isClosed) = state.withLock { state in
        let items = state.items
        state.items = []
        return (items, state.isClosed)
      }
      if !items.isEmpty || isClosed { return items }
      filled.wait()
    }
  }

  /// Says that the sink has written an item that was taken.
  func release(_ item: Item) {
    guard case .samples(let block) = item else { return }
    state.withLock { $0.queuedFrames -= block.frameCount }
    freed.post()
  }

  /// Says that the sink has ended: what waits is let go, and pushes do nothing from now on.
  func abandon() {
    state.withLock { state in
      state.isAbandoned = true
      state.items = []
      state.queuedFrames = 0
    }
    freed.post()
  }
}

extension SinkQueue.State {
  /// Adds silence at the end, in one piece with silence that stands there.
  fileprivate mutating func appendSilence(firstFrame: Int, frames: Int) {
    guard !isAbandoned else { return }
    if case .silence(let first, let before)? = items.last {
      items[items.count - 1] = .silence(firstFrame: first, frames: before + frames)
    } else {
      items.append(.silence(firstFrame: firstFrame, frames: frames))
    }
  }
}
