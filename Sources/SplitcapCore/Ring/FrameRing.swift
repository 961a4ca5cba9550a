private import Synchronization

/// A bounded queue of frames and gaps between the capturing and the splitting thread, without
/// locks.
///
/// Each end is a noncopyable value whose operations are `mutating`, so that to use one end from two
/// threads is a compile error, not a rule to remember. Neither end blocks, allocates or makes a
/// system call. Sound is captured into the ring's own memory and split out of it: no copy between.
package struct FrameRing: ~Copyable {
  /// Gaps that may wait in a ring.
  package static let gapCapacity = 64

  private var writer: Writer?
  private var reader: Reader?

  /// Makes an empty ring; the only allocation there will be.
  ///
  /// - Parameters:
  ///   - minimumFrames: Frames to hold at least; rounded up to a power of two.
  ///   - channelCount: Samples in a frame.
  package init(minimumFrames: Int, channelCount: Int) {
    precondition(minimumFrames > 0 && minimumFrames <= 1 << 28 && channelCount > 0)
    let storage = Storage(
      frames: 1 << (Int.bitWidth - (minimumFrames - 1).leadingZeroBitCount),
      channelCount: channelCount)
    writer = Writer(storage)
    reader = Reader(storage)
  }

  /// Hands out the writing end; traps if it was taken before.
  package mutating func takeWriter() -> Writer { writer.take()! }

  /// Hands out the reading end; traps if it was taken before.
  package mutating func takeReader() -> Reader { reader.take()! }

  /// The end that puts frames in.
  package struct Writer: ~Copyable, Sendable {
    private let storage: Storage
    private var knownReadCount = 0

    fileprivate init(_ storage: Storage) { self.storage = storage }

    /// Frames that can be put in without waiting; they need not lie in one piece.
    package mutating func freeFrames() -> Int {
      knownReadCount = storage.readCount.load(ordering: .acquiring)
      return storage.frames - (storage.writeCount.load(ordering: .relaxed) - knownReadCount)
    }

    /// Lets `body` write into free memory of the ring; ``commit(frames:)`` then hands it over.
    ///
    /// - Parameters:
    ///   - limit: Frames to offer at most.
    ///   - body: Gets a piece without a break, of `limit` frames or fewer: less is free, or the
    ///     ring's end is near. It is empty if the ring is full.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package mutating func withFreeSpace<Result>(
      limit: Int,
      _ body: (inout MutableSpan<Int16>) throws(SplitcapError) -> Result
    ) throws(SplitcapError) -> Result {
      // This end alone stores `writeCount`, so a relaxed load of it is enough. The reader's count
      // is looked up only when the last known one leaves too little room.
      let written = storage.writeCount.load(ordering: .relaxed)
      if storage.frames - (written - knownReadCount) < limit {
        knownReadCount = storage.readCount.load(ordering: .acquiring)
      }
      let free = storage.frames - (written - knownReadCount)
      var piece = unsafe storage.piece(at: written, frames: min(limit, free)).mutableSpan
      return try body(&piece)
    }

    /// Hands over the first `frames` frames of the memory that was offered last.
    package mutating func commit(frames: Int) {
      let written = storage.writeCount.load(ordering: .relaxed)
      precondition(frames >= 0 && written - knownReadCount + frames <= storage.frames)
      storage.writeCount.store(written + frames, ordering: .releasing)
    }

    /// Puts a gap behind the frames committed so far.
    ///
    /// - Returns: Whether there was room.
    package mutating func append(_ gap: Gap) -> Bool { storage.gaps.append(gap, storage) }

    /// Says that nothing more will come.
    package consuming func close() { storage.isClosed.store(true, ordering: .releasing) }
  }

  /// What the reading end finds next.
  package enum Taken: Sendable, Equatable {
    /// Frames, which the body has seen.
    case frames(Int)
    /// A gap between the frames before and after.
    case gap(Gap)
    /// Nothing yet.
    case nothing
    /// Nothing, and nothing more will come.
    case end
  }

  /// The end that takes frames out.
  package struct Reader: ~Copyable, Sendable {
    private let storage: Storage

    fileprivate init(_ storage: Storage) { self.storage = storage }

    /// Shows the oldest frames to `body` and frees them, or takes the gap that stands before them.
    ///
    /// - Parameters:
    ///   - limit: Frames to show at most.
    ///   - body: Called only if the result is `frames`.
    /// - Returns: What was found.
    package mutating func take(limit: Int, _ body: (Span<Int16>) -> Void) -> Taken {
      // In this order: whoever sees the ring closed sees all frames, and whoever sees frames sees
      // the gaps before them.
      let isClosed = storage.isClosed.load(ordering: .acquiring)
      let written = storage.writeCount.load(ordering: .acquiring)
      let read = storage.readCount.load(ordering: .relaxed)
      var end = written
      if let next = storage.gaps.first() {
        if next.position == read {
          storage.gaps.removeFirst()
          return .gap(next.gap)
        }
        end = min(end, next.position)
      }
      guard end > read else { return isClosed ? .end : .nothing }
      let piece = unsafe storage.piece(at: read, frames: min(limit, end - read))
      unsafe body(piece.span)
      let frames = piece.count / storage.channelCount
      storage.readCount.store(read + frames, ordering: .releasing)
      return .frames(frames)
    }
  }
}

