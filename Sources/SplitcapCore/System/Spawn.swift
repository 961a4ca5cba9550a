private import CLinux
private import Glibc

/// Both ends of a pipe, until they are taken; closed in programs that are started later.
struct Pipe: ~Copyable {
  var reading: Descriptor?
  var writing: Descriptor?

  /// The corresponding C function is `pipe2`.
  init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    _ = try Errno.check { unsafe pipe2(&ends, O_CLOEXEC) }
    reading = Descriptor(adopting: ends[0])
    writing = Descriptor(adopting: ends[1])
  }

  private init(none: ()) {}

  /// No pipe.
  static var none: Pipe { Pipe(none: ()) }
}

/// Starts programs.
enum Spawn {
  /// The descriptors of ours that become a program's standard input and output.
  struct Streams {
    /// `nil` for `/dev/null`.
    var input: Int32?
    /// `nil` for our own standard output.
    var output: Int32?
    /// What becomes descriptor 3; `nil` for nothing.
    var events: Int32?
    /// Whether standard output goes where standard error goes.
    var outputIsError: Bool
  }

  /// Starts `/bin/sh -c command`; see ``ChildProcess``.
  static func shell(
    _ command: String, environment: [String: String], streams: Streams
  ) throws(Errno) -> Int32 {
    var attributes = posix_spawnattr_t()
    unsafe _ = posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    setAttributes(&attributes)

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe _ = posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe add(streams, to: &actions)

    var variables = inheritedVariables()
    variables += environment.map { "\($0.key)=\($0.value)" }
    var id: pid_t = 0
    let status = unsafe withCStrings(["sh", "-c", command]) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, variables)
      }
    }
    guard status == 0 else { throw Errno(status) }
    return id
  }

  private static func setAttributes(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    unsafe _ = sigfillset(&signals)
    unsafe _ = posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe _ = sigemptyset(&signals)
    unsafe _ = posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe _ = posix_spawnattr_setpgroup(&attributes, 0)  // a group of its own
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe _ = posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func add(_ streams: Streams, to actions: inout posix_spawn_file_actions_t) {
    if let input = streams.input {
      unsafe _ = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      unsafe _ = posix_spawn_file_actions_addopen(
        &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output = streams.output {
      unsafe _ = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else if streams.outputIsError {
      unsafe _ = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    }
    // Last, since 3 may be the number of one of those above.
    if let events = streams.events {
      unsafe _ = posix_spawn_file_actions_adddup2(&actions, events, STDERR_FILENO + 1)
    }
    let first = STDERR_FILENO + (streams.events == nil ? 1 : 2)
    unsafe _ = posix_spawn_file_actions_addclosefrom_np(&actions, first)
  }

  /// Our environment less what only the recorder of a recorder would have set.
  private static func inheritedVariables() -> [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      let text = unsafe String(cString: variable)
      if !text.hasPrefix("SPLITCAP_") { variables.append(text) }
      unsafe next = next.successor()
    }
    return variables
  }

  /// Calls `body` with a C array of C strings, ended by a null pointer.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
  }
}
