/// Frames that came later than the clock allows.
///
/// Either the rest comes at once, since this program or the server was held up and all is still there,
/// or frames are missing, since a queue ran over and its owner said nothing. Which it is shows when
/// frames come no faster than they are captured.
struct Doubt: Sendable {
  /// When the read began that brought the first late frames: whoever had to drop frames had room
  /// again from then on.
  let since: Int64
  let cause: Gap.Cause

  /// A stretch in which frames may have come at the device's own pace.
  var window: Window?

  struct Window: Sendable {
    let start: Int64
    var frames = 0
    var earliestOrigin = Int64.max
  }

  init(since: Int64, cause: Gap.Cause) {
    self.since = since
    self.cause = cause
  }
}

extension TimelineSource {
  /// How late frames may be before something is suspected: a fiftieth of a second beyond what the
  /// source itself may hold back.
  private var doubtLimit: Int64 {
    20_000_000 + clock.nanoseconds(frames: latencyFrames)
  }

  /// How long frames must come at the device's pace until nothing more can be waiting.
  private static let paceNanoseconds: Int64 = 500_000_000

  /// Whether the frames that have just come came too late.
  func isDoubtful(at now: Int64) -> Bool { clock.lateness(at: now) > doubtLimit }

  /// What may have lost frames if the read from `start` to `now` brought late ones.
  ///
  /// `isHeldUp` tells whether this program was stopped before the read.
  mutating func suspicion(from start: Int64, to now: Int64, isHeldUp: Bool) -> Doubt {
    let isStoppedInside = now - start > Self.longestPause
    let isSuspend = noteSuspend(until: now)
    return Doubt(
      since: isStoppedInside ? now : start,
      cause: isSuspend ? .suspend : isHeldUp || isStoppedInside ? .stall : .splice)
  }

  /// Reads on, and decides as soon as it can.
  mutating func readDoubtful(_ doubt: Doubt) throws(SplitcapError) {
    var doubt = doubt
    let before = clock.position
    guard let now = try readHeld() else { return }
    if clock.lateness(at: now) <= doubtLimit / 2 {
      clock.observe(at: now)
      state = .flowing
      return
    }
    var window = doubt.window ?? Doubt.Window(start: now)
    if doubt.window != nil { window.frames += clock.position - before }
    window.earliestOrigin = min(window.earliestOrigin, clock.origin(at: now))
    doubt.window = window
    let elapsed = now - window.start
    if elapsed >= Self.paceNanoseconds {
      if clock.nanoseconds(frames: window.frames) <= elapsed + elapsed / 4 {
        return conclude(doubt)
      }
      doubt.window = nil
    }
    state = .doubtful(doubt)
  }

  /// Reads from the source behind what is held.
  ///
  /// - Returns: When frames came; `nil` if none did.
  private mutating func readHeld() throws(SplitcapError) -> Int64? {
    // A hundredth of a second is what a server loses at once.
    var room = [Int16](
      repeating: 0, count: max(1, info.format.sampleRate / 100) * info.format.channelCount)
    let result: ReadResult
    do throws(SplitcapError) {
      var piece = room.mutableSpan
      result = try source!.read(into: &piece)
    } catch {
      try goAway(error)
      return nil
    }
    switch result {
    case .frames(let count):
      held.append(room.span, count: count)
      clock.advance(by: count)
      frames += count
      return noteArrival(of: count)
    case .gap(let gap):
      // Frames were late for a reason that is told now.
      state = .flowing
      held.append(try take(gap))
    case .nothing: try checkPatience()
    case .end: state = .over(nil)
    }
    return nil
  }

  /// Puts the gap that is known by now among the frames that are held.
  mutating func conclude(_ doubt: Doubt) {
    state = .flowing
    guard let window = doubt.window, let origin = clock.origin else { return }
    let missing = clock.frames(nanoseconds: window.earliestOrigin - origin)
    guard clock.nanoseconds(frames: missing) >= 20_000_000 else { return }
    // All that was captured after room had been made stands behind the gap.
    let firstHeld = clock.position - held.frameCount
    let place = clock.frames(nanoseconds: doubt.since - window.earliestOrigin) - firstHeld
    var gap = Gap(frames: missing, cause: doubt.cause)
    clock.skip(missing)
    if isTooLong(gap) {
      gap.isFilled = false
    } else {
      frames += missing
    }
    held.insert(gap, before: place)
    if !gap.isFilled && !recording.isSegmented {
      held.cutAtGap()
      state = .over(tooLong(gap))
    }
  }
}
