private import Glibc

/// A file that is written under the name `PATH.part`, and gets its own name when it is whole.
///
/// A value that is dropped without ``finish(replacing:)`` takes the file with it.
package struct UnfinishedFile: ~Copyable, Sendable {
  /// The name that it gets.
  package let path: String
  /// The name that it has until then.
  package let temporaryPath: String

  /// The name of what will be the file at `path` until it is whole.
  package static func temporaryPath(for path: String) -> String { path + ".part" }

  /// Makes an empty file; one that is there already is another program's, and is left alone.
  package init(for path: String) throws(Errno) {
    let temporaryPath = Self.temporaryPath(for: path)
    try Descriptor(opening: temporaryPath, O_WRONLY | O_CREAT | O_EXCL).close()
    self.path = path
    self.temporaryPath = temporaryPath
  }

  deinit { unsafe _ = unlink(temporaryPath) }

  /// Opens it for writing.
  package func open() throws(Errno) -> Descriptor {
    try Descriptor(opening: temporaryPath, O_WRONLY)
  }

  /// Waits until the disk has it, and gives it its name.
  ///
  /// - Parameter replacing: Whether a file of that name is replaced.
  /// - Throws: `EEXIST` if there is one and it is not to be replaced, `EWOULDBLOCK` if a recording is
  ///   writing to it, or what the disk reports.
  package consuming func finish(replacing: Bool) throws(Errno) {
    let file = try open()
    _ = try Errno.check { fsync(file.raw) }
    var old = stat()
    if replacing, unsafe stat(path, &old) == 0 {
      try Descriptor(opening: path, O_RDONLY | O_NONBLOCK).claim()
      // What replaces a file may be read by the same people.
      _ = fchmod(file.raw, old.st_mode & 0o7777)
    }
    try file.close()
    if replacing {
      try Rename.replacing(temporaryPath, to: path)
    } else {
      try Rename.withoutReplacing(temporaryPath, to: path)
    }
  }
}
