/// Something that happened while recording and that a user should hear of.
///
/// Each knows its place: ``frame`` is an index on the timeline.
public enum RecordingEvent: Sendable {
  /// The first frame came.
  case started(RecordingStart)
  /// Frames were lost; both ears are silent for as long.
  case gap(firstFrame: Int, Gap)
  /// The source went away; its return is waited for.
  case lost(frame: Int, SplitcapError)
  /// The source is back, as it is now; the gap before it follows as an event of its own.
  case back(frame: Int, SourceInfo)
  /// The device's clock runs so far off the system's that sound must be missing, nobody knows
  /// where; told once.
  case drift(frame: Int, partsPerMillion: Double)
  /// An ear can't be right, up to this frame; told once.
  case suspicious(frame: Int, EarWatch.Finding)
  /// All files of a segment are done, under their own names.
  case segment(RecordingSegment)
  /// A sink failed; the others go on.
  case sinkFailed(SinkPlace, SplitcapError)
  /// A sink's reader went away, which is a normal end.
  case readerLeft(SinkPlace)
  /// A sink does not keep up: the place's frame is the first that its queue had no room for.
  case slow(SinkPlace)
  /// There is room again for a sink that was slow, from the place's frame on.
  case caughtUp(SinkPlace, droppedFrames: Int)
  /// Nobody has opened a sink for reading yet; told once.
  case unread(SinkPlace)
  /// The program behind a sink ended though sound still comes, and will be started again; the error
  /// is `nil` if it calls that a success.
  case programEnded(SinkPlace, SplitcapError?, restartsIn: Duration)
  /// It runs again, and gets the timeline from the place's frame on; so many frames have passed it.
  case restarted(SinkPlace, missedFrames: Int)
  /// Something that may become a loss, such as a disk that fills.
  case warning(frame: Int, message: String, hint: String?)

  /// The timeline's frame at which it happened.
  public var frame: Int {
    switch self {
    case .started: 0
    case .gap(let frame, _), .lost(let frame, _), .back(let frame, _), .drift(let frame, _),
      .suspicious(let frame, _), .warning(let frame, _, _):
      frame
    case .segment(let segment): segment.firstFrame + segment.frames
    case .sinkFailed(let place, _), .readerLeft(let place), .slow(let place),
      .caughtUp(let place, _), .unread(let place), .programEnded(let place, _, _),
      .restarted(let place, _):
      place.frame
    }
  }
}

/// What is known when the first frame has come.
public struct RecordingStart: Sendable {
  /// What is recorded.
  public var source: SourceInfo
  /// The channels of the source that are the ears.
  public var ears: ChannelPair
  /// When frame 0 was captured by the wall clock, in nanoseconds since 1970 (UTC).
  public var wallNanoseconds: Int64
  /// When frame 0 was captured by CLOCK_MONOTONIC, in nanoseconds.
  public var monotonicNanoseconds: Int64
}

/// A sink and how far it has come.
public struct SinkPlace: Sendable, Equatable {
  /// What it gets.
  public var feed: Feed
  /// The name that the user gave it.
  public var name: String
  /// The timeline's frame behind the last one that it took, where an event says nothing else.
  public var frame: Int
}
