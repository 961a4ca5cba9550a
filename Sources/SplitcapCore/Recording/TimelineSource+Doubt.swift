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
  /// Which of the frames that are held came late first; it may be still on its way.
  let firstLate: Int

  /// A stretch in which frames may have come at the device's own pace.
  var window: Window

  struct Window: Sendable {
    let start: Int64
    var frames = 0
    var earliestOrigin: Int64
  }
}

extension TimelineSource {
  /// How late frames may be before something is suspected: a fiftieth of a second beyond what the
  /// source itself may hold back.
  var doubtLimit: Int64 {
    20_000_000 + deviceLatency
  }

  /// How long frames must come at the device's pace until nothing more can be waiting.
  private static let paceNanoseconds: Int64 = 500_000_000

  /// Whether the frames that have just come came too late.
  func isDoubtful(at now: Int64) -> Bool {
    clock.lateness(available: pending, at: now) > doubtLimit
  }

  /// Begins to doubt, since the read from `start` to `now` brought late frames, which are held.
  ///
  /// - Parameters:
  ///   - firstLate: Which of the held frames is the first that came late.
  ///   - start: When the read began.
  ///   - now: When it ended.
  ///   - isHeldUp: Whether this program was stopped before the read.
  mutating func suspect(_ firstLate: Int, from start: Int64, to now: Int64, isHeldUp: Bool) {
    let isStoppedInside = now - start > Self.longestPause
    let isSuspend = noteSuspend(until: now)
    state = .doubtful(
      Doubt(
        since: isStoppedInside ? now : start,
        cause: isSuspend ? .suspend : isHeldUp || isStoppedInside ? .stall : .splice,
        firstLate: firstLate,
        window: Doubt.Window(
          start: now, earliestOrigin: clock.origin(available: pending, at: now))))
  }

  /// Reads on, and decides as soon as it can.
  mutating func readDoubtful(_ doubt: Doubt) throws(SplitcapError) {
    // A hundredth of a second is what a server loses at once.
    var room = [Int16](
      repeating: 0, count: max(1, info.format.sampleRate / 100) * info.format.channelCount)
    let start = SystemClock.boot
    let isHeldUp = start - lastLook > Self.longestPause
    let firstLate = held.frameCount + pending
    let result: ReadResult
    do throws(SplitcapError) {
      var piece = room.mutableSpan
      result = try source!.read(into: &piece)
    } catch {
      return try goAway(error)
    }
    switch result {
    case .frames(let count):
      let isPaced = isPaced(doubt)
      held.append(room.span, count: count)
      clock.advance(by: count)
      frames += count
      decide(doubt, count, from: start, firstLate, isHeldUp: isHeldUp, isPaced: isPaced)
    case .gap(let gap):
      // Frames were late for a reason that is told now, unless some had vanished before.
      settle(doubt)
      if !isOver { held.append(try take(gap)) }
    case .nothing: try checkPatience()
    case .end:
      settle(doubt)
      state = .over(nil)
    }
  }

  /// Decides, if it can be, after `count` frames more; `isPaced` tells whether nothing was waiting
  /// before them.
  private mutating func decide(
    _ doubt: Doubt, _ count: Int, from start: Int64, _ firstLate: Int, isHeldUp: Bool,
    isPaced: Bool
  ) {
    var doubt = doubt
    let now = noteArrival(of: count)
    if clock.lateness(available: pending, at: now) <= doubtLimit / 2 {
      clock.observe(available: pending, at: now)
      state = .flowing
      return
    }
    let origin = clock.origin(available: pending, at: now)
    if isPaced && origin - doubt.window.earliestOrigin > doubtLimit {
      // Later still, though nothing was waiting: that is a doubt of its own.
      conclude(doubt)
      if !isOver { suspect(firstLate, from: start, to: now, isHeldUp: isHeldUp) }
      return
    }
    doubt.window.frames += count
    doubt.window.earliestOrigin = min(doubt.window.earliestOrigin, origin)
    let elapsed = now - doubt.window.start
    if elapsed >= Self.paceNanoseconds {
      if clock.nanoseconds(frames: doubt.window.frames) <= elapsed + elapsed / 4 {
        conclude(doubt)
        return
      }
      doubt.window = Doubt.Window(start: now, earliestOrigin: origin)
    }
    state = .doubtful(doubt)
  }

  /// Ends a doubt, because something else has happened, by what is known so far.
  mutating func settle(_ doubt: Doubt) {
    state = .flowing
    if isPaced(doubt) { conclude(doubt) }
  }

  /// Whether frames have come at the device's own pace for long enough that nothing can be waiting.
  private func isPaced(_ doubt: Doubt) -> Bool {
    let elapsed = lastLook - doubt.window.start
    let captured = clock.nanoseconds(frames: doubt.window.frames)
    return elapsed >= doubtLimit
      && captured <= elapsed + elapsed / 4 + deviceLatency
  }

  /// Puts the gap that is known by now among the frames that are held.
  mutating func conclude(_ doubt: Doubt) {
    state = .flowing
    guard let origin = clock.origin else { return }
    let missing = clock.frames(nanoseconds: doubt.window.earliestOrigin - origin)
    guard clock.nanoseconds(frames: missing) >= 20_000_000 else { return }
    // All that was captured after room had been made stands behind the gap.
    let firstHeld = clock.position - held.frameCount
    let place = clock.frames(nanoseconds: doubt.since - doubt.window.earliestOrigin) - firstHeld
    var gap = Gap(frames: missing, cause: doubt.cause)
    clock.skip(missing)
    if isTooLong(gap.frames) {
      gap.isFilled = false
    } else {
      frames += missing
    }
    held.insert(gap, before: place, notBefore: doubt.firstLate)
    if !gap.isFilled && !recording.isSegmented {
      held.cutAtLastGap()
      state = .over(tooLong(gap))
    }
  }
}
