// Frames that came late are held until it is known whether some are missing between them.
extension TimelineSource {
  /// How late frames may be before something is suspected.
  var doubtLimit: Int64 { Doubt.limit(latency: deviceLatency) }

  /// Whether the frames that have just come came too late.
  func isDoubtful(at now: Int64) -> Bool {
    clock.lateness(available: pending, at: now) > doubtLimit
  }

  /// Begins to doubt, since `reading` brought `count` late frames, which are held.
  mutating func suspect(_ reading: Reading, _ count: Int, at now: Int64) {
    let arrival = arrival(reading, count, at: now)
    state = .doubtful(Doubt(arrival, origin: clock.origin!, latency: deviceLatency))
  }

  /// Reads on, and decides as soon as it can.
  mutating func readDoubtful(_ doubt: Doubt) {
    // A hundredth of a second is what a server loses at once.
    var room = [Int16](
      repeating: 0, count: max(1, info.format.sampleRate / 100) * info.format.channelCount)
    let reading = nextReading
    let result: ReadResult
    do throws(SplitcapError) {
      var piece = room.mutableSpan
      result = try source!.read(into: &piece)
    } catch {
      return goAway(error)
    }
    switch result {
    case .frames(let count):
      held.append(room.span, count: count)
      clock.advance(by: count)
      frames += count
      decide(doubt, reading, count)
    case .gap(let gap):
      // Frames were late for a reason that is told now, unless some had vanished before.
      settle(doubt)
      if !isOver { hold(gap) }
    case .nothing: checkPatience()
    case .end:
      settle(doubt)
      if !isOver { state = .over(nil) }
    }
  }

  private mutating func decide(_ doubt: Doubt, _ reading: Reading, _ count: Int) {
    var doubt = doubt
    let now = noteArrival(of: count)
    switch doubt.add(arrival(reading, count, at: now)) {
    case .open: state = .doubtful(doubt)
    case .inTime:
      clock.observe(available: pending, at: now)
      state = .flowing
    case .missing(let losses): insert(losses)
    }
  }

  /// Ends a doubt by what is known so far, because something else has happened.
  ///
  /// `nothingWaits` tells whether all that was captured is known to have come.
  mutating func settle(_ doubt: Doubt, nothingWaits: Bool = false) {
    insert(doubt.losses(nothingWaits: nothingWaits))
  }

  /// Puts gaps among the frames that are held, and goes on behind them.
  private mutating func insert(_ losses: [Doubt.Loss]) {
    state = .flowing
    let firstHeld = clock.position - held.frameCount
    for loss in losses {
      let gap = filled(Gap(frames: clock.frames(nanoseconds: loss.length), cause: loss.cause))
      clock.skip(gap.frames)
      // All that was captured after room had been made stands behind the gap.
      held.insert(
        gap, before: clock.frames(nanoseconds: loss.place) - firstHeld,
        notBefore: loss.firstFrame)
      guard !endsRecording(gap) else {
        held.cutAtLastGap()
        state = .over(tooLong(gap))
        return
      }
    }
  }

  private mutating func arrival(_ reading: Reading, _ count: Int, at now: Int64) -> Doubt.Arrival {
    let isHeldUp = reading.isHeldUp || now - reading.start > Doubt.longestPause
    return Doubt.Arrival(
      start: reading.start, end: now, length: clock.nanoseconds(frames: count),
      origin: clock.origin(available: pending, at: now), firstFrame: reading.firstFrame,
      cause: noteSuspend(until: now) ? .suspend : isHeldUp ? .stall : .splice)
  }
}
