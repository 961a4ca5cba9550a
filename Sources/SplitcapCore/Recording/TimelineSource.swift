private import Glibc

/// What is known of a device's clock at the end.
struct ClockReport: Sendable {
  /// Parts per million that it is too fast; `nil` if unknown.
  var drift: Double?
  /// Whether it was off by more than a clock can be.
  var isOff = false
}

/// A live source whose every frame stands where the clock says that it was heard.
///
/// It hands on what the source reads as long as that comes in time. Where frames are missing it says
/// so as a gap, whoever lost them: the source itself told, or the clock shows it. If the source goes
/// away, it waits for the same one to come back.
///
/// It runs on the capture thread; see ``CaptureStage`` for what that may not do while frames flow.
/// While something is wrong it allocates, opens devices and reports to the recording's observer.
struct TimelineSource: ~Copyable, CaptureSource {
  /// How long the first frame may take: a suspended source needs up to 2 s to wake.
  static let firstFrameLimit: Duration = .seconds(10)
  /// How long a source that has delivered may deliver nothing.
  static let quietLimit: Duration = .seconds(3)
  /// The most that one read without frames counts for: in what is longer than it may wait, this
  /// program was stopped, and no device is to blame.
  private static let longestWait: Duration = .milliseconds(200)
  let info: SourceInfo

  var source: (any CaptureSource & ~Copyable)?
  let recording: Recording
  let reopening: Reopening?
  private let report: Handover<ClockReport>
  var clock: StreamClock
  var held: HeldFrames
  var state = State.flowing
  /// Frames on the timeline, those that are held included.
  var frames = 0

  /// How much the source may hold back, and how much of that is ``CaptureSource/pendingFrames``.
  var latencyFrames: Int
  var delayFrames: Int

  /// How long nothing has come, and until when that was looked at.
  private var quiet: Duration = .zero
  private(set) var lastLook = SystemClock.boot
  /// Time that the machine has been suspended; what it grows by is no fault of the source.
  private var suspended = SystemClock.boot - SystemClock.monotonic
  /// When a stop was noticed; the source is read for its latency longer.
  private var stopTime: Int64?
  /// Reads in a row that came no faster than the device captures, so that nothing is waiting.
  private var pacedReads = 0
  private var hasReportedDrift = false

  /// A read that has begun.
  struct Reading {
    let start: Int64
    /// Whether this program was stopped before it.
    let isHeldUp: Bool
    /// Which of the frames that are held it brings first; those that were on their way are older.
    let firstFrame: Int
  }

  enum State: Sendable {
    /// Frames come in time.
    case flowing
    /// Frames came late: they are held until it is known whether some are missing.
    case doubtful(Doubt)
    /// The source is gone.
    case away(Absence)
    /// The source was opened again, and nothing has come yet.
    case returning(Absence)
    /// Nothing more will come but what is held, and then this error, if there is one.
    case over(SplitcapError?)
  }

  init(
    _ source: consuming any CaptureSource & ~Copyable, recording: Recording,
    reopening: Reopening?, report: Handover<ClockReport>
  ) {
    let info = source.info
    self.info = info
    self.source = .some(consume source)
    self.recording = recording
    self.reopening = reopening
    self.report = report
    latencyFrames = info.latencyFrames
    delayFrames = info.delayFrames
    clock = StreamClock(sampleRate: info.format.sampleRate)
    held = HeldFrames(channelCount: info.format.channelCount)
  }

  deinit {
    report.put(ClockReport(drift: clock.drift.partsPerMillion, isOff: clock.drift.excess != nil))
  }

