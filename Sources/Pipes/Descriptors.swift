private import Glibc
internal import SplitcapCore

extension Descriptor {
  /// What a descriptor leads to, as far as reading and writing differ.
  enum Kind {
    case file
    case pipe
    case socket
    /// A device, a terminal, and the like.
    case other
  }

  /// What it leads to.
  ///
  /// The corresponding C function is `fstat`.
  var kind: Kind {
    get throws(Errno) { try Self.kind(of: raw) }
  }

  /// What descriptor `number` leads to; fails if it is not open.
  static func kind(of number: Int32) throws(Errno) -> Kind {
    var status = stat()
    _ = try Errno.check { unsafe fstat(number, &status) }
    return kind(status)
  }

  /// What opening `path` leads to.
  ///
  /// The corresponding C function is `stat`.
  static func kind(ofPath path: String) throws(Errno) -> Kind {
    var status = stat()
    _ = try Errno.check { unsafe stat(path, &status) }
    return kind(status)
  }

  private static func kind(_ status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFBLK: .file
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    default: .other
    }
  }

  /// Takes over what descriptor `number` leads to, and leaves `/dev/null` in its place.
  ///
  /// So the one at the other end sees the end of the stream as soon as the owner closes, and the
  /// number does not become that of a file opened later, which a stray `print` would hit.
  static func takingOver(_ number: Int32) throws(Errno) -> Descriptor {
    let copy = Descriptor(
      adopting: try Errno.check { fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) })
    try replaceByNull(number)
    return copy
  }

  /// Makes `number` lead to `/dev/null`.
  static func replaceByNull(_ number: Int32) throws(Errno) {
    let null = try Descriptor(opening: "/dev/null", O_RDWR)
    _ = try Errno.check { dup2(null.raw, number) }
    if number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  }
}

extension Errno {
  static let noDevice = Errno(ENXIO)
  static let wouldBlock = Errno(EAGAIN)
  static let readerLeft = Errno(EPIPE)
  static let connectionReset = Errno(ECONNRESET)
}
