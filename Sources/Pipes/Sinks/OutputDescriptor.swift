private import Glibc
public import SplitcapCore

/// Looks at descriptors and devices before a recording starts; writes nothing.
public enum OutputDescriptor {
  /// The descriptor that a path such as `/dev/stdout` or `/dev/fd/63` means; `nil` for another path.
  ///
  /// It is better taken over than opened once more: a socket can't be, a file would be written from
  /// its start, and a pipe would stay open here after its end.
  public static func number(ofPath path: String) -> Int32? {
    if path == "/dev/stdout" { return STDOUT_FILENO }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count)).flatMap { $0 >= 0 ? $0 : nil }
    }
    return nil
  }

  /// Refuses a descriptor that sound can't go to, and keeps it from programs that are started later.
  ///
  /// - Parameters:
  ///   - number: Standard output, or what the user gave as `fd:N`.
  ///   - name: What the user called it.
  /// - Throws: ``SplitcapError`` of kind `usage`.
  public static func check(_ number: Int32, name: String) throws(SplitcapError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0 else {
      throw SplitcapError(
        .usage, "descriptor \(number) ('\(name)') is not open",
        hint: "open it in the shell, as with '\(number)>FILE'")
    }
    guard flags & O_ACCMODE != O_RDONLY else {
      throw SplitcapError(.usage, "descriptor \(number) ('\(name)') is open for reading only")
    }
    guard number != STDERR_FILENO else {
      throw SplitcapError(
        .usage, "descriptor 2 ('\(name)') is where messages go", hint: "use another, as 'fd:3'")
    }
    guard isatty(number) == 0 else { throw terminal(name) }
    if number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  }

  /// Refuses a character device that is a terminal, or that can't be opened.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`, or `sinkFailed` if it can't be opened.
  public static func check(device path: String) throws(SplitcapError) {
    let device: Descriptor
    do throws(Errno) {
      device = try Descriptor(opening: path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      throw SplitcapError(sink: "device '\(path)'", cannot: "open", error)
    }
    if isatty(device.raw) == 1 { throw terminal(path) }
  }

  private static func terminal(_ name: String) -> SplitcapError {
    SplitcapError(
      .usage, "'\(name)' is a terminal, which can't show sound",
      hint: "name a file, or pipe into a program")
  }
}
