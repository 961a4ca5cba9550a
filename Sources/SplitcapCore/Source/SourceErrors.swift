private import Glibc

// The words for what goes wrong with a source, whatever module reads it.

extension SplitcapError {
  /// A file, pipe or program that can't be opened or read.
  ///
  /// - Parameters:
  ///   - action: What failed: `read`, `start`.
  ///   - source: What the user calls it, in quotes where it is a name.
  ///   - reason: Why.
  package init(cannot action: String, source: String, _ reason: Errno) {
    let (kind, hint): (Kind, String?) =
      switch reason.code {
      case ENOENT, ENOTDIR:
        (.sourceUnavailable, "check the name, and the folder that you are in")
      case EISDIR:
        (.sourceUnavailable, "name a file in it")
      case ENXIO:
        (.sourceUnavailable, "an input is a file, a FIFO, - or exec:COMMAND")
      case EACCES, EPERM:
        (.permissionDenied, "'ls -l' shows who may read it")
      default:
        (.backend, nil)
      }
    self.init(kind, "cannot \(action) \(source): \(reason)", hint: hint)
  }
}
