/// Frames that the world lost, as they stand on the timeline: silence of the same length.
public struct Gap: Sendable, Equatable {
  /// What lost the frames.
  public enum Cause: Sendable {
    /// The device's buffer ran over before it was read.
    case overrun
    /// The sound server says that it has no data for this stretch.
    case serverHole
    /// The recorder itself was held up for longer than its ring lasts.
    case stall
  }

  /// Frames lost, at the rate of the stream that reports them; never 0.
  public var frames: Int

  /// What lost them.
  public var cause: Cause

  /// Makes a gap of `frames` frames.
  public init(frames: Int, cause: Cause) {
    self.frames = frames
    self.cause = cause
  }
}
