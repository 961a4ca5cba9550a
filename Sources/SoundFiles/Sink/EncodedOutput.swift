private import Glibc
internal import SplitcapCore

/// Where an encoder's bytes go: a file, or a pipe.
///
/// libsndfile calls back for each piece. That makes the true reason of a failure known, which some
/// of its encoders drop, and lets a pipe look like a file to encoders that complete their header at
/// the end: on a pipe, what would be written before the end is left out.
///
/// `@unchecked Sendable`: belongs to one ``SoundFileWriter``, which one thread at a time uses.
final class EncodedOutput: @unchecked Sendable {
  /// Why nothing more is written.
  enum Failure {
    case system(Errno)
    /// The reader has gone away.
    case closed
    /// The reader took nothing for too long.
    case givenUp
  }

  /// Where the next byte goes; set to seek.
  var position = 0
  /// Bytes written, not counting those written over others.
  private(set) var length = 0
  /// What went wrong first.
  private(set) var failure: Failure?

  private let descriptor: Descriptor
  /// How long a reader may take nothing; `nil` for a file.
  private let patience: Patience?
  private let unit: Int?

  /// Writes to a file, which ends with a whole unit if the disk is full.
  ///
  /// - Parameters:
  ///   - file: Where to write.
  ///   - unit: Bytes that only make sense together; `nil` for all of one call.
  init(file: consuming Descriptor, unit: Int?) {
    descriptor = file
    patience = nil
    self.unit = unit
  }

  /// Writes to a pipe that doesn't block.
  init(pipe: consuming Descriptor, patience: Patience) {
    descriptor = pipe
    self.patience = patience
    unit = nil
  }

  /// Writes `bytes` at ``position``.
  ///
  /// After a failure nothing is appended any more, but a header may still be made true.
  ///
  /// - Returns: Bytes written: all, or 0 after a failure.
  func write(_ bytes: RawSpan) -> Int {
    guard failure == nil || position + bytes.byteCount <= length else { return 0 }
    if let patience {
      if position == length && !send(bytes, patience) { return 0 }
    } else {
      do throws(Errno) {
        try descriptor.writeAll(bytes, at: position)
      } catch {
        failure = failure ?? .system(error)
        cutOff()
        return 0
      }
    }
    position += bytes.byteCount
    length = max(length, position)
    return bytes.byteCount
  }

  /// Asks the file system for errors that it reports only on closing, as some do for a full disk.
  func settle() throws(Errno) { try descriptor.settle() }

  private func send(_ bytes: RawSpan, _ patience: Patience) -> Bool {
    var done = 0
    var lastTaken = SystemClock.monotonic
    while done < bytes.byteCount {
      do throws(Errno) {
        done += try descriptor.write(bytes.extracting(droppingFirst: done))
        lastTaken = SystemClock.monotonic
        continue
      } catch {
        guard error.code == EAGAIN else {
          failure = error.code == EPIPE ? .closed : .system(error)
          return false
        }
      }
      if patience.isOver(after: .nanoseconds(SystemClock.monotonic - lastTaken)) {
        failure = .givenUp
        return false
      }
      _ = try? descriptor.wait(for: .writing, milliseconds: 100)
    }
    return true
  }

  /// Cuts off what is there of a piece that didn't fit.
  private func cutOff() {
    var status = stat()
    guard unsafe fstat(descriptor.raw, &status) == 0 else { return }
    let part = max(Int(status.st_size) - position, 0)
    let whole = unit.map { part - part % $0 } ?? 0
    length = max(length, position + whole)
    _ = ftruncate(descriptor.raw, off_t(length))
  }
}
