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
    /// The reader has gone away.
    case closed
    /// It can't be written, or its reader took nothing for too long.
    case error(SplitcapError)
  }

  /// Where the next byte goes; set to seek.
  var position = 0
  /// Bytes written, not counting those written over others.
  private(set) var length = 0
  /// What went wrong first.
  private(set) var failure: Failure?

  // One of both is there.
  private var file: OutputFile?
  private var pipe: PipeWriter?

  /// Writes to a file; of a piece that does not fit whole, nothing is kept.
  init(file: consuming OutputFile) { self.file = consume file }

  /// Writes to a pipe.
  init(pipe: consuming PipeWriter) {
    file = nil
    self.pipe = consume pipe
  }

  /// Writes `bytes` at ``position``.
  ///
  /// After a failure nothing is appended any more, but a header may still be made true.
  ///
  /// - Returns: Bytes written: all, or 0 after a failure.
  func write(_ bytes: RawSpan) -> Int {
    guard failure == nil || position + bytes.byteCount <= length else { return 0 }
    do throws(SplitcapError) {
      if pipe == nil {
        try file?.write(bytes, at: position, unit: bytes.byteCount)
      } else if position == length, try pipe?.write(bytes) == .closed {
        failure = .closed
        return 0
      }
    } catch {
      failure = failure ?? .error(error)
      return 0
    }
    position += bytes.byteCount
    length = max(length, position)
    return bytes.byteCount
  }

  /// Looks after a file now and then; see ``OutputFile/look(frame:bytesPerSecond:)``.
  func look(frame: Int, bytesPerSecond: Double?) throws(SplitcapError) {
    if file?.isSyncDue ?? false { try file?.sync() }
    file?.look(frame: frame, bytesPerSecond: bytesPerSecond)
  }

  /// Asks the file system for errors that it reports only on closing.
  func settle() throws(SplitcapError) {
    if file?.syncsBeforeHeader ?? false { try file?.sync() }
    try file?.settle()
  }
}
