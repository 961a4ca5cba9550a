/// What is done for a sink whose queue is full.
public enum SlowRule: String, CaseIterable, Sendable {
  /// What does not fit becomes silence of the same length, so that all that follows stands on its
  /// frame.
  case silence
  /// What does not fit is left out, so that the sink is never farther behind than its queue is long.
  case skip
  /// The source waits; for sources that can.
  case block
  /// The sink is given up: it has failed.
  case close
}
