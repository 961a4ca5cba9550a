/// Decides on which frames of the timeline files end and the next ones begin.
///
/// Both ears share the timeline, so they are cut on the same frame by construction.
struct SegmentCutter: Sendable {
  /// Which files end.
  enum Scope {
    case all
    /// Those that may hold only so much, which they do now.
    case limited
  }

  /// The segment that the next frame belongs to.
  private(set) var current = SegmentStart(index: 1, firstFrame: 0, startNanoseconds: 0)
  /// Whether files are to be cut at all, so that each is told of.
  let isSegmented: Bool

  private let segmentFrames: Int
  private let fileFrames: Int
  private let format: StreamFormat
  /// When frame 0 would have been captured, had nothing been left out since.
  private var zeroNanoseconds: Int64 = 0
  private var gapFrames = 0

  /// Plans to cut at each multiple of `segmentFrames`, and before any file holds more than it may.
  init(segmentFrames: Int?, sinks: [SinkRequest], format: StreamFormat) {
    isSegmented = segmentFrames != nil
    self.segmentFrames = segmentFrames ?? .max
    fileFrames = max(1, sinks.compactMap(\.fileFrames).min() ?? .max)
    self.format = format
  }

  /// Begins the first segment.
  mutating func start(at nanoseconds: Int64) {
    zeroNanoseconds = nanoseconds
    current.startNanoseconds = nanoseconds
  }

  /// Frames that fit between `frame` and the next cut; at least 1.
  func room(at frame: Int) -> Int {
    min(segmentFrames - frame % segmentFrames, fileFrames - (frame - current.firstFrame))
  }

  /// Which files end at `frame`; `nil` if none has to.
  func due(at frame: Int) -> Scope? {
    guard frame > current.firstFrame else { return nil }
    if frame % segmentFrames == 0 { return .all }
    guard frame - current.firstFrame == fileFrames else { return nil }
    return isSegmented ? .all : .limited
  }

  /// Notes frames of silence in the current segment.
  mutating func noteGap(_ frames: Int) { gapFrames += frames }

  /// Notes that time has passed which no frame stands for.
  mutating func leaveOut(_ frames: Int) {
    zeroNanoseconds += format.nanoseconds(frames: frames)
    current.startNanoseconds = zeroNanoseconds + format.nanoseconds(frames: current.firstFrame)
  }

  /// What the current segment is, if it ends at `frame`.
  func segment(endingAt frame: Int) -> RecordingSegment {
    RecordingSegment(
      index: current.index, firstFrame: current.firstFrame, frames: frame - current.firstFrame,
      gapFrames: gapFrames, startNanoseconds: current.startNanoseconds, files: [])
  }

  /// Begins the next segment at `frame`.
  mutating func begin(at frame: Int) {
    gapFrames = 0
    current = SegmentStart(
      index: current.index + 1, firstFrame: frame,
      startNanoseconds: zeroNanoseconds + format.nanoseconds(frames: frame))
  }
}
