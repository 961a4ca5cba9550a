private import Glibc
package import SplitcapCore

/// Writes bytes to a reader that may be slow, stall or leave, and never waits longer than it may.
package struct PipeWriter: ~Copyable, Sendable {
  /// How to write without waiting in the kernel, where no one could end it.
  enum Manner {
    /// The open file is ours alone and has O_NONBLOCK.
    case nonblocking
    /// A socket, which may be shared: not waiting is asked for with each call.
    case socket
    /// May be shared with other programs, which O_NONBLOCK would confuse: a write of at most so
    /// many bytes does not wait once the descriptor is said to be ready.
    case polled(Int)
  }

  /// What the sink is called in messages.
  let name: String
  /// Bytes taken so far.
  private(set) var bytes = 0
  /// Bytes that the reader had not read when it left; `nil` if it has not left.
  private(set) var unreadBytes: Int?
  private let descriptor: Descriptor
  private let manner: Manner
  private let patience: Patience
  /// Who is to know how far the reader is.
  private var progress: ReadingProgress?

  init(
    _ descriptor: consuming Descriptor, _ manner: Manner, name: String, patience: Patience
  ) {
    self.descriptor = descriptor
    self.manner = manner
    self.name = name
    self.patience = patience
  }

  /// Writes all of `part`, as slowly as the reader takes it.
  ///
  /// - Returns: `closed` if the reader has left.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` or `cancelled`.
  package mutating func write(_ part: RawSpan) throws(SplitcapError) -> WriteResult {
    var done = 0
    var idleness = Idleness(patience)
    while done < part.byteCount {
      do throws(Errno) {
        let count = try attempt(part.extracting(droppingFirst: done))
        done += count
        bytes += count
        progress?.note(bytes)
        idleness.reset()
        continue
      } catch .readerLeft, .connectionReset {
        unreadBytes = unread
        return .closed
      } catch .wouldBlock {
        // Wait below.
      } catch {
        throw SplitcapError(sink: name, cannot: "write to", error)
      }
      try idleness.check(name, stalled)
      _ = try? descriptor.wait(for: .writing, milliseconds: 100)
    }
    return .more
  }

  /// Waits until the reader has taken all that is still in the pipe, or has left.
  ///
  /// - Throws: As ``write(_:)``.
  mutating func waitUntilTaken() throws(SplitcapError) {
    var idleness = Idleness(patience)
    var last = unread
    // Short at first, since most readers are quick; some work for hours.
    var milliseconds: Int32 = 1
    while last > 0 {
      let hasLeft = try? descriptor.wait(for: .leaving, milliseconds: milliseconds)
      milliseconds = min(2 * milliseconds, 50)
      if hasLeft == true {
        let rest = unread
        if rest > 0 { unreadBytes = rest }
        return
      }
      let now = unread
      if now < last { idleness.reset() }
      last = now
      try idleness.check(name, stalled)
    }
  }

  /// Has it known from now on how far the reader is.
  mutating func track(from firstFrame: Int, channelCount: Int) -> ReadingProgress {
    let progress = ReadingProgress(
      descriptor.raw, firstFrame: firstFrame, channelCount: channelCount)
    self.progress = progress
    return progress
  }

  /// Cuts the last `count` bytes off a file again, if nobody has written behind them.
  ///
  /// The corresponding C function is `ftruncate`.
  func takeBack(_ count: Int) {
    let end = lseek(descriptor.raw, 0, SEEK_CUR)
    guard count > 0, end >= count, lseek(descriptor.raw, 0, SEEK_END) == end else { return }
    _ = ftruncate(descriptor.raw, end - count)
  }

  /// Whether it is a file that no name leads to any more.
  var isDeleted: Bool { (try? descriptor.fate(byteCount: 0)) == .deleted }

  /// Closes; some file systems say only now that the disk is full.
  consuming func close() throws(SplitcapError) {
    let name = name
    do { try descriptor.close() } catch { throw SplitcapError(sink: name, cannot: "close", error) }
  }

  private var stalled: String {
    "\(name) took nothing for \(Patience.limit.components.seconds) s at the end"
  }

  /// Writes once.
  private func attempt(_ part: RawSpan) throws(Errno) -> Int {
    switch manner {
    case .nonblocking:
      return try descriptor.write(part)
    case .socket:
      return try unsafe part.withUnsafeBytes { (bytes) throws(Errno) in
        try Errno.check {
          unsafe send(
            descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
      }
    case .polled(let most):
      guard try descriptor.wait(for: .writing, milliseconds: 0) else { throw .wouldBlock }
      return try descriptor.write(part.extracting(first: most))
    }
  }

  /// Bytes in the pipe that the reader has not taken yet.
  ///
  /// The corresponding C function is `ioctl` with `FIONREAD`.
  private var unread: Int {
    var count: Int32 = 0
    let status = unsafe ioctl(descriptor.raw, UInt(FIONREAD), &count)
    return status == 0 ? Int(count) : 0
  }
}
