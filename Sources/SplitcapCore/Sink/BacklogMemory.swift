/// Gives memory back to the system while a backlog is worked off, however long that takes.
struct BacklogMemory {
  /// Pieces of live sound that make a backlog: 2.5 s of 10 ms each.
  private static let manyItems = 256
  /// Samples that make one in fewer, larger pieces.
  private static let manySamples = 8_000_000
  /// Samples after which memory is given back: 8 MB of them.
  private static let step = 4_000_000

  private let isBacklog: Bool
  private var freed = 0

  /// Looks at what was taken from a queue at once, of so many channels.
  init(of items: [SinkQueue.Item], channelCount: Int) {
    isBacklog =
      items.count >= Self.manyItems
      || items.reduce(0) { $0 + $1.frameCount } * channelCount >= Self.manySamples
  }

  /// Notes that so many samples have been let go.
  mutating func note(freed samples: Int) {
    guard isBacklog else { return }
    freed += samples
    if freed >= Self.step { giveBack() }
  }

  /// Notes that all of it has been let go.
  mutating func finish() {
    if isBacklog { giveBack() }
  }

  private mutating func giveBack() {
    freed = 0
    Heap.giveBackFree()
  }
}
