/// What was recorded, told once at the end.
public struct RecordingSummary: Sendable {
  /// Why a recording ended.
  public enum Ending: Sendable, Equatable {
    /// All frames that were asked for are there.
    case limitReached
    /// Someone asked for the end.
    case stopped
    /// The source was at its end.
    case sourceEnded
    /// No sink is left: each has failed or its reader has gone.
    case noSinkLeft
    /// The source failed; what came before is kept.
    case sourceFailed(SplitcapError)
  }

  /// Why it ended.
  public var ending: Ending
  /// What was recorded.
  public var source: SourceInfo
  /// Frames on the timeline, gaps included.
  public var frames: Int
  /// Wall-clock time of frame 0, in nanoseconds since 1970 (UTC); `nil` if no frame came.
  public var startNanoseconds: Int64?
  /// How loud the left ear was.
  public var left: BlockLevel
  /// How loud the right ear was.
  public var right: BlockLevel
  /// Gaps in the timeline.
  public var gapCount: Int
  /// Frames in those gaps.
  public var gapFrames: Int
  /// What became of each sink, in the order of the requests.
  public var sinks: [SinkSummary]
  /// Parts per million that the device's clock is faster than the system's; `nil` if it could not be
  /// told, which takes a minute.
  public var drift: Double?
  /// Whether the clock was off by so much that sound must be missing, or has come twice.
  public var isClockOff: Bool
  /// What the source has to say at its end.
  public var notes: [String]
}

/// What became of one sink.
public struct SinkSummary: Sendable {
  /// What it got.
  public var feed: Feed
  /// The name that the user gave it.
  public var name: String
  /// Frames that it took, silence included.
  public var frames = 0
  /// The timeline's frame behind the last one that it took.
  public var endFrame = 0
  /// Frames of silence among those that it took: gaps, and what it was too slow for.
  public var silentFrames = 0
  /// Frames that it was too slow for: silence, or left out; see ``RecordingRules/onSlow``.
  public var droppedFrames = 0
  /// Frames that passed while its program was away, or that a program which ended had not read;
  /// they are left out.
  public var missedFrames = 0
  /// How often its program was started again.
  public var restarts = 0
  /// Whether it ended because its reader went away.
  public var hasReaderLeft = false
  /// What it wrote, in all its runs; `nil` if it was never closed in good order.
  public var report: SinkReport?
  /// Why it failed.
  public var error: SplitcapError?

  init(feed: Feed, name: String) {
    self.feed = feed
    self.name = name
  }

  /// Notes frames that it took.
  mutating func add(_ count: Int, from firstFrame: Int) {
    frames += count
    endFrame = firstFrame + count
  }

  /// Notes what a run of it has written.
  ///
  /// - Parameters:
  ///   - report: What the sink says.
  ///   - counted: Frames that were counted in this run.
  ///   - countsParts: Whether a part of a block that did not fit whole counts.
  /// - Returns: Frames that were counted and are not there.
  mutating func add(_ report: SinkReport, counted: Int, countsParts: Bool) -> Int {
    let bytes = self.report?.bytes ?? 0
    self.report = report
    self.report?.bytes += bytes
    guard let there = report.frames else { return 0 }
    let missing = countsParts ? counted - there : max(0, counted - there)
    if missing > 0 { hasReaderLeft = true }
    frames -= missing
    endFrame -= missing
    silentFrames = min(silentFrames, frames)
    return missing
  }
}

extension SplitStage.Result {
  /// The summary of a recording that ended for `ending`.
  ///
  /// - Throws: The source's failure, if it came before the first frame.
  func summary(
    ending: RecordingSummary.Ending, source: SourceInfo, notes: [String], clock: ClockReport
  ) throws(SplitcapError) -> RecordingSummary {
    if case .sourceFailed(let error) = ending, startNanoseconds == nil { throw error }
    return RecordingSummary(
      ending: ending, source: source, frames: frames, startNanoseconds: startNanoseconds,
      left: left, right: right, gapCount: gapCount, gapFrames: gapFrames, sinks: sinks,
      drift: clock.drift, isClockOff: clock.isOff, notes: notes)
  }
}
