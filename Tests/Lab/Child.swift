import Foundation

/// One child process: started, signalled while it lives, reaped once.
final class Child: Sendable {
  let pid: pid_t
  private let ended = Latch()
  private let lock = NSLock()
  private nonisolated(unsafe) var status: Program.Status?

  /// Starts `words`, which dies with the test's process.
  ///
  /// The program gets `descriptors` (its number: ours) and no other, no blocked or ignored signal.
  init(
    _ words: [String], environment: [String: String], descriptors: [Int32: Int32],
    folder: String?, ownGroup: Bool
  ) throws {
    var arguments = ["setpriv", "--pdeathsig", "KILL", "--"]
    if let folder { arguments += ["env", "--chdir=\(folder)"] }
    arguments += words
    pid = try Launcher.shared.run { [arguments] in
      try Tube.descriptors.withLock {
        try Self.spawn(
          arguments, environment: environment, descriptors: descriptors, ownGroup: ownGroup)
      }
    }
    Thread.detachNewThread { [self] in reap() }
  }

  var hasEnded: Bool { ended.isOpened }

  func signal(_ number: Int32) {
    // While the lock is held and there is no status, the process is not reaped: the number is its.
    lock.withLock {
      if unsafe status == nil { _ = Foundation.kill(pid, number) }
    }
  }

  func kill() { signal(SIGKILL) }

  /// Waits for the end; `nil` after `limit`.
  func wait(within limit: Duration) -> Program.Status? {
    guard ended.wait(within: limit) else { return nil }
    return lock.withLock { unsafe status }
  }

  private func reap() {
    var information = unsafe siginfo_t()
    // Looks first and reaps under the lock, so that no signal goes to a number used again.
    while unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    lock.withLock {
      var raw: Int32 = 0
      _ = unsafe waitpid(pid, &raw, 0)
      let signal = raw & 0x7F
      unsafe status = signal == 0 ? .exited((raw >> 8) & 0xFF) : .killed(signal)
    }
    ended.open()
  }

  private static func spawn(
    _ words: [String], environment: [String: String], descriptors: [Int32: Int32],
    ownGroup: Bool
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    let firstCopy: Int32 = 200
    // Copies above all targets, so that no target overwrites a source still needed.
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for (target, source) in descriptors {
      let copy = fcntl(source, F_DUPFD_CLOEXEC, firstCopy)
      guard copy >= 0 else { throw LabError("descriptor \(source) is not open") }
      copies.append(copy)
      unsafe posix_spawn_file_actions_adddup2(&actions, copy, target)
    }
    // What other tests have open at this moment is not for this program.
    for number in 0..<1_024 where descriptors[Int32(number)] == nil {
      unsafe posix_spawn_file_actions_addclose(&actions, Int32(number))
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    if ownGroup { flags |= POSIX_SPAWN_SETPGROUP }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var arguments = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
    unsafe variables.append(nil)
    defer {
      unsafe (arguments + variables).forEach { unsafe free($0) }
    }
    var pid: pid_t = 0
    let failure = unsafe posix_spawnp(
      &pid, words[0], &actions, &attributes, arguments, variables)
    guard failure == 0 else { throw LabError("cannot start '\(words)': errno \(failure)") }
    return pid
  }
}

/// A thread that lives as long as the process, and starts every child.
///
/// The system ties a child to the *thread* that started it: a child of a pool's thread would be
/// killed when the pool lets that thread go.
final class Launcher: Sendable {
  static let shared = Launcher()

  private let condition = NSCondition()
  private nonisolated(unsafe) var jobs: [@Sendable () -> Void] = []

  private init() {
    // A program that ends before it has read its input is no reason for the tests to die.
    _ = signal(SIGPIPE, SIG_IGN)
    // What the tests' own runner left open is not for the programs they start.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let number = Int32(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
    Thread.detachNewThread { [self] in
      while true {
        let job = condition.withLock {
          while unsafe jobs.isEmpty { condition.wait() }
          return unsafe jobs.removeFirst()
        }
        job()
      }
    }
  }

  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) throws -> Value {
    let done = Latch()
    nonisolated(unsafe) var result: Result<Value, any Error>?
    condition.withLock {
      unsafe jobs.append {
        unsafe result = Result(catching: work)
        done.open()
      }
      condition.signal()
    }
    guard done.wait(within: .seconds(60)), let result = unsafe result else {
      throw LabError("the launcher hangs")
    }
    return try result.get()
  }
}
