private import Glibc

/// Reads the source into the ring; runs on the capture thread.
///
/// What this thread may not do while frames flow: allocate, take a lock, do input or output other
/// than the source's own, or log. It counts losses; the splitter reports them. For each block it
/// looks at the clock, which is no system call, and makes at most one semaphore post.
struct CaptureStage: ~Copyable {
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
        case .gap(let gap) where gap.isFilled: lose(gap.frames, gap.cause)
        case .gap(let gap): passOn(gap)
        case .nothing:
          for words in source.takeWarnings() {
            recording.observer(.warning(frame: frames, message: words, hint: nil))
          }
        case .end:
          // An empty file gives empty files; a device that gave nothing gives none.
          if frames == 0 && !plan.isLive { started.set(beforeNow: 0) }
          return recording.stopped == .asked ? .stopped : .sourceEnded
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

  private func endingByNow() -> RecordingSummary.Ending? {
    if frames == recording.frameLimit { return .limitReached }
    let reason = recording.stopped
    if reason == .none { return nil }
    if reason == .noSinkLeft { return .noSinkLeft }
    // A live source gives what the device had captured by then, and ends by itself.
    return plan.isLive ? nil : .stopped
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
      while true {
        flushPendingGap()
        if writer.freeFrames() >= limit && pendingGap == nil { break }
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
    noteStart(count)
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
    noteStart(count)
    frames += count
    pendingGap = Gap(frames: (pendingGap?.frames ?? 0) + count, cause: pendingGap?.cause ?? cause)
    flushPendingGap()
  }

  /// A gap that is not filled takes no place on the timeline, so it stays one of its own.
  ///
  /// It follows a time without frames: the ring will have room soon.
  private mutating func passOn(_ gap: Gap) {
    while true {
      flushPendingGap()
      if pendingGap == nil && writer.append(gap) { break }
      _ = usleep(1_000)
    }
    recording.filled.post()
  }

  /// Not before frames fit behind it: until then it grows, and stays one gap.
  private mutating func flushPendingGap() {
    guard let gap = pendingGap, writer.freeFrames() > 0, writer.append(gap) else { return }
    pendingGap = nil
    recording.filled.post()
  }

  private func noteStart(_ count: Int) {
    guard frames == 0 else { return }
    let way = Int64(info.format.seconds(frames: count) * 1e9)
    started.set(beforeNow: plan.isLive ? way : 0)
  }
}
