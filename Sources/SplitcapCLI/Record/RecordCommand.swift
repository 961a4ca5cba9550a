private import Glibc
internal import SplitcapCore

/// `splitcap record`: the main thread's part.
///
/// It plans, starts the thread that records, then waits for signals, prints what happens and draws
/// the meter. It never touches samples, and nothing that blocks can keep it from leaving.
enum RecordCommand {
  /// Records, and says how it went.
  static func run(_ options: RecordOptions) -> ExitStatus {
    let plan: RecordPlan
    do throws(SplitcapError) {
      plan = try RecordPlan(options)
    } catch {
      Console.fail(error)
      return ExitStatus(error)
    }
    for warning in plan.warnings { Console.warn(warning.message, hint: warning.hint) }
    let signals = StopSignals()
    let session = RecordSession(plan, wake: signals.wake)
    var messages = RecordMessages(options)
    var events = RecordEvents(plan, wake: signals.wake)
    var texts = TextOutputs()
    var meter = MeterDisplay(plan)
    session.start()
    var stops = StopCount()
    var waiting = WaitingNotice()
    while true {
      let isTicking = meter.isShown || waiting.isDue
      let signal = signals.wait(milliseconds: isTicking ? MeterDisplay.milliseconds : nil)
      if signal == .stop {
        stops.add(at: SystemClock.monotonic)
        waiting.start()
        guard stops.count < 2 else { leave(session, &messages, &events, &meter) }
        if !session.stop() { leaveBeforeSound(session, messages, &events) }
      }
      if signal == .cut { session.cut() }
      let outcome = session.outcome
      for event in session.takeEvents() {
        meter.clear()
        messages.show(event)
        events.add(event)
      }
      if let words = events.takeUnreadNotice() {
        meter.clear()
        Console.warn(words)
      }
      if events.hasFailed {
        meter.clear()
        events.showFailure()
      }
      texts.check(session.mergedOutputs) { meter.clear() }
      if let outcome {
        meter.clear()
        var status = messages.show(outcome)
        texts.finish(session.textOutputs, signals, &stops)
        messages.show(session.transcript)
        if status == .success && (session.isIncomplete || texts.isIncomplete) {
          status = .incomplete
        }
        events.end(outcome, status)
        finish(&events, signals, &stops)
        return events.status(status)
      }
      if let words = waiting.words(session) {
        meter.clear()
        if options.verbosity != .quiet { Console.say(words) }
      }
      if signal != .stop { meter.draw(session.takeProgress()) }
    }
  }

  /// Ends while the source is still being opened: that may hang, and nothing has been made yet.
  private static func leaveBeforeSound(
    _ session: RecordSession, _ messages: RecordMessages, _ events: inout RecordEvents
  ) -> Never {
    session.waitForEnd(milliseconds: 500)
    events.end(nil, .success)
    events.waitForEnd(milliseconds: 500)
    messages.showNothingRecorded()
    _exit(ExitStatus.success.rawValue)
  }

  /// The second Ctrl-C: readers and programs are given up, files are valid as they stand.
  private static func leave(
    _ session: RecordSession, _ messages: inout RecordMessages, _ events: inout RecordEvents,
    _ meter: inout MeterDisplay
  ) -> Never {
    session.abandon()
    meter.clear()
    Console.warn("stopped without waiting for all outputs; files are valid, an end may be missing")
    // A sink that ends by itself does so at once; one that hangs is left behind, which is why this
    // is no orderly exit.
    session.waitForEnd(milliseconds: 1_500)
    let outcome = session.outcome
    for event in session.takeEvents() {
      messages.show(event)
      events.add(event)
    }
    if let outcome {
      _ = messages.show(outcome)
    } else {
      for work in session.lateWork { Console.warn("\(work) is left behind") }
    }
    events.end(outcome, .incomplete)
    events.waitForEnd(milliseconds: 500)
    _exit(ExitStatus.incomplete.rawValue)
  }

  /// Waits for the reader of events, but not for one that takes nothing, nor after a second Ctrl-C.
  private static func finish(
    _ events: inout RecordEvents, _ signals: borrowing StopSignals, _ stops: inout StopCount
  ) {
    // A reader is given up by the thread that writes to it. That thread itself may hang in the system.
    let limit: Int64 = 5_000_000_000
    var progress = (written: events.written, time: SystemClock.monotonic)
    while !events.isOver {
      let now = SystemClock.monotonic
      if events.written != progress.written { progress = (events.written, now) }
      if signals.wait(milliseconds: 100) == .stop { stops.add(at: now) }
      if stops.count >= 2 || now - progress.time > limit {
        events.giveUp("their reader took nothing")
        return
      }
    }
    events.showFailure()
  }
}

/// Says once, a second after a stop, which outputs are still waited for.
private struct WaitingNotice {
  private static let delay: Int64 = 1_000_000_000
  private var due: Int64?
  private var isSaid = false

  /// Notes the first stop.
  mutating func start() { due = due ?? SystemClock.monotonic + Self.delay }

  /// Whether there is something to look for.
  var isDue: Bool { due != nil && !isSaid }

  /// The words, when it is time and there is an output to wait for.
  mutating func words(_ session: RecordSession) -> String? {
    guard isDue, let due, SystemClock.monotonic >= due else { return nil }
    let names = session.lateWork
    guard !names.isEmpty else { return nil }
    isSaid = true
    return "all is recorded; still waiting for \(names.joined(separator: ", ")); "
      + "Ctrl-C again leaves at once"
  }
}
