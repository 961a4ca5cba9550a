/// Estimates how far a device's clock is off from the system's, by a straight line through the
/// stream's origins.
///
/// The line is the one of least squares. A loss ends a line, since its length is known to some
/// milliseconds only; the estimate of the longest line is kept.
package struct DriftMeter: Sendable {
  /// What a clock may be off, in parts per million: beyond it, frames must be missing.
  package static let limit = 500.0

  /// The shortest line that is believed: a late read of 5 ms is 80 ppm of it.
  private static let shortestSeconds = 60.0

  private var start: (time: Int64, origin: Int64)?
  private var count = 0.0
  private var sumX = 0.0
  private var sumY = 0.0
  private var sumXX = 0.0
  private var sumXY = 0.0
  private var longestSpan = 0.0

  /// Parts per million that the device is too fast, or, if negative, too slow; `nil` if there was
  /// no undisturbed minute.
  package private(set) var partsPerMillion: Double?

  /// What was off by more than ``limit``, the last time that something was.
  package private(set) var excess: Double?

  init() {}

  /// Takes note of an origin, in nanoseconds, that was seen at `time`.
  mutating func add(origin: Int64, at time: Int64) {
    let start = start ?? (time, origin)
    self.start = start
    let x = Double(time - start.time) * 1e-9
    let y = Double(origin - start.origin) * 1e-3
    count += 1
    sumX += x
    sumY += y
    sumXX += x * x
    sumXY += x * y
    guard x >= Self.shortestSeconds else { return }
    // An origin that comes sooner and sooner, in microseconds a second: the device is too fast.
    let slope = -(count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX)
    if abs(slope) > Self.limit { excess = slope }
    guard x >= longestSpan else { return }
    longestSpan = x
    partsPerMillion = slope
  }

  /// Ends the line.
  mutating func interrupt() {
    start = nil
    (count, sumX, sumY, sumXX, sumXY) = (0, 0, 0, 0, 0)
  }
}
