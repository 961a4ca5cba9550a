/// Where a device's stream stands against CLOCK_MONOTONIC, to measure what an overrun lost.
///
/// The *origin* is the time at which frame 0 would have been captured at the nominal rate. Each
/// look at the device gives one value of it; a late look gives a later one. So the earliest of
/// the last 10 to 20 s is the best, and a device whose clock drifts stays within a few
/// milliseconds.
struct StreamClock {
  /// Frames delivered or reported as lost.
  private(set) var position = 0

  private let nanosecondsPerFrame: Double
  private static let windowNanoseconds: Int64 = 10_000_000_000

  private var earliest = Int64.max
  private var earliestBefore = Int64.max
  private var windowEnd = Int64.min

  /// Starts at frame 0.
  init(sampleRate: Int) { nanosecondsPerFrame = 1e9 / Double(sampleRate) }

  /// Takes note that `available` frames after ``position`` were captured at `time`.
  mutating func observe(available: Int, at time: Int64) {
    let origin = time - Int64(Double(position + available) * nanosecondsPerFrame)
    if time > windowEnd {
      earliestBefore = earliest
      earliest = .max
      windowEnd = time + Self.windowNanoseconds
    }
    earliest = min(earliest, origin)
  }

  /// Frames that are missing between ``position`` and the first of `available` frames at `time`.
  ///
  /// At least 1: it is asked after an overrun. Something must have been observed before.
  func missing(available: Int, at time: Int64) -> Int {
    let elapsed = Double(time - min(earliest, earliestBefore))
    let captured = Int((elapsed / nanosecondsPerFrame).rounded())
    return max(1, captured - available - position)
  }

  /// Goes on after `frames` frames that were delivered or lost.
  mutating func advance(by frames: Int) { position += frames }
}
