private import Synchronization

/// What waits between the splitter and one sink: blocks in order, and silence where some did not
/// fit.
///
/// The splitter pushes, the sink's thread takes; the lock that they share is held for moments.
final class SinkQueue: Sendable {
  /// A stretch of the timeline.
  enum Item: Sendable {
    /// A block, of which the sink has got so many frames already.
    case samples(Block, written: Int = 0)
    /// Frames that are to be written as silence: a gap, or what the queue had no room for.
    case silence(firstFrame: Int, frames: Int)
    /// The end of a file.
    case cut(SegmentStart)

    var firstFrame: Int {
      switch self {
      case .samples(let block, let written): block.firstFrame + written
      case .silence(let firstFrame, _): firstFrame
      case .cut(let next): next.firstFrame
      }
    }

    var frameCount: Int {
      switch self {
      case .samples(let block, let written): block.frameCount - written
      case .silence(_, let frames): frames
      case .cut: 0
      }
    }
  }

  private struct State {
    var backlog: Backlog
    /// Frames pushed since the sink was last woken.
    var unannouncedFrames = 0
    var isClosed = false
  }

  /// What is done without room.
  let rule: SlowRule
  private let state: Mutex<State>
  private let filled = Semaphore()
  private let freed = Semaphore()
  private let wakeFrames: Int

  /// Makes an empty queue.
  ///
  /// - Parameters:
  ///   - capacity: Frames of samples it holds; one block fits always.
  ///   - wakeFrames: Frames that are gathered before the sink is woken.
  ///   - rule: What to do without room.
  init(capacity: Int, wakeFrames: Int, rule: SlowRule) {
    self.wakeFrames = wakeFrames
    self.rule = rule
    state = Mutex(State(backlog: Backlog(capacity: capacity, rule: rule)))
  }

  /// Frames that wait.
  var queuedFrames: Int { state.withLock { $0.backlog.queuedFrames } }

  /// Whether nothing waits.
  var isEmpty: Bool { state.withLock { $0.backlog.items.isEmpty } }

  /// Frames that never reached the sink.
  var lostFrames: (dropped: Int, missed: Int) {
    state.withLock { ($0.backlog.droppedFrames, $0.backlog.missedFrames) }
  }

  /// Whether the sink has ended and takes nothing more.
  var isAbandoned: Bool { state.withLock { $0.backlog.isAbandoned } }

  /// Whether nothing more will be pushed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Puts a block behind all others.
  ///
  /// - Returns: Whether the sink begins or ceases to fall behind.
  func push(_ block: Block) -> Backlog.Change? {
    while true {
      let outcome = state.withLock { state in
        let outcome = state.backlog.add(block)
        if outcome != .mustWait { state.unannouncedFrames += block.frameCount }
        return outcome
      }
      if case .done(let change) = outcome {
        announce()
        return change
      }
      filled.post()
      freed.wait()
    }
  }

  /// Puts silence behind all others; it needs no room.
  func pushSilence(firstFrame: Int, frames: Int) {
    state.withLock { state in
      state.backlog.addSilence(firstFrame: firstFrame, frames: frames)
      state.unannouncedFrames += frames
    }
    announce()
  }

  /// Puts the end of a file behind all others, and wakes the sink, since someone may wait for it.
  func pushCut(_ next: SegmentStart) {
    state.withLock { $0.backlog.addCut(next) }
    filled.post()
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
  /// - Returns: Items in order; none if the queue is closed and empty, or abandoned.
  func takeAll() -> [Item] {
    while true {
      let (items, isOver) = state.withLock { state in
        (state.backlog.takeAll(), state.isClosed || state.backlog.isAbandoned)
      }
      if !items.isEmpty || isOver { return items }
      filled.wait()
    }
  }

  /// Says that the sink has written an item that was taken.
  func release(_ item: Item) {
    guard case .samples(let block, _) = item else { return }
    state.withLock { $0.backlog.release(block.frameCount) }
    freed.post()
  }

  /// Says that the program behind the sink is away; see ``Backlog/leave(_:)``.
  func leave(_ unwritten: [Item]) {
    state.withLock { $0.backlog.leave(unwritten) }
    freed.post()
  }

  /// Says that the program behind the sink ended before it read all; see ``Backlog/miss(_:)``.
  func miss(_ frames: Int) { state.withLock { $0.backlog.miss(frames) } }

  /// Says that the program behind the sink is there again; see ``Backlog/comeBack()``.
  func comeBack() -> Int { state.withLock { $0.backlog.comeBack() } }

  /// Says that the sink has ended: what waits is let go, and pushes do nothing from now on.
  func abandon() {
    state.withLock { $0.backlog.abandon() }
    filled.post()
    freed.post()
  }
}
