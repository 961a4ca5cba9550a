import Glibc
import SplitcapCore
import class SplitcapCore.Semaphore
import Synchronization

/// A source whose every sample is known: the left ear counts up, the right ear is its negative.
struct RampSource: CaptureSource, ~Copyable {
  let info: SourceInfo
  private let frames: Int
  /// Whether frames from `position` on are there yet; a live source must not outrun the ring.
  private let isReady: @Sendable (_ position: Int) -> Bool
  private var gap: (after: Int, Gap)?
  /// Whether it fails after its last frame.
  private let fails: Bool
  /// Frames of which the right ear is zero.
  private let deadRight: Range<Int>
  private var position = 0

  static let failure = SplitcapError(.sourceLost, "the ramp fell down")

  static func left(_ frame: Int) -> Int16 { Int16(frame % 32_767 + 1) }
  static func right(_ frame: Int) -> Int16 { -left(frame) }
  static func sample(_ index: Int) -> Int16 {
    index % 2 == 0 ? left(index / 2) : right(index / 2)
  }

  init(
    frames: Int, isLive: Bool, gap: (after: Int, Gap)? = nil, fails: Bool = false,
    deadRight: Range<Int> = 0..<0,
    isReady: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) {
    info = SourceInfo(
      backend: .file, name: "ramp", description: "ramp",
      format: StreamFormat(sampleRate: 16_000, channelCount: 2),
      ears: ChannelPair(left: 0, right: 1), isLive: isLive)
    self.frames = frames
    self.gap = gap
    self.fails = fails
    self.deadRight = deadRight
    self.isReady = isReady
  }

  mutating func read(into buffer: inout MutableSpan<Int16>) throws(SplitcapError) -> ReadResult {
    if !isReady(position) {
      _ = sched_yield()
      return .nothing
    }
    if let gap, gap.after == position {
      self.gap = nil
      return .gap(gap.1)
    }
    let end = min(frames, gap?.after ?? .max)
    let count = min(end - position, buffer.count / 2)
    if count == 0 {
      if fails { throw Self.failure }
      return .end
    }
    for i in 0..<2 * count { buffer[i] = Self.sample(2 * position + i) }
    for i in deadRight.clamped(to: position..<position + count) {
      buffer[2 * (i - position) + 1] = 0
    }
    position += count
    return .frames(count)
  }
}

/// Keeps what a sink gets.
final class Tape: Sendable {
  private let kept = Mutex<[Int16]>([])
  private let opened = Atomic<Bool>(false)
  private let failsAfter: Int

  init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

  var count: Int { kept.withLock { $0.count } }
  var samples: [Int16] { kept.withLock { $0 } }
  var wasOpened: Bool { opened.load(ordering: .sequentiallyConsistent) }

  func request(_ feed: Feed, waitingFor release: Semaphore? = nil) -> SinkRequest {
    SinkRequest(feed: feed, name: "tape") { (_) throws(SplitcapError) in
      self.opened.store(true, ordering: .sequentiallyConsistent)
      release?.wait()
      return Head(tape: self)
    }
  }

  private struct Head: Sink, ~Copyable {
    let tape: Tape

    mutating func write(
      _ samples: Span<Int16>, firstFrame: Int
    ) throws(SplitcapError) -> WriteResult {
      let isFull = tape.kept.withLock { kept in
        for i in samples.indices { kept.append(samples[i]) }
        return kept.count > tape.failsAfter
      }
      if isFull { throw SplitcapError(.sinkFailed, "the tape is full") }
      return .more
    }

    mutating func finish() throws(SplitcapError) -> SinkReport {
      SinkReport(bytes: tape.samples.count * 2)
    }
  }
}

/// Makes every thread that is started from now on want more stack than there are addresses, so that
/// there can be no more threads.
func askForHugeStacks() {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { unsafe attributes.deallocate() }
  unsafe pthread_attr_init(attributes)
  unsafe pthread_attr_setstacksize(attributes, 1 << 47)
  // Swift's Glibc leaves it out.
  typealias SetDefault = @convention(c) (UnsafePointer<pthread_attr_t>) -> CInt
  let symbol = unsafe dlsym(nil, "pthread_setattr_default_np")
  let set = unsafe unsafeBitCast(symbol, to: SetDefault.self)
  let status = unsafe set(attributes)
  precondition(status == 0, "errno \(status)")
}
