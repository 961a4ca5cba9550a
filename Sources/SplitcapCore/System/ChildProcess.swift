private import Glibc

/// Owns a shell that runs a command, in a process group of its own.
///
/// The group keeps a Ctrl-C at the terminal from it, so that it may speak its last words. A value
/// that is dropped ends the command; no zombie stays behind.
package struct ChildProcess: ~Copyable, Sendable {
  /// What the command reads.
  package enum Input: Sendable {
    /// What is written to ``ChildProcess/input``.
    case pipe
    /// An open descriptor of ours, which stays ours.
    case descriptor(Int32)
    /// Nothing: `/dev/null`.
    case nothing
  }

  /// Where the command's standard output goes.
  package enum Output: Sendable {
    /// To ``ChildProcess/output``.
    case pipe
    /// The same; and what it writes to descriptor 3, to ``ChildProcess/events``.
    case pipes
    /// Where our own goes.
    case inherited
    /// Where our standard error goes, since our standard output is taken.
    case standardError
  }

  /// How a process ended.
  package enum Ending: Sendable, Equatable {
    /// It exited with this status.
    case exited(Int)
    /// This signal ended it.
    case killed(signal: Int)
    /// It has ended, and nobody can say how: someone else has asked for it first.
    case unknown
  }

  /// The process, which is also its group.
  package let id: Int32
  /// The writing end of its standard input, until someone takes it to close it.
  package var input: Descriptor?
  /// The reading end of its standard output, until someone takes it.
  package var output: Descriptor?
  /// The reading end of its descriptor 3, until someone takes it.
  package var events: Descriptor?
  /// How it ended; `nil` while it runs, as far as ``hasEnded()`` has looked.
  package private(set) var ending: Ending?

  /// Starts `/bin/sh -c command`.
  ///
  /// The command has no descriptors but those above and standard error, no signal is ignored or
  /// blocked in it, and no `SPLITCAP_…` variable of our own environment reaches it.
  ///
  /// - Parameters:
  ///   - command: For the shell.
  ///   - environment: Variables to add to ours.
  ///   - input: What it reads.
  ///   - output: Where it writes.
  /// - Throws: The error of the system if there can be no more processes or descriptors.
  ///
  /// The corresponding C function is `posix_spawn`.
  package init(
    shell command: String, environment: [String: String] = [:], input: Input, output: Output
  ) throws(Errno) {
    var toChild = Pipe.none
    var source: Int32?
    switch input {
    case .pipe: toChild = try Pipe()
    case .descriptor(let number): source = number
    case .nothing: break
    }
    var fromChild = output == .pipe || output == .pipes ? try Pipe() : Pipe.none
    var aside = output == .pipes ? try Pipe() : Pipe.none
    id = try Spawn.shell(
      command, environment: environment,
      streams: Spawn.Streams(
        input: toChild.reading?.raw ?? source, output: fromChild.writing?.raw,
        events: aside.writing?.raw,
        outputIsError: output == .standardError))
    // The ends that are the program's are closed here.
    self.input = toChild.writing.take()
    self.output = fromChild.reading.take()
    events = aside.reading.take()
  }

  deinit {
    guard ending == nil else { return }
    _ = Self.terminate(id)
  }

  /// Looks whether it has ended, without waiting.
  package mutating func hasEnded() -> Bool {
    if ending == nil { ending = Self.collect(id, waiting: false) }
    return ending != nil
  }

  /// Waits until it has ended, or `isOver` says so.
  ///
  /// - Returns: How it ended; `nil` if it goes on.
  package mutating func wait(until isOver: () -> Bool) -> Ending? {
    var pause = Pause()
    while !hasEnded() && !isOver() { pause.wait() }
    return ending
  }

  /// Ends it with all that it started: SIGTERM, and SIGKILL if it goes on for a second.
  package mutating func terminate() -> Ending {
    if !hasEnded() { ending = Self.terminate(id) }
    return ending!
  }

  private static func terminate(_ id: Int32) -> Ending {
    _ = kill(-id, SIGTERM)
    let start = SystemClock.monotonic
    var ending: Ending?
    var pause = Pause()
    while SystemClock.monotonic - start < 1_000_000_000 {
      ending = ending ?? collect(id, waiting: false)
      // The shell may have ended before what it started.
      if let ending, kill(-id, 0) != 0 { return ending }
      pause.wait()
    }
    _ = kill(-id, SIGKILL)
    return ending ?? collect(id, waiting: true)!
  }

  /// The corresponding C function is `waitpid`.
  private static func collect(_ id: Int32, waiting: Bool) -> Ending? {
    var status: Int32 = 0
    do throws(Errno) {
      guard try Errno.check({ unsafe waitpid(id, &status, waiting ? 0 : WNOHANG) }) != 0 else {
        return nil
      }
    } catch {
      return .unknown
    }
    // The low seven bits are the signal; 0 is an exit, whose status is in the next byte.
    let signal = Int(status & 0x7f)
    return signal == 0 ? .exited(Int(status >> 8 & 0xff)) : .killed(signal: signal)
  }
}

/// Waits that grow from 1 to 50 ms: short for what ends soon, rare for what takes hours.
struct Pause {
  private var milliseconds: UInt32 = 1

  mutating func wait() {
    _ = usleep(milliseconds * 1000)
    milliseconds = min(milliseconds * 2, 50)
  }
}
