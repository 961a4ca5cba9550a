package import Glibc

/// Owns one file descriptor.
///
/// Calls that a signal interrupts are repeated.
package struct Descriptor: ~Copyable, Sendable {
  /// The number, for calls that have no method here.
  package let raw: Int32

  /// Takes over a descriptor that is open.
  package init(adopting raw: Int32) { self.raw = raw }

  /// Opens `path`; it is closed in programs that are started later.
  ///
  /// The corresponding C function is `open`.
  package init(opening path: String, _ flags: Int32, mode: mode_t = 0o666) throws(Errno) {
    raw = try Errno.check { unsafe open(path, flags | O_CLOEXEC, mode) }
  }

  deinit { _ = Glibc.close(raw) }

  /// Closes, and says if that failed: some file systems report a full disk only now.
  ///
  /// The corresponding C function is `close`.
  package consuming func close() throws(Errno) {
    let status = Glibc.close(raw)
    discard self
    guard status == 0 else { throw Errno.last }
  }

  /// Reads once, at most `buffer.byteCount` bytes.
  ///
  /// - Returns: Bytes read; 0 at the end.
  ///
  /// The corresponding C function is `read`.
  package func read(into buffer: inout MutableRawSpan) throws(Errno) -> Int {
    try unsafe buffer.withUnsafeMutableBytes { (room) throws(Errno) in
      try Errno.check { unsafe Glibc.read(raw, room.baseAddress, room.count) }
    }
  }

  /// Reads `count` bytes at `offset` bytes from the start, fewer at the end of the file; the file
  /// position stays.
  ///
  /// The corresponding C function is `pread`.
  package func read(_ count: Int, at offset: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      // No typed error comes out of `withUnsafeMutableBytes` of an array.
      let got = try Errno.check {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(raw, $0.baseAddress! + done, count - done, off_t(offset + done))
        }
      }
      guard got > 0 else { break }
      done += got
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// Writes once, at most all of `bytes`.
  ///
  /// - Returns: Bytes written.
  ///
  /// The corresponding C function is `write`.
  package func write(_ bytes: RawSpan) throws(Errno) -> Int {
    try unsafe bytes.withUnsafeBytes { (part) throws(Errno) in
      try Errno.check { unsafe Glibc.write(raw, part.baseAddress, part.count) }
    }
  }

  /// Writes all of `bytes`, in as many calls as it takes; blocks as the descriptor does.
  package func writeAll(_ bytes: RawSpan) throws(Errno) {
    var done = 0
    while done < bytes.byteCount {
      done += try write(bytes.extracting(droppingFirst: done))
    }
  }

  /// Writes all of `bytes` at `offset` bytes from the start; the file position stays.
  ///
  /// The corresponding C function is `pwrite`.
  package func writeAll(_ bytes: RawSpan, at offset: Int) throws(Errno) {
    var done = 0
    while done < bytes.byteCount {
      let rest = bytes.extracting(droppingFirst: done)
      done += try unsafe rest.withUnsafeBytes { (part) throws(Errno) in
        try Errno.check { unsafe pwrite(raw, part.baseAddress, part.count, off_t(offset + done)) }
      }
    }
  }

  /// What to wait for.
  package enum Readiness: Sendable {
    /// Until a read would not block.
    case reading
    /// Until a write would not block.
    case writing
    /// Until the other end of a pipe has been closed.
    case leaving
  }

  /// Waits until the descriptor is ready, has failed, or `milliseconds` have passed.
  ///
  /// The wait ends, too, if there is something to read from descriptor `other`; none if negative.
  ///
  /// - Returns: Whether it is ready or has failed; false after the time.
  ///
  /// The corresponding C function is `poll`.
  package func wait(
    for readiness: Readiness, orReading other: Int32 = -1, milliseconds: Int32
  ) throws(Errno) -> Bool {
    let events =
      switch readiness {
      case .reading: POLLIN
      case .writing: POLLOUT
      case .leaving: 0 as Int32  // what has failed is told in any case
      }
    var entries: [2 of pollfd] = [
      pollfd(fd: raw, events: Int16(events), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    var span = entries.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
    }
    // A signal ends the wait early, which callers take as a wait that gave nothing.
    if count < 0 && errno == EINTR { return false }
    guard count >= 0 else { throw Errno.last }
    return entries[0].revents != 0
  }
}
