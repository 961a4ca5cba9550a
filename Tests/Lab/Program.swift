public import Foundation

/// A program that runs beside a test, with real descriptors, signals and exit status.
///
/// It is killed with this object, and by the system if the test's process dies. Whatever it
/// prints is collected by threads, so it never waits for the test to read.
public final class Program: Sendable {
  /// Where standard input comes from.
  public enum Input: Sendable {
    /// `/dev/null`.
    case none
    /// These bytes, then end of file.
    case bytes([UInt8])
    /// ``Program/write(_:)`` and ``Program/closeInput()``.
    case held
    /// A descriptor of the caller's, who still owns it.
    case descriptor(Int32)
  }

  /// Where standard output or error goes.
  public enum Output: Sendable {
    /// Into ``Outcome``.
    case collected
    /// A descriptor of the caller's, who still owns it.
    case descriptor(Int32)
  }

  /// How a program ended.
  public enum Status: Sendable, Equatable {
    /// It exited with this status.
    case exited(Int32)
    /// This signal ended it.
    case killed(Int32)
  }

  /// What a program left behind.
  public struct Outcome: Sendable {
    /// How it ended.
    public let status: Status
    /// What it wrote to standard output.
    public let output: [UInt8]
    /// What it wrote to standard error.
    public let errors: String

    /// ``output`` as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Its process.
  public var pid: pid_t { child.pid }

  /// The program and its arguments, for messages.
  public let command: String

  private let child: Child
  private let input: Feed
  private let output: Collector?
  private let errors: Collector?

  /// Starts a program: a path, or a name that is looked up in `PATH`.
  ///
  /// `environment` is what differs from the test's own, where `nil` removes a variable.
  /// `descriptors` are further ones: the number in the program, and the caller's. With `ownGroup`
  /// it leads a process group, as under a shell.
  public init(
    _ name: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    input: Input = .none, output: Output = .collected, errors: Output = .collected,
    descriptors: [Int32: Int32] = [:], folder: String? = nil, ownGroup: Bool = false
  ) throws {
    command = ([name] + arguments).joined(separator: " ")
    var map = descriptors
    var toClose: [FileHandle] = []
    var held: FileHandle?

    switch input {
    case .none:
      let null = try Tube.open("/dev/null", O_RDONLY)
      map[0] = null.fileDescriptor
      toClose.append(null)
    case .descriptor(let descriptor):
      map[0] = descriptor
    case .bytes, .held:
      let tube = try Tube()
      map[0] = tube.reading.fileDescriptor
      toClose.append(tube.reading)
      held = tube.writing
    }

    func collector(_ wanted: Output, as number: Int32) throws -> Collector? {
      switch wanted {
      case .descriptor(let descriptor):
        map[number] = descriptor
        return nil
      case .collected:
        let tube = try Tube()
        map[number] = tube.writing.fileDescriptor
        toClose.append(tube.writing)
        return Collector(tube.reading)
      }
    }
    self.output = try collector(output, as: 1)
    self.errors = try collector(errors, as: 2)

    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    child = try Child(
      [name] + arguments, environment: variables, descriptors: map, folder: folder,
      ownGroup: ownGroup)
    for handle in toClose { try handle.close() }
    self.output?.start()
    self.errors?.start()
    if case .bytes(let bytes) = input, let held {
      self.input = Feed(nil)
      Thread.detachNewThread {
        // A program that does not want all of its input is no fault.
        try? held.write(contentsOf: Data(bytes))
        try? held.close()
      }
    } else {
      self.input = Feed(held)
    }
  }

  deinit {
    child.kill()
    input.close()
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool { !child.hasEnded }

  /// Sends a signal; nothing if it has ended.
  public func signal(_ number: Int32) { child.signal(number) }

  /// Writes to its standard input, which must be `held`.
  public func write(_ bytes: [UInt8]) throws {
    try input.write(bytes)
  }

  /// Ends its standard input, which must be `held`.
  public func closeInput() { input.close() }

  /// What it has written to standard output so far.
  public var outputSoFar: [UInt8] { output?.bytes ?? [] }

  /// What it has written to standard error so far.
  public var errorsSoFar: String { String(decoding: errors?.bytes ?? [], as: UTF8.self) }

  /// Waits until it has ended and what it wrote has been read.
  ///
  /// After `limit` a program that hangs is killed, and an error fails the test.
  @discardableResult
  public func wait(within limit: Duration = .seconds(60)) throws -> Outcome {
    guard let status = child.wait(within: limit) else {
      child.kill()
      throw LabError("'\(command)' still ran after \(limit); it had said: \(errorsSoFar)")
    }
    // Children of its own may hold its output open; they get as long.
    guard output?.wait(within: limit) ?? true, errors?.wait(within: limit) ?? true else {
      throw LabError("'\(command)' ended, but something holds its output open")
    }
    return Outcome(status: status, output: outputSoFar, errors: errorsSoFar)
  }

  /// Asks it to end with SIGTERM, and kills it if it does not.
  public func terminate() {
    signal(SIGTERM)
    if child.wait(within: .seconds(5)) == nil { child.kill() }
  }

  /// Runs a program to its end.
  public static func run(
    _ name: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    input: Input = .none, output: Output = .collected, errors: Output = .collected,
    within limit: Duration = .seconds(60)
  ) throws -> Outcome {
    try Program(
      name, arguments, environment: environment, input: input, output: output, errors: errors
    ).wait(within: limit)
  }

  /// Runs a program to its end, and fails if it exits with another status than 0.
  @discardableResult
  public static func output(
    of name: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    input: Input = .none
  ) throws -> String {
    let outcome = try run(name, arguments, environment: environment, input: input)
    guard outcome.status == .exited(0) else {
      throw LabError("'\(name) \(arguments)': \(outcome.status): \(outcome.errors)")
    }
    return outcome.text
  }

  /// The path of the `splitcap` that was built with the tests; `SPLITCAP_BINARY` names another.
  public static let splitcap: String = {
    if let path = ProcessInfo.processInfo.environment["SPLITCAP_BINARY"] { return path }
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("splitcap").path
  }()
}

/// The end of a pipe that feeds a program, until it is closed.
final class Feed: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var handle: FileHandle?

  init(_ handle: FileHandle?) { unsafe self.handle = handle }

  func write(_ bytes: [UInt8]) throws {
    guard let handle = lock.withLock({ unsafe handle }) else { throw LabError("input is closed") }
    try handle.write(contentsOf: Data(bytes))
  }

  func close() {
    lock.withLock {
      try? unsafe handle?.close()
      unsafe handle = nil
    }
  }
}

/// Reads a descriptor to its end on a thread.
final class Collector: Sendable {
  private let handle: FileHandle
  private let lock = NSLock()
  private nonisolated(unsafe) var collected: [UInt8] = []
  private let isAtEnd = Latch()

  init(_ handle: FileHandle) { self.handle = handle }

  var bytes: [UInt8] { lock.withLock { unsafe collected } }

  func start() {
    Thread.detachNewThread { [self] in
      // Not the handle's own read, which waits until all of what was asked for has come.
      var part = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = unsafe read(handle.fileDescriptor, &part, part.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        lock.withLock { unsafe collected.append(contentsOf: part.prefix(count)) }
      }
      try? handle.close()
      isAtEnd.open()
    }
  }

  func wait(within limit: Duration) -> Bool { isAtEnd.wait(within: limit) }
}
