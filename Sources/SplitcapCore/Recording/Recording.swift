private import Synchronization

/// One run from a source to its sinks, from the first frame to the last sink closed.
///
///     let source = try PulseSource(CaptureRequest(device: "headset"))
///     let recording = Recording(
///       to: [.file(.left, path: "l.wav"), .file(.right, path: "r.wav")],
///       frameLimit: source.info.format.frames(in: .seconds(10)))
///     let summary = try recording.run(source)
///
/// The thread that calls ``run(_:)`` captures; one more splits, and each sink has its own. All other
/// members may be used from any thread at any time.
public final class Recording: Sendable {
  let sinks: [SinkRequest]
  let ears: ChannelPair?
  let frameLimit: Int?
  let rules: RecordingRules
  let observer: @Sendable (RecordingEvent) -> Void

  /// Rung when the ring has frames for the splitter.
  let filled = Semaphore()
  /// Rung when the ring has room for a source that can wait, and at a stop.
  let freed = Semaphore()
  let patience = Patience()
  let meter = LevelMeter()

  private let sinkThreads = Mutex<[SinkThread]>([])
  private let isCutAsked = Atomic<Bool>(false)
  private let stopReason = Atomic<Int>(StopReason.none.rawValue)

  enum StopReason: Int {
    case none, asked, noSinkLeft
  }

  /// Plans a recording; nothing is opened or started.
  ///
  /// - Parameters:
  ///   - sinks: Where to write; at least one. They are opened when frames flow.
  ///   - ears: The source's channels to record, if not those that it calls its ears.
  ///   - frameLimit: Frames on the timeline, gaps included, after which to end; must be positive.
  ///   - rules: What to do on a bad day.
  ///   - observer: Hears of events, on the thread that splits or on a sink's, and on the one that
  ///     captures while something is wrong with the source; must not block.
  public init(
    to sinks: [SinkRequest], ears: ChannelPair? = nil, frameLimit: Int? = nil,
    rules: RecordingRules = RecordingRules(),
    observer: @escaping @Sendable (RecordingEvent) -> Void = { _ in }
  ) {
    precondition(!sinks.isEmpty, "a recording needs a sink")
    precondition(frameLimit ?? 1 > 0, "a recording needs frames")
    self.sinks = sinks
    self.ears = ears
    self.frameLimit = frameLimit
    self.rules = rules
    self.observer = observer
  }

  /// Records until the end of the source, the limit, a stop, or the end of the last sink.
  ///
  /// Call it once, on a thread that may block: it becomes the capture thread.
  ///
  /// - Parameters:
  ///   - source: What is recorded.
  ///   - reopening: How to get a device again that went away; `nil` ends the recording then.
  /// - Returns: What was recorded; also if the source failed after frames had come.
  /// - Throws: ``SplitcapError`` if the source failed before the first frame, lacks a channel of `ears`
  ///   or can't wait as the rules want, or if there can be no more threads; then no sink has been opened.
  public func run(
    _ source: consuming any CaptureSource & ~Copyable, reopening: Reopening? = nil
  ) throws(SplitcapError) -> RecordingSummary {
    let info = source.info
    let clock = Handover<ClockReport>()
    if info.isLive {
      source = TimelineSource(source, recording: self, reopening: reopening, report: clock)
    }
    let ears = try info.ears(choosing: ears)
    guard !info.isLive || rules.onSlow != .block else {
      throw SplitcapError(
        .usage, "'\(info.name)' is a device, which never waits for an output",
        hint: "--on-slow silence, skip or close; --queue keeps more")
    }
    let plan = FlowPlan(source: info, sinks: sinks, rules: rules)
    var ring = FrameRing(minimumFrames: plan.ringFrames, channelCount: info.format.channelCount)
    let started = StartTime()
    let split = SplitStage(
      ring.takeReader(), recording: self, info: info, ears: ears, plan: plan, started: started)
    let result = Handover<SplitStage.Result>()
    let thread = try WorkerThread("split", split) { split in result.put(split.run()) }
    var capture = CaptureStage(
      ring.takeWriter(), recording: self, info: info, plan: plan, started: started)
    let ending = capture.run(&source)
    capture.finish()
    let notes = source.closingNotes
    // Others may have the device while readers and programs take their time.
    _ = consume source
    // Nothing presses a file or a pipe: a program that loads its model first gets all of it.
    if info.isLive { patience.shorten() }
    thread.join()
    return try result.take().summary(
      ending: ending, source: info, notes: notes, clock: clock.current ?? ClockReport())
  }

  /// Ends the recording; what was captured so far is written.
  public func stop() { stop(.asked) }

  /// Ends the recording and no longer waits for readers and programs.
  public func abandon() {
    stop()
    patience.end()
  }

  /// Ends the files that are being written, and goes on in new ones, at the frame that the splitter
  /// has reached; nothing if no frame has come since the last cut.
  public func cut() {
    isCutAsked.store(true, ordering: .relaxed)
    filled.post()
  }

  /// Whether a cut has been asked for since the last call.
  func takeCut() -> Bool {
    isCutAsked.load(ordering: .relaxed) && isCutAsked.exchange(false, ordering: .relaxed)
  }

  /// The sinks that are still at work though all has been captured: a program that works on what it
  /// got, a reader that takes its time.
  public var lateSinks: [SinkPlace] { sinkThreads.withLock { $0.compactMap(\.lateWork) } }

  /// What has happened since the last call, for a meter.
  public func takeProgress() -> RecordingProgress { meter.take() }

  /// Notes the sinks, once they are started.
  func note(_ sinks: [SinkThread]) { sinkThreads.withLock { $0 = sinks } }

  func stop(_ reason: StopReason) {
    let none = StopReason.none.rawValue
    _ = stopReason.compareExchange(
      expected: none, desired: reason.rawValue, ordering: .relaxed)
    if reason == .asked { patience.shorten() }
    freed.post()
  }

  /// Whether a gap that is too long to be filled begins a new file.
  var isSegmented: Bool { rules.segmentFrames != nil }

  var stopped: StopReason { StopReason(rawValue: stopReason.load(ordering: .relaxed))! }
}
