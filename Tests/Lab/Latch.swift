import Foundation

/// Closed until it is opened, then open for ever.
final class Latch: Sendable {
  private let condition = NSCondition()
  private nonisolated(unsafe) var isOpen = false

  func open() {
    condition.withLock {
      unsafe isOpen = true
      condition.broadcast()
    }
  }

  /// Waits until it is open; false after `limit`.
  func wait(within limit: Duration) -> Bool {
    let deadline = Date(timeIntervalSinceNow: limit / .seconds(1))
    return condition.withLock {
      while unsafe !isOpen {
        if !condition.wait(until: deadline) { return unsafe isOpen }
      }
      return true
    }
  }

  var isOpened: Bool { condition.withLock { unsafe isOpen } }
}

/// Sleeps; for questions that are asked again.
public func pause(milliseconds: Int) { _ = usleep(UInt32(milliseconds) * 1_000) }
