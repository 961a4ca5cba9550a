/// Frames that the world lost, as they stand on the timeline: silence of the same length.
public struct Gap: Sendable, Equatable {
  /// What lost the frames.
  public enum Cause: String, Sendable {
    /// The device's buffer ran over before it was read.
    case overrun
    /// The sound server says that it has no data for this stretch.
    case serverHole
    /// The recorder itself was held up for longer than its ring lasts.
    case stall
    /// The source was away, and came back.
    case away
    /// The machine was suspended.
    case suspend
    /// The device or the server dropped frames and said nothing; the clock showed it.
    case splice
    /// The program that the frames come from says that it lost them.
    case source
  }

  /// Frames lost, at the rate of the stream that reports them; never 0.
  public var frames: Int

  /// What lost them.
  public var cause: Cause

  /// Whether silence stands in its place; a gap longer than the user's limit only ends a segment.
  public var isFilled: Bool

  /// Makes a gap of `frames` frames.
  public init(frames: Int, cause: Cause, isFilled: Bool = true) {
    self.frames = frames
    self.cause = cause
    self.isFilled = isFilled
  }
}