extension FrameRing {
  /// The memory that both ends share.
  ///
  /// `writeCount - readCount` frames are filled. Both counts only grow: at 48 kHz an `Int` lasts
  /// six million years.
  ///
  /// Safety: the writer touches only free frames and the reader only filled ones; a frame changes
  /// sides by a releasing store of one end and an acquiring load of the other.
  @safe
  fileprivate final class Storage: @unchecked Sendable {
    let frames: Int
    let channelCount: Int
    let writeCount = Atomic<Int>(0)
    let readCount = Atomic<Int>(0)
    let isClosed = Atomic<Bool>(false)
    let gaps = Gaps()
    private let base: UnsafeMutablePointer<Int16>

    init(frames: Int, channelCount: Int) {
      self.frames = frames
      self.channelCount = channelCount
      unsafe base = .allocate(capacity: frames * channelCount)
    }

    deinit { unsafe base.deallocate() }

    /// At most `frames` frames from `position` on, in one piece.
    func piece(at position: Int, frames count: Int) -> UnsafeMutableBufferPointer<Int16> {
      let start = position & (frames - 1)
      let whole = min(count, frames - start)
      return unsafe UnsafeMutableBufferPointer(
        start: base + start * channelCount, count: whole * channelCount)
    }
  }

  /// Gaps and where they stand; a small ring of its own, with the same rules.
  @safe
  fileprivate final class Gaps: @unchecked Sendable {
    struct Entry {
      let position: Int
      let gap: Gap
    }

    private let writeCount = Atomic<Int>(0)
    private let readCount = Atomic<Int>(0)
    private let entries: UnsafeMutablePointer<Entry>

    init() {
      unsafe entries = .allocate(capacity: gapCapacity)
    }

    deinit { unsafe entries.deallocate() }

    func append(_ gap: Gap, _ storage: Storage) -> Bool {
      let written = writeCount.load(ordering: .relaxed)
      guard written - readCount.load(ordering: .acquiring) < gapCapacity else { return false }
      let position = storage.writeCount.load(ordering: .relaxed)
      unsafe entries[written % gapCapacity] = Entry(position: position, gap: gap)
      writeCount.store(written + 1, ordering: .releasing)
      return true
    }

    func first() -> Entry? {
      let read = readCount.load(ordering: .relaxed)
      guard writeCount.load(ordering: .acquiring) > read else { return nil }
      return unsafe entries[read % gapCapacity]
    }

    func removeFirst() { readCount.add(1, ordering: .releasing) }
  }
}
