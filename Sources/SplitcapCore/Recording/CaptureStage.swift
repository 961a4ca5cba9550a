private import Glibc

/// Reads the source into the ring; runs on the capture thread.
///
/// What this thread may not do while frames flow: allocate, take a lock, do input or output other
/// than the source's own, or log. It counts losses; the splitter reports them. For each block it
/// looks at the clock, which is no system call, and makes at most one semaphore post.
struct CaptureStage: ~Copyable {
  /// How long the first frame may take: a suspended source needs up to 2 s to wake.
  static let firstFrameLimit: Duration = .seconds(10)
  /// How long a source that has delivered may deliver nothing.
  static let quietLimit: Duration = .seconds(3)
  /// The most that one read without frames counts for: in what is longer than it may wait, this
  /// program was stopped, and no device is to blame.
  private static let longestWait: Duration = .milliseconds(200)

  private var writer: FrameRing.Writer
  private let recording: Recording
  private let info: SourceInfo
  private let plan: FlowPlan
  private let started: StartTime

  private var frames = 0
  private var unannouncedFrames = 0
  /// Loss that has not found room in the ring yet; frames must not overtake it.
  private var pendingGap: Gap?
  /// Where frames go when the ring is full, since the device must be read all the same.
  private var overflow: [Int16]
  /// How long nothing has come, and until when that was looked at.
  private var quiet: Duration = .zero
  private var lastLook = SystemClock.monotonic
  /// When a stop was noticed; a live source is read for its latency longer.
  private var stopTime: Int64?
  /// Reads in a row that came no faster than the device captures, so that nothing is waiting.
  private var pacedReads = 0

  init(
    _ writer: consuming FrameRing.Writer, recording: Recording, info: SourceInfo, plan: FlowPlan,
    started: StartTime
  ) {
    self.writer = writer
    self.recording = recording
    self.info = info
    self.plan = plan
    self.started = started
    overflow = [Int16](repeating: 0, count: plan.blockFrames * info.format.channelCount)
  }

  /// Captures until there is a reason to end.
  mutating func run(
    _ source: inout any CaptureSource & ~Copyable
  ) -> RecordingSummary.Ending {
    while true {
      if let ending = endingByNow() { return ending }
      do throws(SplitcapError) {
        switch try read(&source) {
        case .frames(let count): take(count)
        case .gap(let gap): lose(gap.frames, gap.cause)
        case .nothing:
          pacedReads = 2
          try checkPatience()
        case .end:
          // An empty file gives empty files; a device that gave nothing gives none.
          if frames == 0 && !plan.isLive { started.set(beforeNow: 0) }
          return .sourceEnded
        }
      } catch {
        return .sourceFailed(error)
      }
    }
  }

  /// Tells the splitter that nothing more will come.
  consuming func finish() {
    // The splitter empties the gap ring at its own pace; the last loss must not be left out.
    while let gap = pendingGap {
      if writer.append(gap) { break }
      recording.freed.wait()
    }
    let recording = recording
    writer.close()
    recording.filled.post()
  }

  private mutating func endingByNow() -> RecordingSummary.Ending? {
    if frames == recording.frameLimit { return .limitReached }
    let reason = recording.stopped
    if reason == .none { return nil }
    if reason == .noSinkLeft { return .noSinkLeft }
    guard plan.isLive && frames > 0 else { return .stopped }
    // What the device had captured by the time of the stop may still be on its way.
    let now = SystemClock.monotonic
    guard let stopTime else {
      stopTime = now
      pacedReads = 0
      return nil
    }
    let rest = deviceFrames(from: stopTime, to: now) - info.latencyFrames
    // If this program was held up, there is more, and it comes at once. A device that always
    // hurries is no reason to stay.
    let isCaughtUp = pacedReads >= 2 || rest >= info.format.sampleRate
    return rest >= 0 && isCaughtUp ? .stopped : nil
  }

  private func deviceFrames(from start: Int64, to end: Int64) -> Int {
    Int(Double(end - start) * 1e-9 * Double(info.format.sampleRate))
  }

  private mutating func read(
    _ source: inout any CaptureSource & ~Copyable
  ) throws(SplitcapError) -> ReadResult {
    let limit = min(plan.blockFrames, (recording.frameLimit ?? .max) - frames)
    if plan.isLive {
      if writer.freeFrames() == 0 { _ = usleep(plan.fullRingMicroseconds) }
      flushPendingGap()
      if pendingGap != nil || writer.freeFrames() == 0 { return try readOverflow(&source, limit) }
    } else {
      while writer.freeFrames() < limit {
        if recording.stopped != .none { return .nothing }
        recording.freed.wait()
      }
    }
    return try writer.withFreeSpace(limit: limit) { (piece) throws(SplitcapError) in
      try source.read(into: &piece)
    }
  }

  private mutating func readOverflow(
    _ source: inout any CaptureSource & ~Copyable, _ limit: Int
  ) throws(SplitcapError) -> ReadResult {
    let sampleCount = limit * info.format.channelCount
    var room = overflow.mutableSpan
    var piece = room._mutatingExtracting(first: sampleCount)
    let result = try source.read(into: &piece)
    guard case .frames(let count) = result else { return result }
    return .gap(Gap(frames: count, cause: .stall))
  }

  private mutating func take(_ count: Int) {
    noteArrival(of: count)
    writer.commit(frames: count)
    frames += count
    unannouncedFrames += count
    if unannouncedFrames >= plan.wakeFrames || frames == recording.frameLimit {
      unannouncedFrames = 0
      recording.filled.post()
    }
  }

  private mutating func lose(_ count: Int, _ cause: Gap.Cause) {
    let count = min(count, (recording.frameLimit ?? .max) - frames)
    noteArrival(of: count)
    frames += count
    pendingGap = Gap(frames: (pendingGap?.frames ?? 0) + count, cause: pendingGap?.cause ?? cause)
    flushPendingGap()
  }

  /// Not before frames fit behind it: until then it grows, and stays one gap.
  private mutating func flushPendingGap() {
    guard let gap = pendingGap, writer.freeFrames() > 0, writer.append(gap) else { return }
    pendingGap = nil
    recording.filled.post()
  }

  private mutating func noteArrival(of count: Int) {
    guard plan.isLive || frames == 0 else { return }
    let now = SystemClock.monotonic
    pacedReads = deviceFrames(from: lastLook, to: now) * 2 >= count ? pacedReads + 1 : 0
    quiet = .zero
    lastLook = now
    if frames == 0 {
      let way = Int64(info.format.seconds(frames: count) * 1e9)
      started.set(beforeNow: plan.isLive ? way : 0)
    }
  }

  private mutating func checkPatience() throws(SplitcapError) {
    guard plan.isLive else { return }
    let now = SystemClock.monotonic
    quiet += min(.nanoseconds(now - lastLook), Self.longestWait)
    lastLook = now
    if frames == 0 && quiet >= Self.firstFrameLimit {
      throw SplitcapError(
        .sourceUnavailable,
        "'\(info.name)' has delivered nothing for \(Self.firstFrameLimit.components.seconds) s",
        hint: "is it muted by a switch, or held by another program? try 'splitcap devices'")
    }
    if frames > 0 && quiet >= Self.quietLimit {
      throw SplitcapError(
        .sourceLost,
        "'\(info.name)' has stopped delivering; nothing for \(Self.quietLimit.components.seconds) s",
        hint: "was it unplugged, suspended or switched to another profile?")
    }
  }
}
