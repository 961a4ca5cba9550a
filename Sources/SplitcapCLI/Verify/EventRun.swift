internal import SplitcapCore

/// One recording, as its events tell of it: its gaps, and the two files of it that are looked for.
struct EventRun: Sendable {
  /// The files that are looked for.
  typealias Wanted = (left: WantedFile, right: WantedFile)

  /// A file of the recording.
  struct File: Sendable {
    let path: String
    let closeness: WantedFile.Closeness
    /// Where it begins, on the timeline.
    var firstFrame = 0
    /// Frames in it; `nil` if that was not told.
    var frames: Int?
    /// Wall-clock time of its first frame.
    var start: String?
    /// Whether a file that begins elsewhere is as close.
    var isAmbiguous = false
  }

  /// How close both files are: the worse one counts more.
  struct Fit: Sendable, Comparable {
    let worse: WantedFile.Closeness
    let better: WantedFile.Closeness

    /// Whether both are the very files.
    var isSure: Bool { worse == .same }

    static func < (one: Fit, other: Fit) -> Bool {
      (one.worse, one.better) < (other.worse, other.better)
    }
  }

  /// Wall-clock time of frame 0, as the recording wrote it.
  private(set) var start: String?
  /// Frames per second, in hertz.
  private(set) var rate: Int?
  /// Frames of the whole recording; `nil` if its end was not told.
  private(set) var frames: Int?
  /// The gaps that are on the timeline, in the order they were told.
  private(set) var gaps: [EarComparison.Claim] = []
  /// Whether there are events that its reader was too slow for.
  private(set) var lacksEvents = false
  /// Whether it was cut into several files.
  private(set) var isSegmented = false
  /// Whether anything is known of its sound.
  private(set) var isTold = false
  private(set) var hasEnded = false
  /// The file of the left ear; `nil` if none of that name was told of.
  private(set) var left: File?
  /// The file of the right ear; `nil` if none of that name was told of.
  private(set) var right: File?

  private let wanted: Wanted

  /// More than any sane recording has; what a hostile file may cost is bounded.
  private static let gapLimit = 1_000_000
  private static let causeLimit = 64

  init(_ wanted: Wanted) { self.wanted = wanted }

  /// How close its files are; `nil` if one of those that are looked for is not among them.
  var fit: Fit? {
    guard let left = left?.closeness, let right = right?.closeness else { return nil }
    return Fit(worse: min(left, right), better: max(left, right))
  }

  /// Whether it can't be told which of its files are meant.
  var isAmbiguous: Bool { left?.isAmbiguous == true || right?.isAmbiguous == true }

  /// Whether both recordings wrote the same files.
  func hasFiles(of other: EventRun) -> Bool {
    left?.path == other.left?.path && right?.path == other.right?.path
  }

  // MARK: Events

  /// Takes an event.
  ///
  /// - Returns: What is wrong with it; `nil` if nothing is.
  mutating func take(_ event: String, _ fields: JSONFields) -> String? {
    if let count = fields.integer("events_left_out"), count > 0 { lacksEvents = true }
    switch event {
    case "start": takeStart(fields)
    case "gap": return takeGap(fields)
    case "segment": return takeSegment(fields)
    case "end":
      frames = fields.integer("frames")
      hasEnded = true
    default: break
    }
    return nil
  }

  private mutating func takeStart(_ fields: JSONFields) {
    isTold = true
    start = fields.text("start_time")
    rate = fields.integer("source", "recorded", "rate")
    var index = 0
    while let path = fields.text("outputs", String(index), "path") {
      offer(path, of: fields.text("outputs", String(index), "feed"))
      index += 1
    }
  }

  private mutating func takeGap(_ fields: JSONFields) -> String? {
    isTold = true
    guard let frame = fields.integer("frame"), let frames = fields.integer("frames"),
      frame >= 0, frames > 0, frame <= Int.max - frames
    else { return "a gap without its frame and frames" }
    // One that was too long stands in no file.
    if fields["filled"] == .bool(false) { return nil }
    guard gaps.count < Self.gapLimit else { return "more than \(Self.gapLimit) gaps" }
    var cause = fields.text("cause") ?? "unknown"
    if cause.utf8.count > Self.causeLimit { cause = "unknown" }
    gaps.append(EarComparison.Claim(frame..<frame + frames, cause: cause))
    return nil
  }

  private mutating func takeSegment(_ fields: JSONFields) -> String? {
    // Names of outputs are patterns, or those of the first files, of a recording that is cut.
    if !isSegmented { (left, right) = (nil, nil) }
    (isTold, isSegmented) = (true, true)
    guard let first = fields.integer("first_frame") else { return "a segment without first_frame" }
    var index = 0
    while let path = fields.text("files", String(index), "path") {
      guard let firstFrame = fields.integer("files", String(index), "first_frame"),
        let frames = fields.integer("files", String(index), "frames"), firstFrame >= 0, frames >= 0,
        firstFrame <= Int.max - frames
      else { return "a file without its first_frame and frames" }
      offer(
        path, of: fields.text("files", String(index), "feed"), firstFrame, frames,
        start: firstFrame == first ? fields.text("start_time") : start)
      index += 1
    }
    return nil
  }

  // MARK: Files

  /// Keeps a file if none before was closer.
  private mutating func offer(
    _ path: String, of feed: String?, _ firstFrame: Int = 0, _ frames: Int? = nil,
    start: String? = nil
  ) {
    func better(than best: File?, for wanted: WantedFile) -> File? {
      guard let closeness = wanted.closeness(to: path, of: feed) else { return best }
      var file = File(
        path: path, closeness: closeness, firstFrame: firstFrame, frames: frames, start: start)
      guard let best, best.closeness >= closeness else { return file }
      guard best.closeness == closeness else { return best }
      file.isAmbiguous =
        best.isAmbiguous
        || closeness != .same && best.path != path && best.firstFrame != firstFrame
      return file
    }
    left = better(than: left, for: wanted.left)
    right = better(than: right, for: wanted.right)
  }
}
