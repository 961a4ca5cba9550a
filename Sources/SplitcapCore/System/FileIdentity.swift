package import Glibc

/// Tells files apart whatever they are called.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt
  /// For a file that does not exist yet: its name, in the folder that the numbers tell.
  ///
  /// In lower case, since some file systems take `L.wav` and `l.wav` for one file.
  private let newName: String?

  /// The file that was looked at.
  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    newName = nil
  }

  /// The file at `path`, at the end of its symbolic links.
  ///
  /// The corresponding C function is `stat`.
  package init(path: String) throws(Errno) {
    var status = stat()
    _ = try Errno.check { unsafe stat(path, &status) }
    self.init(status)
  }

  /// A file to be made in a folder.
  package init(name: String, in folder: FileIdentity) {
    device = folder.device
    inode = folder.inode
    newName = name.lowercased()
  }
}
