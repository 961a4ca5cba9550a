/// Where a stream stands against CLOCK_BOOTTIME, to measure what was lost of it.
///
/// The *origin* is the time at which frame 0 would have come at the nominal rate. Each read gives
/// one value of it; a late read gives a later one. So the earliest of the last 10 to 20 s is
/// the best, and a device whose clock drifts stays within a few milliseconds of it.
package struct StreamClock: Sendable {
  /// Frames delivered or lost so far.
  package private(set) var position = 0
  /// How the origin wanders: what the device's clock is off.
  package private(set) var drift = DriftMeter()

  private let nanosecondsPerFrame: Double
  private static let windowNanoseconds: Int64 = 10_000_000_000

  private var earliest = Int64.max
  private var earliestTime: Int64 = 0
  private var earliestBefore = Int64.max
  private var windowEnd = Int64.min

  /// Starts at frame 0.
  package init(sampleRate: Int) { nanosecondsPerFrame = 1e9 / Double(sampleRate) }

  /// The best origin so far, in nanoseconds; `nil` before the first look.
  package var origin: Int64? {
    let origin = min(earliest, earliestBefore)
    return origin == .max ? nil : origin
  }

  /// The origin that follows if `available` frames after ``position`` are there at `time`.
  package func origin(available: Int = 0, at time: Int64) -> Int64 {
    time - nanoseconds(frames: position + available)
  }

  /// Takes note that `available` frames after ``position`` were there at `time`.
  package mutating func observe(available: Int = 0, at time: Int64) {
    let origin = origin(available: available, at: time)
    if time > windowEnd {
      if earliest != .max { drift.add(origin: earliest, at: earliestTime) }
      earliestBefore = earliest
      earliest = .max
      windowEnd = time + Self.windowNanoseconds
    }
    if origin < earliest {
      earliest = origin
      earliestTime = time
    }
  }

  /// How much later than they should have `available` frames after ``position`` were there at `time`,
  /// in nanoseconds; 0 before the first look.
  package func lateness(available: Int = 0, at time: Int64) -> Int64 {
    origin.map { origin(available: available, at: time) - $0 } ?? 0
  }

  /// Frames that are missing between ``position`` and the first of `available` frames at `time`; may
  /// be negative.
  ///
  /// Something must have been observed before.
  package func missing(available: Int = 0, at time: Int64) -> Int {
    frames(nanoseconds: origin(available: available, at: time) - origin!)
  }

  /// Goes on after `frames` frames that were delivered.
  package mutating func advance(by frames: Int) { position += frames }

  /// Goes on after `frames` frames that were lost.
  ///
  /// Their number is known to some milliseconds only, which is no drift.
  package mutating func skip(_ frames: Int) {
    position += frames
    drift.interrupt()
  }

  /// Goes on at `time` with a new stream, which may come sooner or later than the old one: frame 0
  /// would have come at `origin`.
  package mutating func restart(origin: Int64, at time: Int64) {
    earliest = origin
    earliestTime = time
    earliestBefore = .max
    windowEnd = time + Self.windowNanoseconds
    drift.interrupt()
  }

  /// How long `frames` frames last, in nanoseconds.
  package func nanoseconds(frames: Int) -> Int64 { Int64(Double(frames) * nanosecondsPerFrame) }

  /// The frames that last `nanoseconds`, rounded to the nearest.
  package func frames(nanoseconds: Int64) -> Int {
    Int((Double(nanoseconds) / nanosecondsPerFrame).rounded())
  }
}
