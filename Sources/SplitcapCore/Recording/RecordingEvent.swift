/// Something that happened while recording and that a user should hear of.
public enum RecordingEvent: Sendable {
  /// The first frame came.
  case started(SourceInfo, startNanoseconds: Int64)
  /// Frames were lost; both ears are silent for as long.
  case gap(firstFrame: Int, Gap)
  /// An ear can't be right; told once.
  case suspicious(EarWatch.Finding)
  /// A sink failed; the others go on.
  case sinkFailed(name: String, SplitcapError)
  /// A sink's reader went away after `frame` frames, which is a normal end.
  case readerLeft(name: String, frame: Int)
}
