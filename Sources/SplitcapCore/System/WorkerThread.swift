private import CLinux
private import Glibc

/// A thread of its own for work that blocks, such as reading a sound card.
///
/// Swift's concurrency pool has one thread for each core and expects no task to block one of
/// them, so whatever waits in a C call runs here. A thread that is not joined goes on by itself.
package struct WorkerThread: ~Copyable, Sendable {
  private let thread: pthread_t

  /// Starts `body` on a new thread and moves `state` there.
  ///
  /// A noncopyable state, such as a source or one end of a ring, leaves the calling thread for
  /// good: to use it here afterwards does not compile.
  ///
  /// - Parameters:
  ///   - name: What `top` and `ps` show; at most 15 bytes.
  ///   - state: What the body gets.
  ///   - body: The work.
  /// - Throws: ``SplitcapError`` of kind `backend` if there can be no more threads; `state` is dropped.
  package init<State: ~Copyable & Sendable>(
    _ name: String, _ state: consuming State,
    body: @escaping @Sendable (consuming State) -> Void
  ) throws(SplitcapError) {
    let luggage = Luggage(state)
    let entry = unsafe Unmanaged.passRetained(Entry { body(luggage.take()) })
    var created = pthread_t()
    let status = unsafe pthread_create(
      &created, nil,
      { argument in
        let entry = unsafe Unmanaged<Entry>.fromOpaque(argument!).takeRetainedValue()
        entry.run()
        return nil
      }, entry.toOpaque())
    guard status == 0 else {
      unsafe entry.release()
      throw SplitcapError(
        .backend, "cannot start another thread: \(Errno(status))",
        hint: "see the limits with 'ulimit -u' and 'ulimit -v'")
    }
    unsafe _ = pthread_setname_np(created, name)
    thread = created
  }

  /// Starts `body` on a new thread; `name` and errors as above.
  package init(_ name: String, body: @escaping @Sendable () -> Void) throws(SplitcapError) {
    try self.init(name, (), body: { _ in body() })
  }

  /// A thread that nobody waits for goes on, and leaves nothing behind.
  deinit { _ = pthread_detach(thread) }

  /// Waits until the body has returned.
  package consuming func join() {
    _ = pthread_join(thread, nil)
    discard self
  }

  /// A noncopyable state on its way to the new thread; taken once.
  ///
  /// `@unchecked Sendable`: one thread puts it in, then the other takes it out.
  private final class Luggage<State: ~Copyable & Sendable>: @unchecked Sendable {
    private var state: State?

    init(_ state: consuming State) { self.state = consume state }

    func take() -> State { state.take()! }
  }

  /// A closure in a class, since `pthread_create` carries one pointer.
  private final class Entry {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
