/// Takes frames out of the ring, splits them and queues them for each sink; a thread of its own.
///
/// It never waits for a sink of a live recording.
struct SplitStage: ~Copyable, Sendable {
  /// What the stage leaves behind.
  struct Result: Sendable {
    var frames = 0
    var startNanoseconds: Int64?
    var left = BlockLevel()
    var right = BlockLevel()
    var gapCount = 0
    var gapFrames = 0
    var sinks: [SinkSummary] = []
  }

  private var reader: FrameRing.Reader
  private let recording: Recording
  private let info: SourceInfo
  private let ears: ChannelPair
  private let plan: FlowPlan
  private let started: StartTime

  private let splitter: EarCutter
  private var sinks: [SinkThread] = []
  private var segments: SegmentCutter
  private let book: SegmentBook
  private var watch: EarWatch
  private var result = Result()

  init(
    _ reader: consuming FrameRing.Reader, recording: Recording, info: SourceInfo,
    ears: ChannelPair, plan: FlowPlan, started: StartTime
  ) {
    self.reader = reader
    self.recording = recording
    self.info = info
    self.ears = ears
    self.plan = plan
    self.started = started
    splitter = EarCutter(
      channelCount: info.format.channelCount, ears: ears, blockFrames: plan.blockFrames,
      makesStereo: recording.sinks.contains { $0.feed == .stereo })
    segments = SegmentCutter(
      segmentFrames: recording.rules.segmentFrames, sinks: recording.sinks,
      format: info.format)
    book = SegmentBook(observer: recording.observer)
    watch = EarWatch(
      sampleRate: info.format.sampleRate,
      expectsCopies: ears.left == ears.right || info.monoReason != nil)
  }

  /// Works until the ring is closed and empty and all sinks have ended.
  consuming func run() -> Result {
    while step() {}
    endSegments()
    for sink in sinks { sink.queue.close() }
    result.sinks = sinks.map { $0.join() }
    return result
  }

  private mutating func step() -> Bool {
    if recording.takeCut() { cutFiles(.all) }
    var blocks: EarBlocks?
    let splitter = splitter
    let firstFrame = result.frames
    let limit = min(plan.blockFrames, segments.room(at: firstFrame))
    let taken = reader.take(limit: limit) { frames in
      blocks = splitter.blocks(of: frames, firstFrame: firstFrame)
    }
    switch taken {
    case .frames(let count):
      if !plan.isLive { recording.freed.post() }
      handOn(blocks!, count)
    case .gap(let gap):
      recording.freed.post()
      handOn(gap)
    case .nothing:
      recording.filled.wait()
    case .end:
      startSinks()
      return false
    }
    return true
  }

  private mutating func handOn(_ blocks: EarBlocks, _ count: Int) {
    startSinks()
    for sink in sinks { sink.push(blocks.block(for: sink.request.feed)) }
    var frame = result.frames
    advance(count)
    var sum = (left: BlockLevel(), right: BlockLevel())
    blocks.forEachPiece { left, right in
      let level = (left: BlockLevel(left), right: BlockLevel(right))
      sum.left.add(level.left)
      sum.right.add(level.right)
      frame += left.count
      if let finding = watch.look(left: left, level.left, right: right, level.right) {
        recording.observer(.suspicious(frame: frame, finding))
      }
    }
    result.left.add(sum.left)
    result.right.add(sum.right)
    updateMeter(sum.left, sum.right)
    if sinks.allSatisfy(\.queue.isAbandoned) { recording.stop(.noSinkLeft) }
  }

  private mutating func handOn(_ gap: Gap) {
    startSinks()
    recording.observer(.gap(firstFrame: result.frames, gap))
    result.gapCount += 1
    if gap.isFilled {
      result.gapFrames += gap.frames
      fill(gap.frames)
    } else {
      cutFiles(.all, leavingOut: gap.frames)
    }
    updateMeter(BlockLevel(), BlockLevel())
  }

  private mutating func fill(_ frames: Int) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, segments.room(at: result.frames))
      for sink in sinks { sink.queue.pushSilence(firstFrame: result.frames, frames: count) }
      segments.noteGap(count)
      advance(count)
      rest -= count
    }
  }

  /// Goes on on the timeline, and cuts files where that is due.
  private mutating func advance(_ count: Int) {
    result.frames += count
    if let scope = segments.due(at: result.frames) { cutFiles(scope) }
  }

  private func updateMeter(_ left: BlockLevel, _ right: BlockLevel) {
    let queued = sinks.map(\.queue.queuedFrames).max() ?? 0
    recording.meter.update { progress in
      progress.format = info.format
      progress.frames = result.frames
      progress.gapCount = result.gapCount
      progress.gapFrames = result.gapFrames
      progress.left.add(left)
      progress.right.add(right)
      progress.queuedFrames = queued
    }
  }

  /// Opens the sinks, once the recording has a start; a source that failed before it has none.
  private mutating func startSinks() {
    guard sinks.isEmpty, let start = started.value else { return }
    result.startNanoseconds = start.wall
    recording.observer(
      .started(
        RecordingStart(
          source: info, ears: ears, wallNanoseconds: start.wall,
          monotonicNanoseconds: start.monotonic)))
    let space = SpaceWatch(
      sampleRate: info.format.sampleRate, frameLimit: recording.frameLimit,
      observer: recording.observer)
    segments.start(at: start.wall)
    sinks = recording.sinks.enumerated().map { [book] number, request in
      let context = SinkContext(
        feed: request.feed,
        format: StreamFormat(
          sampleRate: info.format.sampleRate, channelCount: request.feed.channelCount),
        startNanoseconds: start.wall, firstFrame: 0,
        patience: Patience(within: recording.patience), space: space)
      return SinkThread(
        request.isFile
          ? SegmentedSink.request(request, number: number, book: book) : request,
        queue: plan.makeQueue(for: request), context: context,
        restarts: recording.rules.restartsPrograms, observer: recording.observer)
    }
    recording.note(sinks)
    for sink in sinks { sink.start() }
  }
}

// Where files end and the next ones begin.
extension SplitStage {
  /// Ends files at the frame that has been reached, unless no frame has come since the last cut.
  private mutating func cutFiles(_ scope: SegmentCutter.Scope, leavingOut frames: Int = 0) {
    let hasFrames = result.frames > segments.current.firstFrame
    if hasFrames {
      enterSegment(scope)
      segments.begin(at: result.frames)
    }
    segments.leaveOut(frames)
    guard hasFrames || frames > 0 else { return }
    for number in files(scope) { sinks[number].queue.pushCut(segments.current) }
  }

  /// Enters the last segment; a recording that was never cut has none.
  private func endSegments() {
    let start = segments.current
    let isOne = start.index == 1 ? segments.isSegmented : result.frames > start.firstFrame
    if isOne { enterSegment(.all) }
  }

  private func enterSegment(_ scope: SegmentCutter.Scope) {
    book.enter(segments.segment(endingAt: result.frames), sinks: files(scope))
  }

  private func files(_ scope: SegmentCutter.Scope) -> Set<Int> {
    Set(
      sinks.indices.filter { number in
        let sink = sinks[number]
        guard sink.request.isFile, !sink.queue.isAbandoned else { return false }
        return scope == .all || sink.request.fileFrames != nil
      })
  }
}
