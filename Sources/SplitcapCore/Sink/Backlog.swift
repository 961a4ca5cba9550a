/// What waits for one sink, in order, and what it has missed.
///
/// Pure bookkeeping: ``SinkQueue`` adds the lock and the waiting.
struct Backlog {
  /// What a block that is added changes.
  enum Change: Equatable {
    /// It is the first for which there was no room.
    case full
    /// It is the first for which there is room again; so many frames found none.
    case roomAgain(droppedFrames: Int)
  }

  /// What becomes of a block.
  enum Outcome: Equatable {
    case done(Change?)
    /// There is no room, and the source may wait for it.
    case mustWait
  }

  /// In order.
  var items: [SinkQueue.Item] = []
  /// Frames of samples that wait or are being written; silence takes no room.
  private(set) var queuedFrames = 0
  /// Frames that found no room.
  private(set) var droppedFrames = 0
  /// Frames that no program behind the sink has got, since one was away or ended before it read them.
  private(set) var missedFrames = 0
  /// Whether what comes is missed, since the program behind the sink is away.
  private(set) var isAway = false
  /// Whether the sink has ended and takes nothing more; what a program misses is counted to the end.
  private(set) var isAbandoned = false

  private let capacity: Int
  private let rule: SlowRule
  /// Frames that have found no room since there was any; `nil` while there is.
  private var droppedInARow: Int?
  /// The timeline's frame behind all that came.
  private var endFrame = 0

  /// Makes an empty backlog.
  ///
  /// - Parameters:
  ///   - capacity: Frames of samples that it holds; one block fits always.
  ///   - rule: What to do without room.
  init(capacity: Int, rule: SlowRule) {
    self.capacity = capacity
    self.rule = rule
  }

  /// Adds a block behind all others, if there is room.
  mutating func add(_ block: Block) -> Outcome {
    if isAway || isAbandoned {
      pass(to: block.firstFrame + block.frameCount, frames: block.frameCount)
      return .done(nil)
    }
    if !hasRoom(for: block.frameCount) {
      if rule == .block { return .mustWait }
      endFrame = block.firstFrame + block.frameCount
      return .done(drop(block))
    }
    endFrame = block.firstFrame + block.frameCount
    items.append(.samples(block))
    queuedFrames += block.frameCount
    guard let dropped = droppedInARow.take() else { return .done(nil) }
    return .done(.roomAgain(droppedFrames: dropped))
  }

  /// Adds silence behind all others; it needs no room.
  mutating func addSilence(firstFrame: Int, frames: Int) {
    if isAway || isAbandoned { return pass(to: firstFrame + frames, frames: frames) }
    endFrame = firstFrame + frames
    if rule == .skip, let dropped = droppedInARow {
      // What stands behind left-out sound would only keep the sink behind for longer.
      droppedInARow = dropped + frames
      droppedFrames += frames
    } else {
      appendSilence(firstFrame: firstFrame, frames: frames)
    }
  }

  /// Adds the end of a file behind all others; it needs no room.
  mutating func addCut(_ next: SegmentStart) {
    if !isAbandoned { items.append(.cut(next)) }
  }

  /// Lets frames pass a sink that takes none; missed are those that a program away might have had.
  private mutating func pass(to frame: Int, frames: Int) {
    endFrame = frame
    if isAway { missedFrames += frames }
  }

  /// Once full, a quarter must be free again: a reader that is a little too slow gets long pieces of
  /// sound and of silence, not some of each in every tenth of a second.
  private func hasRoom(for frames: Int) -> Bool {
    let limit = droppedInARow == nil ? capacity : capacity - capacity / 4
    return queuedFrames == 0 || queuedFrames + frames <= limit
  }

  private mutating func drop(_ block: Block) -> Change? {
    // The sink is given up at once; nothing is filled in or counted for it.
    if rule == .close { return .full }
    if rule == .silence {
      appendSilence(firstFrame: block.firstFrame, frames: block.frameCount)
    }
    droppedFrames += block.frameCount
    let isFirst = droppedInARow == nil
    droppedInARow = (droppedInARow ?? 0) + block.frameCount
    return isFirst ? .full : nil
  }

  /// Adds silence at the end, in one piece with silence that stands there.
  private mutating func appendSilence(firstFrame: Int, frames: Int) {
    if case .silence(let first, let before)? = items.last, first + before == firstFrame {
      items[items.count - 1] = .silence(firstFrame: first, frames: before + frames)
    } else {
      items.append(.silence(firstFrame: firstFrame, frames: frames))
    }
  }

  /// Takes all that waits.
  mutating func takeAll() -> [SinkQueue.Item] {
    let taken = items
    items = []
    return taken
  }

  /// Gives back the room of samples that have been written.
  mutating func release(_ frames: Int) {
    // One that was given up meanwhile has let go of all already.
    if !isAbandoned { queuedFrames -= frames }
  }

  /// Notes that the program behind the sink is away, and that `unwritten` items of those taken have
  /// not reached it.
  ///
  /// A source that waits waits for the next program too, which goes on there; else they are missed.
  mutating func leave(_ unwritten: [SinkQueue.Item]) {
    droppedInARow = nil
    guard rule != .block else {
      items = unwritten + items
      return
    }
    isAway = true
    missedFrames += (unwritten + items).reduce(0) { $0 + $1.frameCount }
    items = []
    queuedFrames = 0
  }

  /// Notes frames that were written to a program which ended before it read them; those of a block
  /// counted as missed that it did read are negative.
  mutating func miss(_ frames: Int) { missedFrames += frames }

  /// Notes that the program behind the sink is there again.
  ///
  /// - Returns: The timeline's frame that it gets first.
  mutating func comeBack() -> Int {
    isAway = false
    return items.first?.firstFrame ?? endFrame
  }

  /// Lets go of all that waits, for good.
  mutating func abandon() {
    isAbandoned = true
    items = []
    queuedFrames = 0
  }
}
