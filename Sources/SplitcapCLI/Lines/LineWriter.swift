private import Pipes
internal import SplitcapCore
private import Synchronization

/// Carries lines of text to their reader on a thread of its own.
///
/// A reader that stalls holds up nothing: what does not fit behind it is left out and counted, and
/// the next line says how many were. One that fails or leaves ends this writer alone.
final class LineWriter: Sendable {
  /// How much waits for the reader at most.
  struct Limits: Sendable {
    var lines: Int
    var bytes: Int

    /// For what may be left out.
    static let events = Limits(lines: 1_000, bytes: 1 << 20)
    /// For what must not: days of talk.
    static let transcript = Limits(lines: .max, bytes: 64 << 20)
  }

  private struct State {
    var lines: [String] = []
    /// The place in ``lines`` of the first one that waits.
    var first = 0
    var bytes = 0
    /// Lines left out since the last one that was not.
    var leftOut = 0
    var totalLeftOut = 0
    var isClosed = false
    /// Whether the output is made though no line came.
    var isMadeEmpty = false
    var isOver = false
    /// Whether the output ended before the lines did.
    var hasEnded = false
    var failure: SplitcapError?
    var isUnread = false
    /// Lines that the reader has taken.
    var written = 0

    var waitingCount: Int { lines.count - first }

    /// Takes the first line that waits; in constant time, however many there are.
    mutating func takeFirst() -> String? {
      guard first < lines.count else { return nil }
      let line = lines[first]
      lines[first] = ""
      first += 1
      bytes -= line.utf8.count
      if 2 * first >= lines.count {
        lines.removeFirst(first)
        first = 0
      }
      return line
    }
  }

  private let lines: PlannedLines
  private let limits: Limits
  private let stdoutToStderr: Bool
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())
  private let filled = Semaphore()
  private let patience = Patience()

  /// Starts the thread, which opens the destination once there is a line.
  ///
  /// - Parameters:
  ///   - lines: Where lines go.
  ///   - limits: How much waits for the reader.
  ///   - stdoutToStderr: Whether what a program prints goes to standard error.
  ///   - wake: Wakes the main thread, which then asks how it is.
  init(
    _ lines: PlannedLines, _ limits: Limits, stdoutToStderr: Bool,
    wake: @escaping @Sendable () -> Void
  ) {
    self.lines = lines
    self.limits = limits
    self.stdoutToStderr = stdoutToStderr
    self.wake = wake
    do throws(SplitcapError) {
      _ = try WorkerThread("lines") { self.run() }
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
      guard isLast || state.waitingCount < limits.lines && state.bytes < limits.bytes else {
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

  /// Says that no line follows.
  ///
  /// - Parameter isMadeEmpty: Whether the output is made, or emptied, if no line came either.
  func close(isMadeEmpty: Bool) {
    state.withLock { state in
      state.isClosed = true
      state.isMadeEmpty = isMadeEmpty
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

  /// Whether the reader has left, which is a normal end, or nothing can be written any more.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

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
      var line = next()
      // A recording that could not start destroys nothing.
      guard line != nil || state.withLock({ $0.isMadeEmpty }) else { return end(nil) }
      var output = try LineOutput(
        lines.target, noClobber: lines.noClobber, stdoutToStderr: stdoutToStderr,
        patience: patience
      ) {
        state.withLock { $0.isUnread = true }
        wake()
      }
      while let text = line {
        guard try output.write(text) == .more else {
          state.withLock { $0.hasEnded = true }
          wake()
          break
        }
        state.withLock { $0.written += 1 }
        line = next()
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
      let (line, isClosed) = state.withLock { ($0.takeFirst(), $0.isClosed) }
      if let line { return line }
      if isClosed { return nil }
      filled.wait()
    }
  }

  private func end(_ failure: SplitcapError?) {
    state.withLock { state in
      state.isOver = true
      if failure != nil { state.hasEnded = true }
      state.lines = []
      state.first = 0
      state.failure = failure
    }
    wake()
  }
}
