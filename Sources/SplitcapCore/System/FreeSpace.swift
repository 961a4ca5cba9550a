private import Glibc

extension Descriptor {
  /// How much space is left where the file is.
  ///
  /// The corresponding C functions are `fstat` and `fstatvfs`.
  package func space() throws(Errno) -> SpaceWatch.Space {
    var status = stat()
    _ = try Errno.check { unsafe fstat(raw, &status) }
    var system = statvfs()
    _ = try Errno.check { unsafe fstatvfs(raw, &system) }
    // Some blocks are kept back for root.
    let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
    return SpaceWatch.Space(
      fileSystem: status.st_dev, freeBlocks: blocks, blockBytes: system.f_frsize)
  }
}
