private import Glibc
internal import Pipes
internal import SplitcapCore

/// Where lines of text go: events, or a transcript.
struct PlannedLines: Sendable, Equatable {
  /// What the user typed.
  let name: String
  /// What it is.
  let target: LineOutput.Target
  /// The file behind it; `nil` for what can't be anything else's file too.
  let identity: FileIdentity?
  /// Whether a file that exists by the time it is made is an error.
  let noClobber: Bool
  /// Whether it is a terminal, where a meter would be in the way.
  let isTerminal: Bool

  /// Looks at the destination; opens nothing.
  ///
  /// - Parameters:
  ///   - destination: What the user typed.
  ///   - option: What it was typed behind: `--events`.
  ///   - example: Such a file's name, for hints.
  ///   - noClobber: Whether a file that exists is an error.
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(
    _ destination: Destination, option: String, example: String, noClobber: Bool
  ) throws(SplitcapError) {
    name = destination.text
    self.noClobber = noClobber
    var descriptor: Int32?
    switch destination {
    case .program(let command):
      (target, identity, isTerminal) = (.program(command: command), nil, false)
      return
    case .standardOutput: descriptor = STDOUT_FILENO
    case .descriptor(let number): descriptor = number
    case .path(let path): descriptor = FilePath(path).descriptor
    }
    if let descriptor {
      let status = try SinkResolver.status(
        of: descriptor, as: name, option: option, file: example)
      target = .descriptor(descriptor)
      identity = status.identityToCompare
      isTerminal = status.kind == .terminal
      return
    }
    let path = FilePath(name)
    guard let status = try SinkResolver.status(at: path) else {
      guard !path.name.isEmpty else { throw SinkResolver.isFolder(path, example: example) }
      (target, isTerminal) = (.file(path: name), false)
      identity = try SinkResolver.identity(ofNew: path)
      return
    }
    target = try Self.target(of: path, status, example: example, noClobber)
    try SinkResolver.checkWritable(path)
    identity = status.identityToCompare
    isTerminal = status.kind == .terminal
  }

  private static func target(
    of path: FilePath, _ status: FileStatus, example: String, _ noClobber: Bool
  ) throws(SplitcapError) -> LineOutput.Target {
    switch status.kind {
    case .regular:
      if noClobber { throw SinkResolver.isProtected(path) }
      return .file(path: path.text)
    case .fifo: return .fifo(path: path.text)
    case .memoryDevice, .characterDevice, .terminal: return .characterDevice(path: path.text)
    case .folder: throw SinkResolver.isFolder(path, example: example)
    case .other: throw SinkResolver.isOther(path)
    }
  }
}
