private import Glibc
package import SplitcapCore

extension PipeWriter {
  /// For how long a reader may be missing before a word is said, in nanoseconds.
  private static let unreadLimit: Int64 = 3_000_000_000

  /// Opens a FIFO, and waits for its reader; `noteUnread` is called once if none comes for a while.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` or `cancelled`.
  package static func fifo(
    _ path: String, _ patience: Patience, noteUnread: () -> Void = {}
  ) throws(SplitcapError) -> PipeWriter {
    let name = "FIFO '\(path)'"
    let start = SystemClock.monotonic
    var isNoted = false
    var idleness = Idleness(patience)
    while true {
      do throws(Errno) {
        return PipeWriter(
          try Descriptor(opening: path, O_WRONLY | O_NONBLOCK), .nonblocking, name: name,
          patience: patience)
      } catch .noDevice {
        // ENXIO: nobody has it open for reading.
      } catch {
        throw SplitcapError(sink: name, cannot: "open", error)
      }
      try idleness.check(
        name, "nobody reads \(name)", hint: "start its reader in another shell, or before with '&'")
      if !isNoted && SystemClock.monotonic - start >= unreadLimit {
        isNoted = true
        noteUnread()
      }
      _ = usleep(20_000)
    }
  }

  /// Starts `command`, and opens its standard input.
  ///
  /// - Parameters:
  ///   - command: What the user typed.
  ///   - facts: What it is told.
  ///   - output: Where it writes.
  ///   - patience: How long to wait for it to read.
  ///   - program: Where it is put once it has been started.
  /// - Returns: What writes to it.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  static func program(
    _ command: String, told facts: ShellCommand.Facts = ShellCommand.Facts([]),
    output: ChildProcess.Output, _ patience: Patience, into program: inout ChildProcess?
  ) throws(SplitcapError) -> PipeWriter {
    let name = "program '\(command)'"
    do throws(Errno) {
      var started = try ChildProcess(
        shell: facts.fill(command), environment: facts.environment, input: .pipe, output: output)
      let input = started.input.take()!
      // The writing end is an open file of our own: the program's end waits as it expects.
      _ = try Errno.check { fcntl(input.raw, F_SETFL, O_NONBLOCK) }
      program = consume started
      return PipeWriter(input, .nonblocking, name: name, patience: patience)
    } catch {
      throw SplitcapError(sink: name, cannot: "start", error)
    }
  }

  /// Opens a character device.
  static func device(_ path: String, _ patience: Patience) throws(SplitcapError) -> PipeWriter {
    let name = "device '\(path)'"
    do throws(Errno) {
      return PipeWriter(
        try Descriptor(opening: path, O_WRONLY | O_NONBLOCK | O_NOCTTY), .nonblocking, name: name,
        patience: patience)
    } catch {
      throw SplitcapError(sink: name, cannot: "open", error)
    }
  }

  /// Takes over an open descriptor, which `/dev/null` takes the place of.
  static func descriptor(
    _ number: Int32, name: String, _ patience: Patience
  ) throws(SplitcapError) -> PipeWriter {
    do throws(Errno) {
      let kind = try Descriptor.kind(of: number)
      // O_NONBLOCK belongs to the open file, which other programs may share. A pipe can be opened
      // once more, for an open file of our own.
      if kind == .pipe,
        let own = try? Descriptor(opening: "/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK)
      {
        try Descriptor.replaceByNull(number)
        return PipeWriter(own, .nonblocking, name: name, patience: patience)
      }
      let manner: Manner =
        switch kind {
        case .socket: .socket
        case .file: .polled(.max)
        case .pipe, .other: .polled(Int(PIPE_BUF))
        }
      return PipeWriter(try .takingOver(number), manner, name: name, patience: patience)
    } catch {
      throw SplitcapError(sink: name, cannot: "write to", error)
    }
  }
}
