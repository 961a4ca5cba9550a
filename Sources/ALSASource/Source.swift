private import CALSA
private import Glibc
public import SplitcapCore

/// Capture from an ALSA device, as interleaved signed 16-bit samples in the layout that the device
/// has itself.
///
/// Plug-ins may convert the sample format, never the rate or the channels.
public struct ALSASource: ~Copyable, CaptureSource {
  /// What the device is and delivers; constant.
  public let info: SourceInfo

  private let pcm: PCM
  private var state = State.ready
  private var clock: StreamClock
  /// Frames read of a period that is not read to its end.
  private var partFrames = 0
  /// By how many frames the device was behind at the last looks, the latest one last.
  private var lateFrames: [4 of Int] = .init(repeating: 0)
  /// Frames that were captured before a suspend and are still to be read.
  private var keptFrames = 0
  /// Whether the last read had no room for all that it should have given.
  private var hasRest = false
  /// Whether the part of a period that a stall leaves is still to be read.
  private var isPartAwaited = false

  private enum State {
    /// Set up, not started.
    case ready
    /// Started, and nothing has come yet.
    case started
    /// Frames come.
    case running
    /// Started again after a loss whose length is not known yet.
    case restarted
  }

  /// Opens a device and sets it up; capture starts with the first read.
  ///
  /// - Parameter request: What to capture. A device of `nil` is the PCM `default`.
  /// - Throws: ``SplitcapError`` of kind `sourceUnavailable`, `sourceBusy`, `permissionDenied`,
  ///   `unsupportedFormat` or `usage` (a part of a description that fits several devices), or
  ///   else `backend`.
  public init(_ request: CaptureRequest) throws(SplitcapError) {
    ALSAMessages.collect()
    let definition = try ALSADevices.find(
      request.device ?? "default", isWholeName: request.isWholeName)
    let device = definition.device
    let choice = try definition.choose(request)
    let pcm = try definition.open(choice)
    let periodFrames = try pcm.configure(choice, latency: request.latency, device: device)

    info = SourceInfo(
      backend: .alsa, name: device,
      description: definition.description ?? pcm.hardwareName ?? device,
      format: StreamFormat(sampleRate: choice.sampleRate, channelCount: choice.channelCount),
      native: definition.reasonForNoNative == nil ? choice.native : nil,
      ears: ChannelPair(left: 0, right: min(1, choice.channelCount - 1)), isLive: true,
      latencyFrames: periodFrames,
      monoReason: choice.channelCount == 1 ? definition.monoReason : nil,
      notes: [definition.reasonForNoNative].compactMap { $0 })
    self.pcm = pcm
    clock = StreamClock(sampleRate: choice.sampleRate)
  }
}

// The capture thread runs what follows. In steady state it may not allocate, take a lock, log, or
// do I/O other than the device's own.
extension ALSASource {
  private static let waitMilliseconds: Int32 = 100

  /// How late frames must be, in nanoseconds, to show that the device has dropped some.
  private static let splice: Int64 = 20_000_000

  /// How long to wait for a period until what is there of it is read: half as long again as it lasts.
  ///
  /// If frames are being lost without a word, that part was captured before. Read together with what
  /// comes next, it would seem to have been captured after.
  private var partWait: Int32 {
    let periodMilliseconds = info.latencyFrames * 1_000 / info.format.sampleRate
    return Int32(clamping: periodMilliseconds + max(2, periodMilliseconds / 2))
  }

