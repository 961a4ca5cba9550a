private import CSndFile
private import Glibc
public import SplitcapCore

/// Finds out whether a file can be written, before there is anything to write.
public enum OutputPath {
  /// Looks whether ``SplitcapCore/SinkRequest/file(_:path:container:noClobber:)`` could write
  /// `path`; makes and changes nothing.
  ///
  /// It can still fail later, of course, for example when a disk is full. To root, whatever file
  /// system is not read-only looks writable.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` with what stands in the way.
  public static func check(
    _ path: String, container: Container, noClobber: Bool
  ) throws(SplitcapError) {
    if let encoding = container.encoding { try check(encoding, path) }
    var status = stat()
    do throws(Errno) {
      _ = try Errno.check { unsafe stat(path, &status) }
    } catch {
      guard error.code == ENOENT else { throw SplitcapError(writing: path, error) }
      return try checkFolder(of: path)
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw SplitcapError(writing: path, Errno(EISDIR)) }
    if noClobber { throw SplitcapError(writing: path, Errno(EEXIST)) }
    try checkAccess(to: path, W_OK, for: path)
  }

  private static func checkFolder(of path: String) throws(SplitcapError) {
    if path.isEmpty { throw SplitcapError(writing: path, Errno(ENOENT)) }
    if path.hasSuffix("/") { throw SplitcapError(writing: path, Errno(EISDIR)) }
    try checkAccess(to: folder(of: path), W_OK | X_OK, for: path)
  }

  private static func checkAccess(
    to place: String, _ access: Int32, for path: String
  ) throws(SplitcapError) {
    do throws(Errno) {
      // The effective user's rights, as they count for `open`.
      _ = try Errno.check { unsafe faccessat(AT_FDCWD, place, access, AT_EACCESS) }
    } catch {
      throw SplitcapError(writing: path, error)
    }
  }

  /// Starts to encode into nothing, which is the only way to ask libsndfile what it was built with.
  private static func check(_ encoding: Encoding, _ path: String) throws(SplitcapError) {
    let nowhere: Descriptor
    do throws(Errno) {
      nowhere = try Descriptor(opening: "/dev/null", O_WRONLY)
    } catch {
      return  // Then the file will tell.
    }
    _ = try EncodedFileSink(
      path: path, encoding: encoding, format: StreamFormat(sampleRate: 48_000, channelCount: 1),
      output: EncodedOutput(file: nowhere, unit: nil))
  }
}
