/// A source of interleaved signed 16-bit PCM: a sound card, a sound server, a file, a pipe.
///
/// A conforming type opens its device in its initializer and closes it in `deinit`, so that a
/// value that exists is a source that can be read. It is noncopyable because two readers of one
/// device would each get half of the sound.
///
/// A source is used by one thread at a time, but need not stay on the thread that made it.
public protocol CaptureSource: ~Copyable, Sendable {
  /// What this source is and delivers. Constant.
  var info: SourceInfo { get }

  /// Frames that it has taken from the device and not handed on yet, as a resampler does.
  var pendingFrames: Int { get }

  /// What a user should know that showed while reading, such as a header that promised more; a
  /// line each, no full stop. Asked for after the last read.
  var closingNotes: [String] { get }

  /// What a user should know now, without a full stop. Asked for when a read gave nothing.
  mutating func takeWarnings() -> [String]

  /// Waits until sound is there, at most about 100 ms, and copies it into `buffer`.
  ///
  /// - Parameter buffer: Room for whole frames of ``SourceInfo/format``, interleaved.
  /// - Returns: What was read. `nothing` lets the caller look whether it should stop; it is not
  ///   a fault.
  /// - Throws: ``SplitcapError`` of kind `sourceLost` if the source went away and may come back,
  ///   any other kind if it can't go on.
  /// - Complexity: O(*n*) in the frames read. Allocates nothing in steady state.
  mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult
}

extension CaptureSource where Self: ~Copyable {
  /// None: most sources hand on what they take.
  public var pendingFrames: Int { 0 }

  /// No notes: most sources report what happens as they are read.
  public var closingNotes: [String] { [] }

  /// No warnings, by the same token.
  public mutating func takeWarnings() -> [String] { [] }
}

/// What one call of ``CaptureSource/read(into:)`` gave.
public enum ReadResult: Sendable, Equatable {
  /// `count` frames were copied to the start of the buffer; never 0.
  case frames(_ count: Int)
  /// Frames were lost between the last read and the next.
  case gap(Gap)
  /// Nothing came while the read waited; more may come.
  case nothing
  /// The source is at its end, and stays there.
  case end
}
