private import Glibc
internal import SplitcapCore

/// Where the bytes of a stream come from: a descriptor, and the program behind it if there is one.
struct StreamInput: ~Copyable, Sendable {
  /// What one read gave.
  enum Result {
    case bytes(Int)
    /// Nothing came in 100 ms.
    case nothing
    case end
  }

  /// What it is called in messages.
  let name: String
  /// Whether reading never waits for anyone.
  let isFile: Bool
  private let descriptor: Descriptor
  private var program: ChildProcess?
  /// What the program says about its sound; `nil` if there is no program.
  var events: SourceEvents?

  private static let waitMilliseconds: Int32 = 100

  private init(
    _ name: String, _ descriptor: consuming Descriptor, program: consuming ChildProcess? = nil,
    events: consuming SourceEvents? = nil
  ) throws(Errno) {
    let kind = try descriptor.kind
    self.name = name
    isFile = kind == .file
    self.descriptor = descriptor
    self.program = program
    self.events = events
  }

  /// Opens `origin`; starts its program.
  static func open(_ origin: StreamSource.Origin) throws(SplitcapError) -> StreamInput {
    do throws(Errno) {
      switch origin {
      case .file(let path):
        // Without O_NONBLOCK the open of a FIFO would wait for its writer, and hear no Ctrl-C.
        return try StreamInput(origin.name, Descriptor(opening: path, O_RDONLY | O_NONBLOCK))
      case .standardInput:
        return try StreamInput(origin.name, .takingOver(STDIN_FILENO))
      case .program(let command):
        var program = try ChildProcess(shell: command, input: .nothing, output: .pipes)
        let output = program.output.take()!
        let events = try SourceEvents(program.events.take()!)
        return try StreamInput(origin.name, output, program: program, events: events)
      }
    } catch {
      throw SplitcapError(cannot: origin.verb, source: origin.name, error)
    }
  }

  /// Reads once; waits at most 100 ms.
  mutating func read(into buffer: inout MutableRawSpan) throws(SplitcapError) -> Result {
    do throws(Errno) {
      // Afterwards, so that what was said before the sound was written is known with it.
      defer { events?.drain() }
      if !isFile {
        let isReady = try descriptor.wait(
          for: .reading, orReading: events?.number ?? -1, milliseconds: Self.waitMilliseconds)
        guard isReady else { return .nothing }
      }
      let count = try descriptor.read(into: &buffer)
      return count > 0 ? .bytes(count) : .end
    } catch .wouldBlock {
      return .nothing  // another reader of the same pipe was faster
    } catch {
      throw SplitcapError(cannot: "read", source: name, error)
    }
  }

  /// Waits at most 100 ms for the end of the program, whose output has ended.
  ///
  /// - Returns: Whether all is over; true if there is no program.
  /// - Throws: An error of `kind` if it failed.
  mutating func hasEnded(
    failingAs kind: SplitcapError.Kind
  ) throws(SplitcapError) -> Bool {
    guard program != nil else { return true }
    // What it says must not block it.
    events?.drain()
    let deadline = SystemClock.monotonic + Int64(Self.waitMilliseconds) * 1_000_000
    guard let ending = program?.wait(until: { SystemClock.monotonic >= deadline }) else {
      return false
    }
    events?.drain()
    if let failure = ending.failure {
      throw SplitcapError(kind, "\(name) \(failure)", hint: ending.hint)
    }
    return true
  }
}
