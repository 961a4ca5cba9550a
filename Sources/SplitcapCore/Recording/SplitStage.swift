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

  private let cut: EarCutter
  private var sinks: [SinkThread] = []
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
    cut = EarCutter(
      channelCount: info.format.channelCount, ears: ears, blockFrames: plan.blockFrames,
      makesStereo: recording.sinks.contains { $0.feed == .stereo })
    watch = EarWatch(
      sampleRate: info.format.sampleRate,
      expectsCopies: ears.left == ears.right || info.monoReason != nil)
  }

  /// Works until the ring is closed and empty and all sinks have ended.
  consuming func run() -> Result {
    while step() {}
    for sink in sinks { sink.queue.close() }
    result.sinks = sinks.map { $0.join() }
    return result
  }

  private mutating func step() -> Bool {
    var blocks: EarBlocks?
    let cut = cut
    let firstFrame = result.frames
    let taken = reader.take(limit: plan.blockFrames) { frames in
      blocks = cut.blocks(of: frames, firstFrame: firstFrame)
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
    result.frames += count
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
    for sink in sinks { sink.queue.pushSilence(firstFrame: result.frames, frames: gap.frames) }
    recording.observer(.gap(firstFrame: result.frames, gap))
    result.frames += gap.frames
    result.gapCount += 1
    result.gapFrames += gap.frames
    updateMeter(BlockLevel(), BlockLevel())
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
    sinks = recording.sinks.map { request in
      let context = SinkContext(
        feed: request.feed,
        format: StreamFormat(
          sampleRate: info.format.sampleRate, channelCount: request.feed.channelCount),
        startNanoseconds: start.wall, firstFrame: 0,
        patience: Patience(within: recording.patience))
      return SinkThread(
        request, queue: plan.makeQueue(for: request), context: context,
        restarts: recording.rules.restartsPrograms, observer: recording.observer)
    }
    recording.note(sinks)
    for sink in sinks { sink.start() }
  }
}
