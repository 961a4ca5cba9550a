private import Glibc
internal import SplitcapCore
private import Synchronization

/// One recording and the thread it runs on, as the main thread sees it.
final class RecordSession: Sendable {
  /// How a session ended.
  typealias Outcome = Result<RecordingSummary, SplitcapError>

  /// Something to tell the user.
  enum Event: Sendable {
    case opened(SourceReport)
    case recording(RecordingEvent)
  }

  private let plan: RecordPlan
  private let wake: @Sendable () -> Void
  private let events: Mutex<[Event]> = Mutex([])
  private let state = Mutex(State())

  private struct State {
    var recording: Recording?
    var isStopped = false
    var outcome: Outcome?
  }

  /// Prepares a session.
  ///
  /// - Parameters:
  ///   - plan: What to record to what.
  ///   - wake: Wakes the main thread, which then asks what has happened.
  init(_ plan: RecordPlan, wake: @escaping @Sendable () -> Void) {
    self.plan = plan
    self.wake = wake
  }

  /// Starts the thread that opens the source and captures.
  func start() {
    do throws(SplitcapError) {
      // The thread ends with the session; what matters of its end is `outcome`.
      _ = try WorkerThread("capture") {
        do throws(SplitcapError) {
          self.end(.success(try self.record()))
        } catch {
          self.end(.failure(error))
        }
      }
    } catch {
      end(.failure(error))
    }
  }

  private func end(_ outcome: Outcome) {
    state.withLock { $0.outcome = outcome }
    wake()
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func record() throws(SplitcapError) -> RecordingSummary {
    let opening = try SourceOpening(
      plan.options, isCancelled: { isStopped },
      onAbsence: { post(.recording(.lost(frame: 0, $0))) })
    post(.opened(opening.report))
    let recording = Recording(
      to: plan.sinks.map { $0.request(plan) }, ears: plan.options.channels,
      frameLimit: plan.options.limit.frames(at: opening.report.info.format),
      rules: plan.options.rules
    ) { [weak self] event in
      self?.post(.recording(event))
    }
    let isTooLate = state.withLock { state in
      state.recording = recording
      return state.isStopped
    }
    // The main thread has left, or is about to, with the word that nothing was written.
    if isTooLate { throw SplitcapError(.cancelled, "stopped before any sound came") }
    return try recording.run(
      opening.source, reopening: SourceOpening.reopening(plan.options))
  }

  private func post(_ event: Event) {
    events.withLock { $0.append(event) }
    wake()
  }

  /// What has happened since the last call.
  func takeEvents() -> [Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// How it ended; `nil` while it runs.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Levels and counts for the meter.
  func takeProgress() -> RecordingProgress? {
    state.withLock { $0.recording }?.takeProgress()
  }

  /// The outputs that still work on what they got; all has been captured.
  var lateOutputs: [SinkPlace] { state.withLock { $0.recording }?.lateSinks ?? [] }

  /// Ends the recording; what was captured is written.
  ///
  /// - Returns: False if the source is still being opened: then nothing is written any more.
  func stop() -> Bool {
    let recording = state.withLock { state in
      state.isStopped = true
      return state.recording
    }
    recording?.stop()
    return recording != nil
  }

  /// Ends the recording without waiting for readers and programs.
  func abandon() { state.withLock { $0.recording }?.abandon() }

  /// Waits until the session has ended, or for some time.
  func waitForEnd(milliseconds: Int) {
    let deadline = SystemClock.monotonic + Int64(milliseconds) * 1_000_000
    while outcome == nil && SystemClock.monotonic < deadline { _ = poll(nil, 0, 10) }
  }
}

extension RecordOptions.Limit {
  /// The limit in frames of `format`; `nil` for none.
  fileprivate func frames(at format: StreamFormat) -> Int? {
    switch self {
    case .none: nil
    case .frames(let count): count
    case .duration(let duration): max(1, format.frames(in: duration))
    }
  }
}
