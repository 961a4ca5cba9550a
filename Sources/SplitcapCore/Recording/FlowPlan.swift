/// How much is carried at a time, and how often threads are woken.
///
/// A live source wants short ways if someone listens at the other end, and few wake-ups if all is
/// written to files. Any other source wants large pieces.
struct FlowPlan: Sendable {
  /// Frames that the ring holds.
  let ringFrames: Int
  /// Frames that are read, split and written at once, at most.
  let blockFrames: Int
  /// Frames that are gathered before the splitter is woken.
  let wakeFrames: Int
  /// Whether the source must never wait.
  let isLive: Bool
  /// How long a live source that finds the ring full waits for room before it drops a block.
  ///
  /// After a stall of this program, what the device or server kept comes faster than it can be
  /// split. Half as long as a block lasts, so that the device is still read faster than it captures.
  var fullRingMicroseconds: UInt32 { UInt32(blockFrames * 500_000 / sampleRate) }

  private let sampleRate: Int
  private let queueFrames: Int
  private let slowRule: SlowRule

  init(source: SourceInfo, sinks: [SinkRequest], rules: RecordingRules) {
    queueFrames = max(1, source.format.frames(in: rules.queue))
    slowRule = rules.onSlow ?? (source.isLive ? .silence : .block)
    let rate = source.format.sampleRate
    sampleRate = rate
    isLive = source.isLive
    if !isLive {
      // Large, so that threads are seldom woken; few, so that they stay in the cache between them.
      blockFrames = 262_144
      ringFrames = 2 * blockFrames
      wakeFrames = 1
    } else {
      let isPrompt = sinks.contains { !$0.isFile }
      blockFrames =
        isPrompt
        ? max(rate / 100, source.latencyFrames) : max(1, min(rate / 10, queueFrames / 4))
      ringFrames = 2 * rate
      wakeFrames = isPrompt ? 1 : blockFrames
    }
  }

  /// The queue for a sink: as long as the rules say, but a file that a fast source fills, and may
  /// block, needs only to be kept busy.
  func makeQueue(for sink: SinkRequest) -> SinkQueue {
    SinkQueue(
      capacity: slowRule == .block && sink.isFile
        ? min(queueFrames, 2 * blockFrames) : queueFrames,
      wakeFrames: isLive && sink.isFile ? max(1, min(sampleRate / 5, queueFrames / 4)) : 1,
      rule: slowRule)
  }
}
