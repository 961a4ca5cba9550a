/// How a recording deals with what the world does to it.
public struct RecordingRules: Sendable {
  /// The longest gap that becomes silence; a source that is away for longer is given up.
  public var longestGap: Duration = .seconds(60)
  /// How much sound waits for a sink that falls behind, at most.
  public var queue: Duration = .seconds(60)
  /// What is done for a sink whose queue is full; `nil` blocks a source that can wait, and writes
  /// silence for one that can't.
  public var onSlow: SlowRule?
  /// Whether a program that ends while sound comes is started again, as often as it takes.
  public var restartsPrograms = false
  /// Frames after which files end and the next begin, counted from frame 0; `nil` for never.
  ///
  /// A gap longer than ``longestGap`` then ends them, too, instead of the recording.
  public var segmentFrames: Int?

  /// Makes the usual rules.
  public init() {}
}
