private import Synchronization

/// What a meter shows: levels since it was last asked, and counts since the start.
public struct RecordingProgress: Sendable {
  /// Rate in hertz and channels of the source; `nil` before the first frame.
  public var format: StreamFormat?
  /// Frames on the timeline so far, gaps included.
  public var frames = 0
  /// Gaps so far.
  public var gapCount = 0
  /// Frames in those gaps.
  public var gapFrames = 0
  /// Level of the left ear since the last call.
  public var left = BlockLevel()
  /// Level of the right ear since the last call.
  public var right = BlockLevel()
  /// Frames that wait for the sink that is farthest behind.
  public var queuedFrames = 0
}

/// Carries levels from the splitter to the thread that shows them; one lock for each block.
final class LevelMeter: Sendable {
  private let progress = Mutex(RecordingProgress())

  func update(_ change: (inout RecordingProgress) -> Void) {
    progress.withLock { change(&$0) }
  }

  func take() -> RecordingProgress {
    progress.withLock { progress in
      let taken = progress
      progress.left = BlockLevel()
      progress.right = BlockLevel()
      return taken
    }
  }
}
