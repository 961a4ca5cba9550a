private import Synchronization

/// A value that one thread leaves for another to take once.
final class Handover<Value: Sendable>: Sendable {
  private let value: Mutex<Value?> = Mutex(nil)

  func put(_ value: Value) { self.value.withLock { $0 = value } }

  /// What was put last; `nil` if nothing was.
  var current: Value? { value.withLock { $0 } }

  /// Takes it; traps if it is not there.
  func take() -> Value { value.withLock { $0.take()! } }
}

/// When frame 0 was captured; set by the capture thread before that frame is handed on.
final class StartTime: Sendable {
  private let wall = Atomic<Int64>(.min)
  private let monotonic = Atomic<Int64>(0)

  /// Sets it to so many nanoseconds before now.
  func set(beforeNow nanoseconds: Int64) {
    monotonic.store(SystemClock.monotonic - nanoseconds, ordering: .relaxed)
    wall.store(SystemClock.wall - nanoseconds, ordering: .releasing)
  }

  /// The time by both clocks, in nanoseconds; `nil` until it is set.
  var value: (wall: Int64, monotonic: Int64)? {
    let wall = wall.load(ordering: .acquiring)
    return wall == .min ? nil : (wall, monotonic.load(ordering: .relaxed))
  }
}
