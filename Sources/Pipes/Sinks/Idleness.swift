internal import SplitcapCore

/// Decides when a reader that takes nothing is given up.
///
/// Only time since the recording began to end counts: a recogniser may have been at work on what it
/// took for long.
struct Idleness {
  private let patience: Patience
  private var start = SystemClock.monotonic

  init(_ patience: Patience) { self.patience = patience }

  /// The reader took something.
  mutating func reset() { start = SystemClock.monotonic }

  /// Throws if the reader of `name` is to wait for no longer; ask at least every 100 ms.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` with `message` and `hint`, or `cancelled`.
  mutating func check(
    _ name: String, _ message: String, hint: String? = nil
  ) throws(SplitcapError) {
    let now = SystemClock.monotonic
    if !patience.isOver(after: Patience.limit) { start = now }
    guard patience.isOver(after: .nanoseconds(now - start)) else { return }
    if patience.isOver(after: .zero) {
      throw SplitcapError(.cancelled, "gave up writing to \(name)")
    }
    throw SplitcapError(.sinkFailed, message, hint: hint)
  }
}