  /// Waits for a period of sound; see ``CaptureSource/read(into:)``.
  public mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    if state == .ready {
      let status = pcm.start()
      guard status >= 0 else { return try recover(from: status) }
      state = .started
    }
    if keptFrames > 0 { return try readKept(into: &buffer) }
    // Not for a rest: it may be less than the period that ends a wait.
    var isStalled = false
    if !hasRest {
      let status = pcm.wait(milliseconds: isPartAwaited ? partWait : Self.waitMilliseconds)
      guard status >= 0 else { return try recover(from: status) }
      isStalled = status == 0
      if isStalled && !isPartAwaited { return .nothing }
      isPartAwaited = !isStalled && partWait < Self.waitMilliseconds
    }
    hasRest = false
    let (available, time) = lookAtDevice()
    guard available >= 0 else { return try recover(from: Int32(available)) }
    if available == 0 { return isStalled ? .nothing : falseAlarm() }
    if state == .restarted {
      // What the device had dropped before, without a word, is for others to find.
      let missing = clock.missing(available: available, at: time)
      let frames = max(1, missing - droppedFrames)
      clock.skip(frames)
      state = .running
      return .gap(Gap(frames: frames, cause: .overrun))
    }
    clock.observe(available: available, at: time)
    noteLateness(clock.missing(available: available, at: time))
    let wanted = framesToPeriodEnd(of: available)
    let count = pcm.read(
      into: &buffer, frames: min(wanted, buffer.count / info.format.channelCount))
    guard count >= 0 else { return try recover(from: Int32(count)) }
    guard count > 0 else { return falseAlarm() }
    clock.advance(by: count)
    partFrames = (partFrames + count) % info.latencyFrames
    hasRest = count < wanted
    state = .running
    return .frames(count)
  }

  /// Reads what stands before a gap.
  private mutating func readKept(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    let room = buffer.count / info.format.channelCount
    let count = pcm.read(into: &buffer, frames: min(keptFrames, room))
    guard count > 0 else {
      keptFrames = 0
      return count < 0 ? try recover(from: Int32(count)) : .nothing
    }
    keptFrames -= count
    clock.advance(by: count)
    return .frames(count)
  }

  /// Those of `available` frames that end with a period.
  ///
  /// What is there of the next period stays in the device, or at that one's end a little less than
  /// a period would be there: too little to end the wait, which then lasts one period more.
  private func framesToPeriodEnd(of available: Int) -> Int {
    let periodFrames = info.latencyFrames
    let whole = (partFrames + available) / periodFrames * periodFrames - partFrames
    // A plug-in may end a wait early.
    return whole > 0 ? whole : available
  }

  /// Frames that can be read, and when that was so.
  ///
  /// If the thread loses its core in between, the two don't fit together: then another try.
  private func lookAtDevice() -> (available: Int, time: Int64) {
    var before = SystemClock.boot
    var available = pcm.available()
    var after = SystemClock.boot
    for _ in 0..<3 where after - before > 500_000 {
      before = after
      available = pcm.available()
      after = SystemClock.boot
    }
    return (available, after)
  }

  private mutating func noteLateness(_ frames: Int) {
    for i in 1..<lateFrames.count { lateFrames[i - 1] = lateFrames[i] }
    lateFrames[lateFrames.count - 1] = frames
  }

  /// Frames that the device has dropped without a word in the last seconds: by so many it was behind
  /// each time it was looked at, which no core that is taken away from this thread explains.
  private var droppedFrames: Int {
    var least = Int.max
    for i in lateFrames.indices { least = min(least, lateFrames[i]) }
    return clock.nanoseconds(frames: least) >= Self.splice ? least : 0
  }

  /// What a read gives when the device woke it for nothing; that must not take a whole core.
  private func falseAlarm() -> ReadResult {
    pause()
    return .nothing
  }

  /// Gets the device going again, if that can be.
  ///
  /// What was lost is known once the device delivers: it is the time that has passed, less what
  /// it has captured since. So there is no count of losses after which this gives up.
  private mutating func recover(from status: Int32) throws(SplitcapError) -> ReadResult {
    switch -status {
    case EINTR, EAGAIN: return .nothing
    case EPIPE: break
    case ESTRPIPE:
      let before = SystemClock.boot
      let resumed = pcm.resume()
      if resumed == -EAGAIN {
        pause()
        return .nothing
      }
      if resumed >= 0 {
        let isAgain = state == .restarted
        expectAgain()
        // What it had captured before it was suspended is still there, and stands before the gap;
        // what it has captured since then does not.
        let available = pcm.available()
        keptFrames = max(0, available - clock.frames(nanoseconds: SystemClock.boot - before))
        // A plug-in says so while it is still suspended.
        if isAgain { pause() }
        return .nothing
      }
    default: throw SplitcapError(alsaReading: status, device: info.name)
    }
    // A device that overruns again before a frame came must not take a whole core.
    if state != .running { pause() }
    let prepared = pcm.prepare()
    guard prepared >= 0 else { throw SplitcapError(alsaReading: prepared, device: info.name) }
    let started = pcm.start()
    guard started >= 0 else { throw SplitcapError(alsaReading: started, device: info.name) }
    expectAgain()
    return .nothing
  }

  /// Takes note that the device was started again.
  ///
  /// Before the first frame nothing was lost: the timeline had not begun.
  private mutating func expectAgain() {
    partFrames = 0
    keptFrames = 0
    state = state == .ready || state == .started ? .started : .restarted
  }

  private func pause() { _ = usleep(10_000) }
}
