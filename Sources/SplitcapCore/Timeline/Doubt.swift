/// What is known of frames that came later than the clock allows.
///
/// Either the rest comes at once, since this program or the server was held up and all is still there,
/// or frames are missing, since a queue ran over and its owner said nothing. Which it is shows when
/// frames come no faster than they are captured, and reads have to wait for them.
///
/// Times and lengths are in nanoseconds of CLOCK_BOOTTIME. An *origin* is what ``StreamClock`` calls so.
struct Doubt: Sendable {
  /// The least that is told as a loss, and how late frames may be before something is suspected:
  /// closer the clock is not known.
  static let leastLoss: Int64 = 20_000_000
  /// How long frames must come at the device's pace until nothing more can be waiting.
  static let paceTime: Int64 = 500_000_000
  /// A read waits for a tenth of a second: whoever has not come back for longer was stopped.
  static let longestPause: Int64 = 500_000_000

  /// A read, and what it brought.
  struct Arrival: Sendable {
    /// When it began.
    let start: Int64
    /// When it ended.
    let end: Int64
    /// How long the frames last that it brought.
    let length: Int64
    /// The origin that follows from it.
    let origin: Int64
    /// Which of the frames that are held it brought first; those that were on their way are older.
    let firstFrame: Int
    /// What may have lost frames before it.
    let cause: Gap.Cause

    /// Whether it had to wait for its frames.
    var hasWaited: Bool { end - start >= length / 2 }
  }

  /// Frames that are missing.
  struct Loss: Sendable, Equatable {
    /// How long they last.
    let length: Int64
    let cause: Gap.Cause
    /// The first frame behind them that is sure to be, counted as ``Arrival/firstFrame``.
    let firstFrame: Int
    /// Where the frames behind them begin, in time since the origin, which may be before that.
    let place: Int64
  }

  enum Verdict: Sendable, Equatable {
    /// It is not known yet.
    case open
    /// All has come; nothing is missing.
    case inTime
    case missing([Loss])
  }

  /// A place at which frames may be missing.
  private struct Suspicion: Sendable {
    /// When whoever had to drop frames had room again.
    let since: Int64
    let cause: Gap.Cause
    let firstFrame: Int
    /// A stretch in which frames may have come at the device's own pace: when it began and how much
    /// came in it.
    var windowStart: Int64
    var windowLength: Int64 = 0
    /// Reads in it that had to wait, so that nothing more was there.
    var waits = 0
    /// The earliest origin in it.
    var origin: Int64

    init(_ arrival: Arrival) {
      let isStoppedInside = arrival.end - arrival.start > Doubt.longestPause
      since = isStoppedInside ? arrival.end : arrival.start
      cause = arrival.cause
      firstFrame = arrival.firstFrame
      windowStart = arrival.end
      origin = arrival.origin
    }
  }

  private let origin: Int64
  private let latency: Int64
  /// What may have happened before the last one came up, which came later still.
  private var earlier: [Suspicion] = []
  private var last: Suspicion
  private var lastEnd: Int64

  /// How late frames may be where the device may hold back `latency`, before something is suspected.
  static func limit(latency: Int64) -> Int64 { leastLoss + latency }

  /// Begins to doubt.
  ///
  /// - Parameters:
  ///   - arrival: The first late frames.
  ///   - origin: Where the stream stood before.
  ///   - latency: How much the device and the server may hold back.
  init(_ arrival: Arrival, origin: Int64, latency: Int64) {
    self.origin = origin
    self.latency = latency
    last = Suspicion(arrival)
    lastEnd = arrival.end
  }

  /// Takes what came next, and decides as soon as it can.
  mutating func add(_ arrival: Arrival) -> Verdict {
    let wasPaced = isPaced
    lastEnd = arrival.end
    if arrival.origin - origin <= limit / 2 { return .inTime }
    dropOverdue(arrival.origin)
    if wasPaced && arrival.origin - last.origin > limit {
      // Later still, though nothing was waiting.
      earlier.append(last)
      last = Suspicion(arrival)
    } else {
      last.windowLength += arrival.length
      if arrival.hasWaited { last.waits += 1 }
      last.origin = min(last.origin, arrival.origin)
    }
    let elapsed = arrival.end - last.windowStart
    guard elapsed >= Self.paceTime else { return .open }
    if isPaced && last.windowLength <= elapsed + elapsed / 4 {
      return .missing(losses(earlier + [last]))
    }
    last.windowStart = arrival.end
    last.windowLength = 0
    last.waits = 0
    last.origin = arrival.origin
    return .open
  }

  /// What is missing if nothing more comes that could tell.
  ///
  /// `nothingWaits` tells whether all that was captured is known to have come.
  func losses(nothingWaits: Bool) -> [Loss] {
    losses(earlier + (nothingWaits || isPaced ? [last] : []))
  }

  private var limit: Int64 { Self.limit(latency: latency) }

  /// Whether frames have come at the device's own pace for long enough that nothing can be waiting.
  ///
  /// One read may seem to have waited because this thread lost its core in it.
  private var isPaced: Bool {
    let elapsed = lastEnd - last.windowStart
    return last.waits >= 2 && elapsed >= limit
      && last.windowLength <= elapsed + elapsed / 4 + latency
  }

  /// Drops suspicions whose frames have come after all.
  private mutating func dropOverdue(_ origin: Int64) {
    while let before = earlier.last, origin - before.origin <= limit / 2 {
      let (length, waits) = (last.windowLength, last.waits)
      last = earlier.removeLast()
      last.windowLength += length
      last.waits += waits
    }
  }

  private func losses(_ suspicions: [Suspicion]) -> [Loss] {
    var losses: [Loss] = []
    var origin = origin
    for suspicion in suspicions where suspicion.origin - origin >= Self.leastLoss {
      losses.append(
        Loss(
          length: suspicion.origin - origin, cause: suspicion.cause,
          firstFrame: suspicion.firstFrame, place: suspicion.since - suspicion.origin))
      origin = suspicion.origin
    }
    return losses
  }
}
