private import Glibc

/// A counting semaphore: one thread sleeps until another one wakes it.
///
/// To post makes a system call only if a thread sleeps, takes no lock and never blocks, so a
/// capture thread may do it.
///
/// The corresponding C type is `sem_t`.
@safe
package final class Semaphore: Sendable {
  // A semaphore may be used from any thread; its address must not change, hence the heap.
  private nonisolated(unsafe) let raw: UnsafeMutablePointer<sem_t>

  /// Makes a semaphore with a count of 0.
  package init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe _ = sem_init(raw, 0, 0)
  }

  deinit {
    unsafe _ = sem_destroy(raw)
    unsafe raw.deallocate()
  }

  /// Adds 1 to the count, which wakes a sleeper.
  package func post() { unsafe _ = sem_post(raw) }

  /// Sleeps until the count is above 0, then takes 1 away.
  package func wait() {
    while unsafe sem_wait(raw) != 0 {}
  }
}
