private import Glibc
internal import SplitcapCore

/// What a path or a descriptor is; the file system is looked at, nothing is opened or made.
struct FileStatus {
  enum Kind: Equatable {
    case regular
    case folder
    case fifo
    case terminal
    /// `/dev/null` and its like, which take anything from anyone.
    case memoryDevice
    case characterDevice
    case other
  }

  let kind: Kind
  /// The same for every name of one file, and for no other file.
  let identity: FileIdentity

  /// What stands at `path`, at the end of its symbolic links.
  ///
  /// The corresponding C function is `stat`.
  init(path: String) throws(Errno) {
    var status = stat()
    _ = try Errno.check { unsafe stat(path, &status) }
    self.init(status)
  }

  /// What `descriptor` is open on.
  ///
  /// The corresponding C function is `fstat`.
  init(descriptor: Int32) throws(Errno) {
    var status = stat()
    _ = try Errno.check { unsafe fstat(descriptor, &status) }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = FileIdentity(status)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFIFO: .fifo
      case S_IFCHR: Self.characterKind(status.st_rdev)
      default: .other
      }
  }

  /// Numbers as the kernel's `Documentation/admin-guide/devices.txt` gives them: 1 is memory
  /// devices, 4 and 5 are terminals, 136 to 143 are their pseudo kind.
  private static func characterKind(_ device: dev_t) -> Kind {
    // The major number as the C macro `major` takes it out; those above 4095 are none of these.
    switch device >> 8 & 0xFFF {
    case 1: .memoryDevice
    case 4, 5, 136...143: .terminal
    default: .characterDevice
    }
  }

  /// Whether this user may write to what stands at `path`; for a folder, make files in it.
  ///
  /// The corresponding C function is `faccessat`.
  static func checkWritable(_ path: String, isFolder: Bool = false) throws(Errno) {
    let mode = isFolder ? W_OK | X_OK : W_OK
    _ = try Errno.check { unsafe faccessat(AT_FDCWD, path, mode, AT_EACCESS) }
  }

  /// Whether `descriptor` is open for reading, and for writing.
  ///
  /// - Throws: `EBADF` if it is not open at all.
  ///
  /// The corresponding C function is `fcntl`.
  static func access(
    to descriptor: Int32
  ) throws(Errno) -> (isReadable: Bool, isWritable: Bool) {
    let mode = try Errno.check { fcntl(descriptor, F_GETFL) } & O_ACCMODE
    return (mode != O_WRONLY, mode != O_RDONLY)
  }
}
