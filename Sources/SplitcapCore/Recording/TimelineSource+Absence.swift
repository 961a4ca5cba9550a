private import Glibc

/// The time from a source's loss to its return.
struct Absence: Sendable {
  /// Why it is gone.
  let error: SplitcapError
  /// When it was missed, on CLOCK_MONOTONIC: a suspended machine waits for nothing.
  let since: Int64
  /// When to try the next time.
  var nextAttempt: Int64 = 0
  /// When it was opened again, on CLOCK_BOOTTIME.
  var openedAt: Int64 = 0
  /// The earliest origin of the frames that have come since.
  var earliestOrigin = Int64.max
}

extension TimelineSource {
  /// Time between two attempts, so that a device is recorded within a second of its return, and
  /// looking for it costs next to nothing.
  private static let attemptInterval: Int64 = 400_000_000

  /// How long a source that was opened again may take to wake.
  private static let wakeLimit: Int64 = 10_000_000_000

  /// How long frames are held after a return.
  private static let settleTime: Int64 = 250_000_000

  /// Lets the source go, which has failed for `error`, and waits for its return from now on.
  ///
  /// The recording ends if it can't come back, or is not to be waited for.
  mutating func goAway(_ error: SplitcapError) {
    if case .doubtful(let doubt) = state { settle(doubt) }
    if isOver { return }
    guard error.kind == .sourceLost, reopening != nil, clock.origin != nil else {
      state = .over(error)
      return
    }
    source = nil
    recording.observer(.lost(frame: frames, error))
    state = .away(Absence(error: error, since: SystemClock.monotonic))
  }

  /// Tries to open the source again, if it is time for that.
  mutating func waitForReturn(_ absence: Absence) {
    // What came before the loss is handed on first.
    guard held.isEmpty else { return }
    let now = SystemClock.monotonic
    let missing = missingFrames
    // No segment is ended by a gap that the limit ends before.
    if missing == framesToLimit && !isTooLong(missing) { return concludeAbsence(absence) }
    if now - absence.since >= longestGap || isTooLong(missing) && !recording.isSegmented {
      return giveUp(absence)
    }
    guard now >= absence.nextAttempt else {
      _ = usleep(20_000)
      return
    }
    do throws(SplitcapError) {
      source = try reopening!.open(info)
      precondition(source!.info.format == info.format, "a source came back with another format")
      var absence = absence
      absence.openedAt = SystemClock.boot
      state = .returning(absence)
    } catch {
      stayAway(absence)
    }
  }

  /// Reads the first frames after the return, which tell how long the source was away.
  ///
  /// The very first may be late. So they are held for a moment, and the earliest one counts.
  mutating func readReturned(_ absence: Absence) {
    var absence = absence
    let result: ReadResult
    var room = [Int16](repeating: 0, count: 2 * info.format.sampleRate * info.format.channelCount)
    let reading = nextReading
    do throws(SplitcapError) {
      var piece = room.mutableSpan
      result = try source!.read(into: &piece)
    } catch {
      return stayAway(absence)
    }
    let now = SystemClock.boot
    switch result {
    case .frames(let count):
      let origin = clock.origin(available: held.frameCount + count + pending, at: now)
      if !held.isEmpty && origin - absence.earliestOrigin > doubtLimit {
        // Some have vanished already, or come late: first what came before them.
        goOn(absence)
        guard case .flowing = state else { return }
        held.append(room.span, count: count)
        clock.advance(by: count)
        frames += count
        return suspect(reading, count, at: noteArrival(of: count))
      }
      held.append(room.span, count: count)
      absence.earliestOrigin = min(absence.earliestOrigin, origin)
    case .nothing: break
    // One that loses frames before it has settled starts anew.
    case .gap, .end: return stayAway(absence)
    }
    let waited = now - absence.openedAt
    if held.isEmpty {
      if waited >= Self.wakeLimit { return stayAway(absence) }
    } else if waited >= Self.settleTime {
      return goOn(absence)
    }
    state = .returning(absence)
  }

  /// Goes on behind the gap that the absence has left.
  private mutating func goOn(_ absence: Absence) {
    let now = noteArrival(of: held.frameCount)
    let isSuspend = noteSuspend(until: now)
    // At least 1: a source that was away has missed something.
    let missing = max(1, clock.frames(nanoseconds: absence.earliestOrigin - clock.origin!))
    if isTooLong(missing) && !recording.isSegmented { return giveUp(absence) }
    recording.observer(.back(frame: frames, source!.info))
    state = .flowing
    frames += held.frameCount
    clock.skip(missing)
    clock.advance(by: held.frameCount)
    clock.restart(origin: absence.earliestOrigin - clock.nanoseconds(frames: missing), at: now)
    held.insert(
      filled(Gap(frames: missing, cause: isSuspend ? .suspend : .away)), before: 0)
    latencyFrames = source!.info.latencyFrames
    delayFrames = source!.info.delayFrames
  }

  /// Ends the recording while the source is away: the time until now belongs to it.
  mutating func concludeAbsence(_ absence: Absence) {
    let missing = missingFrames
    if isTooLong(missing) { return giveUp(absence) }
    if missing > 0 {
      held.append(Gap(frames: missing, cause: .away))
      frames += missing
    }
    state = .over(nil)
  }

  /// Ends the recording while the source is returning.
  mutating func conclude(_ absence: Absence) {
    guard !held.isEmpty else { return concludeAbsence(absence) }
    goOn(absence)
    if case .flowing = state { state = .over(nil) }
  }

  private mutating func stayAway(_ absence: Absence) {
    var absence = absence
    source = nil
    held = HeldFrames(channelCount: info.format.channelCount)
    absence.earliestOrigin = .max
    absence.nextAttempt = SystemClock.monotonic + Self.attemptInterval
    state = .away(absence)
  }

  private mutating func giveUp(_ absence: Absence) {
    source = nil
    held = HeldFrames(channelCount: info.format.channelCount)
    let longest = recording.rules.longestGap
    let limit =
      longest < .seconds(1)
      ? "\(longestGap / 1_000_000) ms" : "\(longest.components.seconds) s"
    state = .over(
      SplitcapError(
        .sourceLost, "\(absence.error.message); it did not come back within \(limit)",
        hint: absence.error.hint))
  }

  /// Frames that are missing by now, none of them behind the limit of the recording.
  private var missingFrames: Int { min(clock.missing(at: SystemClock.boot), framesToLimit) }

  private var framesToLimit: Int { (recording.frameLimit ?? .max) - frames }

  // MARK: The longest gap

  private var longestGap: Int64 { Int64(recording.rules.longestGap / .nanoseconds(1)) }

  /// Whether a gap of so many frames is longer than what may become silence.
  func isTooLong(_ frames: Int) -> Bool { clock.nanoseconds(frames: frames) > longestGap }

  /// `gap` as it stands on the timeline: filled, unless it is too long.
  mutating func filled(_ gap: Gap) -> Gap {
    var gap = gap
    if isTooLong(gap.frames) { gap.isFilled = false }
    if gap.isFilled { frames += gap.frames }
    return gap
  }

  /// Whether nothing may stand behind a gap.
  func endsRecording(_ gap: Gap) -> Bool { !gap.isFilled && !recording.isSegmented }

  /// Why a gap ends the recording.
  func tooLong(_ gap: Gap) -> SplitcapError {
    let seconds = Int(info.format.seconds(frames: gap.frames).rounded())
    return SplitcapError(
      .sourceLost,
      "\(seconds) s of '\(info.name)' are missing, more than become silence",
      hint: "--wait allows longer gaps; with --segment a new file begins after one")
  }
}
