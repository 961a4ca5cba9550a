private import Synchronization

/// How long a sink may wait for a reader that takes nothing.
///
/// Each sink has one of its own, within that of its recording.
///
/// While frames come there is no limit: the queue takes what does not fit. Once the recording is
/// to end, a reader that takes nothing for ``limit`` is given up, so that it can't hold up the end.
public final class Patience: Sendable {
  private enum State {
    static let endless = 0
    static let limited = 1
    static let over = 2
  }

  private let state = Atomic<Int>(State.endless)
  /// Whose end is the end of this one, too.
  private let whole: Patience?

  /// How long a reader may take nothing once the recording is ending.
  public static let limit: Duration = .seconds(2)

  /// Makes patience without end.
  public init() { whole = nil }

  /// Makes patience that lasts no longer than that of the whole.
  package init(within whole: Patience) { self.whole = whole }

  /// Starts the limit, since the recording is to end.
  public func shorten() {
    _ = state.compareExchange(expected: State.endless, desired: State.limited, ordering: .relaxed)
  }

  /// Ends all waiting at once.
  public func end() { state.store(State.over, ordering: .relaxed) }

  /// Whether the recording is to end.
  package var isEnding: Bool { current != State.endless }

  private var current: Int {
    max(state.load(ordering: .relaxed), whole?.current ?? State.endless)
  }

  /// Whether a reader that has taken nothing for `idle` may be given up.
  public func isOver(after idle: Duration) -> Bool {
    switch current {
    case State.endless: false
    case State.limited: idle >= Self.limit
    default: true
    }
  }
}
