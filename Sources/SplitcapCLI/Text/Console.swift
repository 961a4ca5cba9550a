private import Glibc
internal import SplitcapCore
private import Synchronization

/// Where the program's words go: messages to standard error, answers to standard output.
///
/// Sound may be on standard output, so no message ever is. Control characters in a message are
/// spelled out, since it may hold what a device, a file or a program is called.
enum Console {
  /// Writes `splitcap: TEXT`, and `lines` below it.
  ///
  /// It is one write, so that lines of several threads and programs do not mix. Any thread.
  static func say(_ text: String, _ lines: [String] = []) {
    writeMessage("splitcap: \(([text] + lines).map(\.printable).joined(separator: "\n"))\n")
  }

  /// Writes `splitcap: warning: TEXT`, and the hint on a line of its own.
  static func warn(_ text: String, hint: String? = nil) {
    writeMessage(message("warning", text, hint))
  }

  /// Writes `splitcap: error: TEXT`, and the hint on a line of its own.
  static func fail(_ error: SplitcapError) {
    writeMessage(message("error", error.message, error.hint))
  }

  /// The words of a warning or an error, as they are written.
  static func message(_ kind: String, _ text: String, _ hint: String?) -> String {
    "splitcap: \(kind): \(text.printable)\n" + (hint.map { "  hint: \($0.printable)\n" } ?? "")
  }

  /// Writes an answer, such as a help text, to standard output.
  ///
  /// A reader that has gone away, as `head` does, is a normal end.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  static func answer(_ text: String) throws(SplitcapError) {
    do throws(Errno) {
      let output = Descriptor(adopting: try Errno.check { dup(STDOUT_FILENO) })
      try unsafe output.writeAll(text.utf8Span.span.bytes)
      try output.close()
    } catch {
      guard error.code != EPIPE else { return }
      throw SplitcapError(.sinkFailed, "cannot write to standard output: \(error)")
    }
  }

  /// Writes to the terminal as it is, for a display that moves the cursor.
  static func draw(_ text: String) { writeMessage(text) }

  /// Whether the last message found nobody reading.
  private static let isStuck = Atomic<Bool>(false)

  /// Writes what is read, and drops the rest.
  ///
  /// A message that can't be written has nowhere else to go; those that nobody reads must not keep
  /// the program from hearing a Ctrl-C. Only the first of them is waited for.
  private static func writeMessage(_ text: String) {
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      let patience: Int32 = isStuck.load(ordering: .relaxed) ? 0 : 200
      let isReady = unsafe poll(&standardError, 1, patience) > 0
      isStuck.store(!isReady, ordering: .relaxed)
      guard isReady else { return }
      // More may not fit in a pipe that is ready, and would block.
      let count = unsafe rest.prefix(Int(PIPE_BUF)).withUnsafeBytes {
        unsafe write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
