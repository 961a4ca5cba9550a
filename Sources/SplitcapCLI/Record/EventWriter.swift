private import Pipes
internal import SplitcapCore
private import Synchronization

/// Carries lines of events to their reader on a thread of its own.
///
/// A reader that stalls holds up nothing: what does not fit behind it is left out and counted, and
/// the next line says how many were. One that fails or leaves ends this writer alone.
final class EventWriter: Sendable {
  /// Lines that wait for the reader, and their bytes, at most.
  private static let lineLimit = 1_000
  private static let byteLimit = 1 << 20

  private struct State {
    var lines: [String] = []
    var bytes = 0
    /// Lines left out since the last one that was not.
    var leftOut = 0
    var totalLeftOut = 0
    var isClosed = false
    var isOver = false
    var failure: SplitcapError?
    var isUnread = false
    /// Lines that the reader has taken.
    var written = 0
  }

  private let events: PlannedEvents
  private let stdoutToStderr: Bool
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())
  private let filled = Semaphore()
  private let patience = Patience()

  /// Starts the thread, which opens the destination.
  ///
  /// - Parameters:
  ///   - events: Where lines go.
  ///   - stdoutToStderr: Whether what a program prints goes to standard error.
  ///   - wake: Wakes the main thread, which then asks how it is.
  init(_ events: PlannedEvents, stdoutToStderr: Bool, wake: @escaping @Sendable () -> Void) {
    self.events = events
    self.stdoutToStderr = stdoutToStderr
    self.wake = wake
    do throws(SplitcapError) {
      _ = try WorkerThread("events") { self.run() }
    } catch {
      end(error)
    }
  }

  /// Puts a line behind all others, or counts it if there is no room.
  ///
  /// - Parameters:
  ///   - isLast: Whether there is always room for it.
  ///   - line: Makes the line, which is to say how many were left out before it.
  func add(isLast: Bool = false, _ line: (_ leftOut: Int) -> String) {
    state.withLock { state in
      if state.isOver || state.isClosed { return }
      guard isLast || state.lines.count < Self.lineLimit && state.bytes < Self.byteLimit else {
        state.leftOut += 1
        state.totalLeftOut += 1
        return
      }
      let text = line(state.leftOut)
      state.leftOut = 0
      state.bytes += text.utf8.count
      state.lines.append(text)
      state.isClosed = isLast
    }
    filled.post()
  }

  /// Bounds how long a reader that takes nothing is waited for.
  func hurry() { patience.shorten() }

  /// Waits for no one any more.
  func abandon() { patience.end() }

  /// Whether all is written, or nothing can be any more.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Lines that the reader has taken.
  var written: Int { state.withLock { $0.written } }

  /// Lines that were left out.
  var totalLeftOut: Int { state.withLock { $0.totalLeftOut } }

  /// Whether there is a failure to tell.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Whether nobody has come to read for some seconds; told once.
  func takeUnread() -> Bool {
    state.withLock { state in
      defer { state.isUnread = false }
      return state.isUnread
    }
  }

  /// Why it failed, told once.
  func takeFailure() -> SplitcapError? { state.withLock { $0.failure.take() } }

  private func run() {
    do throws(SplitcapError) {
      var output = try LineOutput(
        events.target, noClobber: events.noClobber, stdoutToStderr: stdoutToStderr,
        patience: patience
      ) {
        state.withLock { $0.isUnread = true }
        wake()
      }
      while let line = next() {
        guard try output.write(line) == .more else { break }
        state.withLock { $0.written += 1 }
      }
      // No line more is of use, also while a program takes its time to end.
      state.withLock { $0.isClosed = true }
      try output.finish()
      end(nil)
    } catch {
      end(error)
    }
  }

  /// The next line; `nil` behind the last one.
  private func next() -> String? {
    while true {
      let (line, isClosed) = state.withLock { state -> (String?, Bool) in
        guard !state.lines.isEmpty else { return (nil, state.isClosed) }
        let line = state.lines.removeFirst()
        state.bytes -= line.utf8.count
        return (line, state.isClosed)
      }
      if let line { return line }
      if isClosed { return nil }
      filled.wait()
    }
  }

  private func end(_ failure: SplitcapError?) {
    state.withLock { state in
      state.isOver = true
      state.lines = []
      state.failure = failure
    }
    wake()
  }
}
