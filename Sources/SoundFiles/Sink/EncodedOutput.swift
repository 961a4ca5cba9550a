internal import Pipes
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
    /// The pipe failed, or its reader took nothing for too long.
    case pipe(SplitcapError)
  }

  /// Where the next byte goes; set to seek.
  var position = 0
  /// Bytes written, not counting those written over others.
  private(set) var length = 0
  /// What went wrong first.
  private(set) var failure: Failure?

  // One of both is there.
  private let file: Descriptor?
  private var pipe: PipeWriter?
  private let unit: Int?

  /// Writes to a file, which ends with a whole unit if the disk is full.
  ///
  /// - Parameters:
  ///   - file: Where to write.
  ///   - unit: Bytes that only make sense together; `nil` for all of one call.
  init(file: consuming Descriptor, unit: Int?) {
    self.file = consume file
    self.unit = unit
  }

  /// Writes to a pipe.
  init(pipe: consuming PipeWriter) {
    file = nil
    self.pipe = consume pipe
    unit = nil
  }

  /// Writes `bytes` at ``position``.
  ///
  /// After a failure nothing is appended any more, but a header may still be made true.
  ///
  /// - Returns: Bytes written: all, or 0 after a failure.
  func write(_ bytes: RawSpan) -> Int {
    guard failure == nil || position + bytes.byteCount <= length else { return 0 }
    if pipe != nil {
      if position == length && !send(bytes) { return 0 }
    } else {
      do throws(Errno) {
        try file?.writeAll(bytes, at: position)
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
  func settle() throws(Errno) { try file?.settle() }

  private func send(_ bytes: RawSpan) -> Bool {
    do throws(SplitcapError) {
      if try pipe?.write(bytes) == .closed { failure = .closed }
    } catch {
      failure = .pipe(error)
    }
    return failure == nil
  }

  /// Cuts off what is there of a piece that didn't fit.
  private func cutOff() {
    guard let size = try? file?.size() else { return }
    let part = max(size - position, 0)
    let whole = unit.map { part - part % $0 } ?? 0
    length = max(length, position + whole)
    file?.cut(to: length)
  }
}
