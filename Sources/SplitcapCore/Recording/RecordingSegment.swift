/// A stretch of the timeline that files of its own hold, told when all of them are done.
public struct RecordingSegment: Sendable, Equatable {
  /// Counted from 1.
  public var index: Int
  /// The timeline's frame that it begins with, the same for both ears.
  public var firstFrame: Int
  /// Frames in it, gaps that were filled included.
  public var frames: Int
  /// Frames of those gaps.
  public var gapFrames: Int
  /// When its first frame was captured by the wall clock, in nanoseconds since 1970 (UTC).
  public var startNanoseconds: Int64
  /// What holds it, in the order of the sinks; a sink that failed has none.
  public var files: [SegmentFile]

  /// The path of the first file that `feed` went to; `nil` if there is none.
  public func path(of feed: Feed) -> String? { files.first { $0.feed == feed }?.path }
}

/// One file of a segment.
public struct SegmentFile: Sendable, Equatable {
  /// What it holds.
  public var feed: Feed
  /// The name that the user gave its sink.
  public var name: String
  /// Where it is.
  public var path: String
  /// The timeline's frame that it begins with; before the segment's for a file without a limit that
  /// went on while others had reached theirs.
  public var firstFrame: Int
  /// Frames that it took.
  public var frames: Int
  /// Its size.
  public var bytes: Int
}

/// Where a segment begins, as the splitter tells it to the sinks.
public struct SegmentStart: Sendable, Equatable {
  /// Counted from 1.
  public var index: Int
  /// The timeline's frame that it begins with.
  public var firstFrame: Int
  /// When that frame was captured by the wall clock, in nanoseconds since 1970 (UTC).
  public var startNanoseconds: Int64
}
