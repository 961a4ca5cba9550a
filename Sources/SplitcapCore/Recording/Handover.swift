private import Synchronization

/// A value that one thread leaves for another to take once.
final class Handover<Value: Sendable>: Sendable {
  private let value: Mutex<Value?> = Mutex(nil)

  func put(_ value: Value) { self.value.withLock { $0 = value } }

  /// Takes it; traps if it is not there.
  func take() -> Value { value.withLock { $0.take()! } }
}

/// When frame 0 was captured; set by the capture thread before that frame is handed on.
///
/// Nothing is ordered by it: the ring hands it on with the frame.
final class StartTime: Sendable {
  private let nanoseconds = Atomic<Int64>(.min)

  func set(_ value: Int64) { nanoseconds.store(value, ordering: .relaxed) }

  /// Nanoseconds since 1970 (UTC); `nil` until it is set.
  var value: Int64? {
    let value = nanoseconds.load(ordering: .relaxed)
    return value == .min ? nil : value
  }
}
