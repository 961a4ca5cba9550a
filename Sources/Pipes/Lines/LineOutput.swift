private import Glibc
package import SplitcapCore

/// Writes lines of text to a file, a pipe or a program, each with one system call where it fits.
///
/// A line goes into a file whole or not at all, and into a pipe whole if it is no longer than
/// `PIPE_BUF`, 4096 bytes.
package struct LineOutput: ~Copyable, Sendable {
  /// Where lines go.
  package enum Target: Sendable, Equatable {
    /// A file that is made, or emptied.
    case file(path: String)
    /// An open descriptor, which `/dev/null` takes the place of.
    case descriptor(Int32)
    case fifo(path: String)
    case characterDevice(path: String)
    /// The standard input of what `/bin/sh -c` runs.
    case program(command: String)
  }

  private var writer: PipeWriter?
  /// The path, if it is a file that was made for the lines.
  private var filePath: String?
  private var program: ChildProcess?
  private let patience: Patience

  /// Opens `target`; waits for the reader of a FIFO.
  ///
  /// - Parameters:
  ///   - target: Where to write.
  ///   - noClobber: Whether a file that exists is an error.
  ///   - stdoutToStderr: Whether what a program prints goes to standard error.
  ///   - patience: How long to wait for a reader.
  ///   - noteUnread: Called once if a FIFO has had none for some seconds.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` or `cancelled`.
  package init(
    _ target: Target, noClobber: Bool, stdoutToStderr: Bool, patience: Patience,
    noteUnread: () -> Void = {}
  ) throws(SplitcapError) {
    self.patience = patience
    switch target {
    case .file(let path):
      filePath = path
      writer = try .file(path, noClobber: noClobber, patience)
    case .descriptor(let number):
      let name = number == STDOUT_FILENO ? "standard output" : "descriptor \(number)"
      writer = try .descriptor(number, name: name, patience)
    case .fifo(let path): writer = try .fifo(path, patience, noteUnread: noteUnread)
    case .characterDevice(let path): writer = try .device(path, patience)
    case .program(let command):
      writer = try .program(
        command, output: stdoutToStderr ? .standardError : .inherited, patience, into: &program)
    }
  }

  /// Writes one line.
  ///
  /// - Returns: `closed` if the reader has left.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` or `cancelled`.
  package mutating func write(_ line: String) throws(SplitcapError) -> WriteResult {
    let before = writer?.bytes ?? 0
    if let filePath, writer?.isDeleted == true {
      throw SplitcapError(deleted: filePath, "content")
    }
    do throws(SplitcapError) {
      return try unsafe writer?.write((line + "\n").utf8Span.span.bytes) ?? .closed
    } catch {
      writer?.takeBack((writer?.bytes ?? 0) - before)
      throw error
    }
  }

  /// Closes, and waits for a program's end.
  ///
  /// Unlike one that gets sound, a program that is at work for longer than ``Patience/limit`` is
  /// ended: words about a recording must not hold it up.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` or `cancelled`.
  package mutating func finish() throws(SplitcapError) {
    let name = writer?.name ?? ""
    try writer.take()?.close()
    guard program != nil else { return }
    let closed = SystemClock.monotonic
    let patience = patience
    let ending = program?.wait {
      patience.isOver(after: .nanoseconds(SystemClock.monotonic - closed))
    }
    guard let ending else {
      _ = program?.terminate()
      throw SplitcapError(
        .sinkFailed,
        "\(name) was still at work \(Patience.limit.components.seconds) s after the end")
    }
    if let failure = ending.failure {
      throw SplitcapError(.sinkFailed, "\(name) \(failure)", hint: ending.hint)
    }
  }
}

extension PipeWriter {
  /// Makes the file at `path`, or empties it; all that is written goes to its end.
  fileprivate static func file(
    _ path: String, noClobber: Bool, _ patience: Patience
  ) throws(SplitcapError) -> PipeWriter {
    do throws(Errno) {
      let file = try Descriptor.emptying(path, O_APPEND | (noClobber ? O_EXCL : 0))
      return PipeWriter(file, .polled(.max), name: "'\(path)'", patience: patience)
    } catch .claimed {
      throw SplitcapError(claimed: path)
    } catch {
      throw SplitcapError(sink: "'\(path)'", cannot: "open", error)
    }
  }
}
