internal import SplitcapCore

/// What the events of a recording tell of the files of two ears, in frames of these files.
struct EventAccount: Sendable {
  /// Where on the recording's timeline a file stands.
  struct Part: Sendable, Equatable {
    var firstFrame = 0
    /// `nil` if that was not told.
    var frames: Int?
  }

  /// Wall-clock time of the first frame, as the recording wrote it.
  let start: String?
  /// Frames per second, in hertz.
  let rate: Int?
  let left: Part
  let right: Part
  /// The gaps that lie in the files; none if these are not aligned.
  let gaps: [EarComparison.Claim]
  /// Whether gaps may be missing, since the events' reader was too slow.
  let lacksEvents: Bool
  /// Whether the last line is not whole, since its writer was killed.
  let isCut: Bool

  /// Whether both files begin at the same frame of the recording.
  var isAligned: Bool { left.firstFrame == right.firstFrame }

  /// Reads the events at `path`, and finds the recording of the two files in it.
  ///
  /// - Throws: ``SplitcapError`` of a kind that means status 3.
  init(path: String, left: String, right: String) throws(SplitcapError) {
    let file = try EventFile(
      path: path, wanted: (WantedFile(.left, left), WantedFile(.right, right)))
    self.init(try file.recording(), isCut: file.isCut)
  }

  private init(_ run: EventRun, isCut: Bool) {
    func part(_ file: EventRun.File?) -> Part {
      guard run.isSegmented, let file else { return Part(frames: run.frames) }
      return Part(firstFrame: file.firstFrame, frames: file.frames)
    }
    left = part(run.left)
    right = part(run.right)
    start = run.isSegmented ? run.left?.start : run.start
    rate = run.rate
    lacksEvents = run.lacksEvents
    self.isCut = isCut
    gaps = left.firstFrame == right.firstFrame ? Self.gaps(of: run, in: left, right) : []
  }

  /// The gaps of the recording, as frames of the files; a cut may go through one.
  private static func gaps(
    of run: EventRun, in left: Part, _ right: Part
  ) -> [EarComparison.Claim] {
    guard run.isSegmented, let leftFrames = left.frames, let rightFrames = right.frames else {
      return run.gaps
    }
    let first = left.firstFrame
    let frames = first..<first + min(leftFrames, rightFrames)
    return run.gaps.compactMap { gap in
      let part = gap.range.clamped(to: frames)
      guard !part.isEmpty else { return nil }
      let range = part.lowerBound - first..<part.upperBound - first
      return EarComparison.Claim(range, cause: gap.cause)
    }
  }
}