  /// Reads what belongs next on the timeline; see ``CaptureSource/read(into:)``.
  ///
  /// After a stop it is at its end once it has given what the device had captured by then.
  mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    noteStop()
    switch state {
    case .flowing: return try readOn(into: &buffer)
    case .doubtful(let doubt): readDoubtful(doubt)
    case .away(let absence): waitForReturn(absence)
    case .returning(let absence): readReturned(absence)
    case .over: break
    }
    return try nextHeld(into: &buffer)
  }

  private mutating func nextHeld(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    switch state {
    case .doubtful, .returning: return .nothing
    case .flowing, .away, .over: break
    }
    if let result = held.next(into: &buffer) {
      if case .frames(let count) = result, !held.isEmpty { pause(after: count) }
      return result
    }
    guard case .over(let error) = state else { return .nothing }
    if let error { throw error }
    return .end
  }

  /// Lets outputs take `count` frames that were held, since many follow and a queue may be short.
  ///
  /// So they are handed on forty times as fast as they were captured, and no faster.
  private func pause(after count: Int) {
    _ = usleep(UInt32(clock.nanoseconds(frames: count) / 40_000))
  }

  // MARK: Frames in time

  private mutating func readOn(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    if !held.isEmpty { return try nextHeld(into: &buffer) }
    let reading = nextReading
    let result: ReadResult
    do throws(SplitcapError) {
      result = try source!.read(into: &buffer)
    } catch {
      goAway(error)
      return .nothing
    }
    switch result {
    case .frames(let count):
      let now = noteArrival(of: count)
      clock.advance(by: count)
      frames += count
      if isDoubtful(at: now) {
        held.append(buffer.span, count: count)
        suspect(reading, count, at: now)
        return .nothing
      }
      clock.observe(available: pending, at: now)
      watchDrift()
    case .gap(let gap):
      hold(gap)
      return try nextHeld(into: &buffer)
    case .nothing: checkPatience()
    case .end: break
    }
    return result
  }

  /// Puts a gap that the source has told of behind all that is held.
  mutating func hold(_ told: Gap) {
    var gap = told
    let now = noteArrival(of: gap.frames)
    if noteSuspend(until: now) { gap.cause = .suspend }
    clock.skip(gap.frames)
    gap = filled(gap)
    if endsRecording(gap) {
      state = .over(tooLong(gap))
    } else {
      held.append(gap)
    }
  }

  // MARK: Watching

  /// The read that begins now.
  var nextReading: Reading {
    let now = SystemClock.boot
    return Reading(
      start: now, isHeldUp: now - lastLook > Doubt.longestPause,
      firstFrame: held.frameCount + pending)
  }

  /// Frames on their way through the source.
  var pending: Int {
    switch source {
    case .some(let source): source.pendingFrames
    case .none: 0
    }
  }

  /// How much the device and the server may hold back, in nanoseconds.
  var deviceLatency: Int64 { clock.nanoseconds(frames: latencyFrames - delayFrames) }

  /// Takes note that frames have come or were lost.
  ///
  /// - Returns: Now.
  @discardableResult
  mutating func noteArrival(of count: Int) -> Int64 {
    let now = SystemClock.boot
    pacedReads = clock.nanoseconds(frames: count) / 2 <= now - lastLook ? pacedReads + 1 : 0
    quiet = .zero
    lastLook = now
    return now
  }

  /// Takes note that a read gave nothing.
  ///
  /// If nothing has come for too long, that ends the recording before the first frame; after it, the
  /// source is away.
  mutating func checkPatience() {
    pacedReads = 2
    let now = SystemClock.boot
    quiet += min(.nanoseconds(now - lastLook), Self.longestWait)
    lastLook = now
    if frames == 0 && quiet >= Self.firstFrameLimit {
      state = .over(
        SplitcapError(
          .sourceUnavailable,
          "'\(info.name)' has delivered nothing for \(Self.firstFrameLimit.components.seconds) s",
          hint: "is it muted by a switch, or held by another program? try 'splitcap devices'"))
    }
    if frames > 0 && quiet >= Self.quietLimit {
      quiet = .zero
      goAway(
        SplitcapError(
          .sourceLost,
          "'\(info.name)' has stopped delivering; nothing for"
            + " \(Self.quietLimit.components.seconds) s",
          hint: "was it unplugged, suspended or switched to another profile?"))
    }
  }

  private mutating func watchDrift() {
    guard let excess = clock.drift.excess, !hasReportedDrift else { return }
    hasReportedDrift = true
    recording.observer(.drift(frame: frames, partsPerMillion: excess))
  }

  /// Whether the machine has been suspended since the last look.
  mutating func noteSuspend(until now: Int64) -> Bool {
    let before = suspended
    // The clocks are read one after the other: a pause between makes it seem less, never more.
    suspended = max(before, now - SystemClock.monotonic)
    return suspended - before > 10_000_000
  }

  // MARK: Stopping

  private mutating func noteStop() {
    guard recording.stopped == .asked, !isOver else { return }
    if frames == 0 {
      state = .over(nil)
    } else if stopTime == nil {
      stopTime = SystemClock.boot
      pacedReads = 0
    }
    guard let stopTime else { return }
    if case .away(let absence) = state { return concludeAbsence(absence) }
    if case .returning(let absence) = state { return conclude(absence) }
    // What the device had captured by the time of the stop may still be on its way. If this program
    // was held up, there is more, and it comes at once. A device that always hurries is no reason
    // to stay.
    let waited = SystemClock.boot - stopTime
    let rest = waited - clock.nanoseconds(frames: latencyFrames)
    guard rest >= 0 && (pacedReads >= 2 || rest >= 1_000_000_000) else { return }
    if case .doubtful(let doubt) = state { settle(doubt, nothingWaits: pacedReads >= 2) }
    if !isOver { state = .over(nil) }
  }

  var isOver: Bool {
    if case .over = state { return true }
    return false
  }
}
