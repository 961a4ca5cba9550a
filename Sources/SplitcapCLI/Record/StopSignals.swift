private import Glibc
private import SwiftOverlayShims  // where the compiler finds timespec, by the order of its modules

/// The signals that end a recording or cut its files, received by the main thread when it asks for them.
///
/// They are blocked in every thread, so no system call is interrupted and no handler runs.
struct StopSignals: ~Copyable {
  /// What the main thread was woken by.
  enum Received {
    /// SIGINT, SIGTERM or SIGHUP.
    case stop
    /// SIGUSR1.
    case cut
    /// Another thread has something to tell.
    case wake
    /// The time is over.
    case timeout
  }

  /// Wakes the main thread; free to use, since its default is to be ignored.
  private static let wakeSignal = SIGURG

  private var awaited = sigset_t()

  /// Wakes the main thread; may be called on any.
  let wake: @Sendable () -> Void

  /// Blocks the signals in this thread, and so in those that it starts.
  ///
  /// SIGHUP stays ignored where `nohup` has asked for that. SIGPIPE and SIGXFSZ are ignored: a
  /// reader that left and a file that may not grow are errors of one sink. SIGCHLD is not, though
  /// a parent may have left it so: then nobody could learn how a program ended.
  init() {
    let main = pthread_self()
    wake = { _ = pthread_kill(main, Self.wakeSignal) }
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    _ = signal(SIGCHLD, SIG_DFL)
    unsafe _ = sigemptyset(&awaited)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, Self.wakeSignal] where !Self.isNohup(number) {
      unsafe _ = sigaddset(&awaited, number)
    }
    unsafe _ = pthread_sigmask(SIG_BLOCK, &awaited, nil)
  }

  private static func isNohup(_ number: Int32) -> Bool {
    guard number == SIGHUP else { return false }
    var action = sigaction()
    unsafe _ = sigaction(number, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Waits for a signal, for ever or for some milliseconds, fewer than 1000.
  func wait(milliseconds: Int?) -> Received {
    var awaited = awaited
    while true {
      let number: Int32
      if let milliseconds {
        var time = timespec()
        time.tv_nsec = milliseconds * 1_000_000
        number = unsafe sigtimedwait(&awaited, nil, &time)
      } else {
        number = unsafe sigwaitinfo(&awaited, nil)
      }
      switch number {
      case Self.wakeSignal: return .wake
      case SIGUSR1: return .cut
      case 1...: return .stop
      default: if errno == EAGAIN { return .timeout }
      }
    }
  }
}

/// Counts how often the user has asked for the end.
struct StopCount {
  /// No finger presses Ctrl-C twice in this time, in nanoseconds.
  ///
  /// `timeout` and scripts that pass a signal on send it to the program and to its process group,
  /// so that it comes twice for one wish.
  private static let oneWish: Int64 = 100_000_000

  private(set) var count = 0
  private var last: Int64?

  /// Counts a signal that came at `time` in nanoseconds of CLOCK_MONOTONIC.
  mutating func add(at time: Int64) {
    if let last, time - last < Self.oneWish { return }
    count += 1
    last = time
  }
}
