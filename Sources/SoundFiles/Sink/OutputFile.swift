private import Glibc
internal import SplitcapCore

/// A file that samples are appended to, and that ends with a whole frame whatever happens.
struct OutputFile: ~Copyable, Sendable {
  /// The path, as the user gave it.
  let path: String
  /// Bytes in the file.
  private(set) var byteCount = 0
  private let descriptor: Descriptor

  /// Makes the file at `path`, or empties it.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`; with `noClobber` also if there is a file.
  init(creating path: String, noClobber: Bool) throws(SplitcapError) {
    descriptor = try Self.create(path, noClobber: noClobber)
    self.path = path
  }

  /// Opens a file for writing: makes it, or empties it.
  static func create(_ path: String, noClobber: Bool) throws(SplitcapError) -> Descriptor {
    // Not blocking, since a pipe that has taken the file's place would wait for a reader.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | (noClobber ? O_EXCL : 0)
    do throws(Errno) {
      return try Descriptor(opening: path, flags)
    } catch {
      throw SplitcapError(writing: path, error)
    }
  }

  /// Appends `bytes`, with one system call if it takes all.
  ///
  /// If not all fits, what is there of the last `unit` bytes is cut off again.
  mutating func append(_ bytes: RawSpan, unit: Int) throws(SplitcapError) {
    do throws(Errno) {
      var done = 0
      defer { byteCount += done - done % unit }
      while done < bytes.byteCount {
        done += try descriptor.write(bytes.extracting(droppingFirst: done))
      }
    } catch {
      descriptor.cut(to: byteCount)
      throw SplitcapError(writing: path, error)
    }
  }

  /// Puts `bytes` over the start of the file, with one system call.
  func overwriteStart(_ bytes: RawSpan) throws(SplitcapError) {
    do throws(Errno) {
      try descriptor.writeAll(bytes, at: 0)
    } catch {
      throw SplitcapError(writing: path, error)
    }
  }

  /// Asks the file system for errors that it reports only on closing, as some do for a full disk.
  func settle() throws(SplitcapError) {
    do throws(Errno) {
      try descriptor.settle()
    } catch {
      throw SplitcapError(writing: path, error)
    }
  }
}

extension Descriptor {
  /// Closes a duplicate, on which Linux reports the same errors as on closing the last one.
  ///
  /// Where there can be no more descriptors, it waits for the disk instead, which finds them, too.
  func settle() throws(Errno) {
    let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
    if copy >= 0 {
      try Descriptor(adopting: copy).close()
    } else {
      _ = try Errno.check { fsync(raw) }
    }
  }

  /// Bytes in the file.
  ///
  /// The corresponding C function is `fstat`.
  func size() throws(Errno) -> Int {
    var status = stat()
    _ = try Errno.check { unsafe fstat(raw, &status) }
    return Int(status.st_size)
  }

  /// Cuts the file off, if it can be.
  ///
  /// The corresponding C function is `ftruncate`.
  func cut(to byteCount: Int) { _ = ftruncate(raw, off_t(byteCount)) }
}

#if _endian(big)
#error("the sinks write samples as they stand in memory, which must be little-endian")
#endif
