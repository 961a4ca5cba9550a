private import Glibc

// Files that are written from their start, so that what they held before is gone.

extension Descriptor {
  /// Makes the file at `path`, or empties it, and claims it until the descriptor is closed.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - flags: What to add to those that it takes.
  /// - Returns: The file, open for writing.
  /// - Throws: `EWOULDBLOCK` if another recording has claimed it; it is left as it is.
  package static func emptying(
    _ path: String, _ flags: Int32 = 0
  ) throws(Errno) -> Descriptor {
    // Emptied only once it is ours. Not blocking, since a pipe that has taken the file's place would
    // wait for a reader.
    let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_NONBLOCK | flags)
    try file.claim()
    do throws(Errno) {
      _ = try Errno.check { ftruncate(file.raw, 0) }
    } catch {
      // What is no file has nothing to be emptied of.
      guard error.code == EINVAL else { throw error }
    }
    return file
  }

  /// Claims an open file, for as long as it is open.
  ///
  /// - Throws: `EWOULDBLOCK` if another program has claimed it.
  ///
  /// The corresponding C function is `flock`.
  package func claim() throws(Errno) {
    do throws(Errno) {
      _ = try Errno.check { flock(raw, LOCK_EX | LOCK_NB) }
    } catch {
      // A file system may know no locks.
      if error == .claimed { throw error }
    }
  }
}

/// What has become of a file that is written.
package enum FileFate: Sendable {
  case whole
  /// No name leads to it any more, so that it is gone once it is closed.
  case deleted
  /// It is shorter than what was written to it.
  case cut
}

extension Descriptor {
  /// What has become of a file to which `byteCount` bytes were written.
  ///
  /// The corresponding C function is `fstat`.
  package func fate(byteCount: Int) throws(Errno) -> FileFate {
    var status = stat()
    _ = try Errno.check { unsafe fstat(raw, &status) }
    if status.st_nlink == 0 { return .deleted }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    return isFile && status.st_size < byteCount ? .cut : .whole
  }
}

extension Errno {
  /// Another recording is writing to the file: `EWOULDBLOCK`.
  package static var claimed: Errno { Errno(EWOULDBLOCK) }
}

extension SplitcapError {
  /// A file that has been deleted, so that nobody could read what is written; `what` was its content.
  package init(deleted path: String, _ what: String = "sound") {
    self.init(
      .sinkFailed, "cannot go on with '\(path)': it has been deleted while it was written",
      hint: "its \(what) is gone; was its folder cleaned up or its name given to another file?")
  }

  /// A file that another recording is writing to.
  package init(claimed path: String) {
    self.init(
      .sinkFailed, "cannot write '\(path)': another recording is writing to it",
      hint: "choose another name; 'fuser -v' tells which program has it open")
  }
}
