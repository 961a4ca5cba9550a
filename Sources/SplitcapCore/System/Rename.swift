private import CLinux
private import Glibc

/// Gives a file another name.
package enum Rename {
  /// Renames `path` to `newPath`, and leaves alone a file that has that name.
  ///
  /// On a file system that can't do that in one step, such as NFS, it looks before it renames.
  ///
  /// - Throws: `EEXIST` if there is one.
  ///
  /// The corresponding C function is `renameat2`.
  package static func withoutReplacing(_ path: String, to newPath: String) throws(Errno) {
    do throws(Errno) {
      _ = try Errno.check {
        unsafe renameat2(AT_FDCWD, path, AT_FDCWD, newPath, UInt32(RENAME_NOREPLACE))
      }
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      guard unsafe access(newPath, F_OK) != 0 else { throw Errno(EEXIST) }
      try replacing(path, to: newPath)
    }
  }

  /// Renames `path` to `newPath`, in place of a file that has that name.
  ///
  /// The corresponding C function is `rename`.
  package static func replacing(_ path: String, to newPath: String) throws(Errno) {
    _ = try Errno.check { unsafe rename(path, newPath) }
  }
}
