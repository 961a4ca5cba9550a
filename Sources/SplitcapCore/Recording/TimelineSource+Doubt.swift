/// Frames that came later than the clock allows.
///
/// Either the rest comes at once, since this program or the server was held up and all is still there,
/// or frames are missing, since a queue ran over and its owner said nothing. Which it is shows when
/// frames come no faster than they are captured.
struct Doubt: Sendable {
  /// A place at which frames may be missing.
  struct Suspicion: Sendable {
    /// When the read began that brought the first late frames: whoever had to drop frames had room
    /// again from then on.
    let since: Int64
    let cause: Gap.Cause
    /// Which of the frames that are held came late first; it may be still on its way.
    let firstLate: Int
    /// A stretch in which frames may have come at the device's own pace.
    var window: Window
  }

  struct Window: Sendable {
    let start: Int64
    var frames = 0
    var earliestOrigin: Int64
  }

  /// What may have happened before the last one came up, which came later still.
  var earlier: [Suspicion] = []
  var last: Suspicion
}

/// A read, as far as it matters for what it brought.
struct Arrival {
  /// When it began.
  let start: Int64
  /// Whether this program was stopped before it.
  let isHeldUp: Bool
  /// Which of the frames that are held it brought first; those that were on their way are older.
  let first: Int
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

  /// Begins to doubt, since a read that ended `now` brought late frames, which are held.
  mutating func suspect(_ arrival: Arrival, at now: Int64) {
    state = .doubtful(Doubt(last: suspicion(arrival, at: now)))
  }

  private mutating func suspicion(_ arrival: Arrival, at now: Int64) -> Doubt.Suspicion {
    let isStoppedInside = now - arrival.start > Self.longestPause
    let isSuspend = noteSuspend(until: now)
    return Doubt.Suspicion(
      since: isStoppedInside ? now : arrival.start,
      cause: isSuspend ? .suspend : arrival.isHeldUp || isStoppedInside ? .stall : .splice,
      firstLate: arrival.first,
      window: Doubt.Window(
        start: now, earliestOrigin: clock.origin(available: pending, at: now)))
  }

  /// Reads on, and decides as soon as it can.
  mutating func readDoubtful(_ doubt: Doubt) throws(SplitcapError) {
    // A hundredth of a second is what a server loses at once.
    var room = [Int16](
      repeating: 0, count: max(1, info.format.sampleRate / 100) * info.format.channelCount)
    let arrival = nextArrival
    let result: ReadResult
    do throws(SplitcapError) {
      var piece = room.mutableSpan
      result = try source!.read(into: &piece)
    } catch {
      return try goAway(error)
    }
    switch result {
    case .frames(let count):
      let wasPaced = isPaced(doubt.last)
      held.append(room.span, count: count)
      clock.advance(by: count)
      frames += count
      decide(doubt, arrival, count, wasPaced: wasPaced)
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

  /// Decides, if it can be, after `count` frames more.
  private mutating func decide(
    _ doubt: Doubt, _ arrival: Arrival, _ count: Int, wasPaced: Bool
  ) {
    var doubt = doubt
    let now = noteArrival(of: count)
    if clock.lateness(available: pending, at: now) <= doubtLimit / 2 {
      clock.observe(available: pending, at: now)
      state = .flowing
      return
    }
    let origin = clock.origin(available: pending, at: now)
    doubt.dropOverdue(origin: origin, limit: doubtLimit / 2)
    if wasPaced && origin - doubt.last.window.earliestOrigin > doubtLimit {
      // Later still, though nothing was waiting.
      doubt.earlier.append(doubt.last)
      doubt.last = suspicion(arrival, at: now)
    } else {
      doubt.last.window.frames += count
      doubt.last.window.earliestOrigin = min(doubt.last.window.earliestOrigin, origin)
    }
    let window = doubt.last.window
    let elapsed = now - window.start
    if elapsed >= Self.paceNanoseconds {
      if clock.nanoseconds(frames: window.frames) <= elapsed + elapsed / 4 {
        return conclude(doubt)
      }
      doubt.last.window = Doubt.Window(start: now, earliestOrigin: origin)
    }
    state = .doubtful(doubt)
  }

  /// Ends a doubt, because something else has happened, by what is known so far.
  mutating func settle(_ doubt: Doubt) {
    insertGaps(for: doubt.earlier + (isPaced(doubt.last) ? [doubt.last] : []))
  }

  /// Whether frames have come at the device's own pace for long enough that nothing can be waiting.
  private func isPaced(_ suspicion: Doubt.Suspicion) -> Bool {
    let elapsed = lastLook - suspicion.window.start
    let captured = clock.nanoseconds(frames: suspicion.window.frames)
    return elapsed >= doubtLimit && captured <= elapsed + elapsed / 4 + deviceLatency
  }

  /// Ends a doubt: frames are missing wherever it was suspected.
  mutating func conclude(_ doubt: Doubt) { insertGaps(for: doubt.earlier + [doubt.last]) }

  /// Puts gaps among the frames that are held.
  private mutating func insertGaps(for suspicions: [Doubt.Suspicion]) {
    state = .flowing
    guard var origin = clock.origin else { return }
    let firstHeld = clock.position - held.frameCount
    for suspicion in suspicions {
      let late = suspicion.window.earliestOrigin
      guard late - origin >= 20_000_000 else { continue }
      // All that was captured after room had been made stands behind the gap.
      let place = clock.frames(nanoseconds: suspicion.since - late) - firstHeld
      insert(
        Gap(frames: clock.frames(nanoseconds: late - origin), cause: suspicion.cause),
        before: place, notBefore: suspicion.firstLate)
      if isOver { return }
      origin = late
    }
  }

  private mutating func insert(_ gap: Gap, before place: Int, notBefore first: Int) {
    var gap = gap
    clock.skip(gap.frames)
    if isTooLong(gap.frames) {
      gap.isFilled = false
    } else {
      frames += gap.frames
    }
    held.insert(gap, before: place, notBefore: first)
    if !gap.isFilled && !recording.isSegmented {
      held.cutAtLastGap()
      state = .over(tooLong(gap))
    }
  }
}

extension Doubt {
  /// Drops suspicions whose frames have come after all.
  fileprivate mutating func dropOverdue(origin: Int64, limit: Int64) {
    while let before = earlier.last, origin - before.window.earliestOrigin <= limit {
      let frames = last.window.frames
      last = earlier.removeLast()
      last.window.frames += frames
    }
  }
}
