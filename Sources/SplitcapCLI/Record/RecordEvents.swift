private import Glibc
internal import SplitcapCore

/// The events of a recording on their way to `--events`; used by the main thread.
///
/// Nothing is made before the first of them: a recording that can't start leaves nothing behind.
struct RecordEvents {
  private let plan: RecordPlan
  private let wake: @Sendable () -> Void
  private var writer: LineWriter?
  /// What was found out before the first frame; told behind the start, which comes first.
  private var early: [String] = []
  /// Whether events were left out, or could not be written.
  private var isIncomplete = false

  /// Prepares; opens nothing.
  ///
  /// - Parameters:
  ///   - plan: What is recorded to what.
  ///   - wake: Wakes the main thread.
  init(_ plan: RecordPlan, wake: @escaping @Sendable () -> Void) {
    self.plan = plan
    self.wake = wake
  }

  /// Takes what has happened.
  mutating func add(_ event: RecordSession.Event) {
    guard plan.events != nil else { return }
    switch event {
    case .opened(let report): early += report.warnings
    case .raised: break
    case .transcript(let event):
      let (name, frame, members) = EventLines.members(of: event)
      add(name, frame: frame, members)
    case .recording(let event):
      let (name, members) = EventLines.members(of: event, plan)
      add(name, frame: event.frame, members)
      if case .started = event {
        for words in early { add("warning", frame: 0, EventLines.warning(words, nil)) }
        early = []
      }
    }
  }

  private mutating func add(_ name: String, frame: Int, _ members: EventLines.Members) {
    if writer == nil, let events = plan.events {
      writer = LineWriter(
        events, .events, stdoutToStderr: plan.usesStandardOutput, wake: wake)
    }
    let now = SystemClock.wall
    writer?.add { leftOut in
      EventLines.line(name, frame: frame, at: now, leftOut: leftOut, members)
    }
  }

  /// What is to be said of the reader of events, told once.
  func takeUnreadNotice() -> String? {
    guard let name = plan.events?.name, writer?.takeUnread() == true else { return nil }
    return "nobody reads events from FIFO \(name.quoted) yet; they wait for it"
  }

  /// Whether there is a failure to show.
  var hasFailed: Bool { writer?.hasFailed ?? false }

  /// Says if events can't be written any more.
  mutating func showFailure() {
    guard let error = writer?.takeFailure() else { return }
    isIncomplete = true
    Console.warn("events are no longer written: \(error.message)", hint: error.hint)
  }

  /// Writes the last event, if there were others.
  ///
  /// - Parameters:
  ///   - outcome: How the recording ended; `nil` if it has not.
  ///   - status: The exit status without regard to events.
  mutating func end(_ outcome: RecordSession.Outcome?, _ status: ExitStatus) {
    guard let writer else { return }
    showFailure()
    let leftOut = writer.totalLeftOut
    if leftOut > 0 {
      isIncomplete = true
      Console.warn("the reader of events was too slow; \(leftOut) events were left out")
    }
    let status = self.status(status)
    var frame = 0
    if case .success(let summary) = outcome { frame = summary.frames }
    let now = SystemClock.wall
    writer.add(isLast: true) { leftOut in
      EventLines.line(
        "end", frame: frame, at: now, leftOut: leftOut, EventLines.end(outcome, status))
    }
    writer.hurry()
  }

  /// The exit status, where `status` is that of the recording.
  func status(_ status: ExitStatus) -> ExitStatus {
    isIncomplete && status == .success ? .incomplete : status
  }

  /// Whether all is written, or nothing can be any more.
  var isOver: Bool { writer?.isOver ?? true }

  /// Events that the reader has taken.
  var written: Int { writer?.written ?? 0 }

  /// Gives up what is not written.
  mutating func giveUp(_ why: String) {
    isIncomplete = true
    writer?.abandon()
    Console.warn("events are no longer written: \(why)")
  }

  /// Waits until all is written, or for some time, and then for no reader any more.
  func waitForEnd(milliseconds: Int) {
    let deadline = SystemClock.monotonic + Int64(milliseconds) * 1_000_000
    while !isOver && SystemClock.monotonic < deadline { _ = poll(nil, 0, 10) }
    writer?.abandon()
  }
}
