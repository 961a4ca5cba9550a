private import Glibc
internal import SoundFiles
internal import SplitcapCore
private import Transcripts
private import Synchronization

/// One recording and the thread it runs on, as the main thread sees it.
final class RecordSession: Sendable {
  /// How a session ended.
  typealias Outcome = Result<RecordingSummary, SplitcapError>

  /// Something to tell the user.
  enum Event: Sendable {
    case opened(SourceReport)
    case raised(ThreadPriority)
    case recording(RecordingEvent)
    case transcript(TranscriptRun.Event)
  }

  private let plan: RecordPlan
  private let wake: @Sendable () -> Void
  private let events: Mutex<[Event]> = Mutex([])
  private let state = Mutex(State())

  private struct State {
    var recording: Recording?
    var isStopped = false
    var outcome: Outcome?
    var worker: SegmentWorker?
    var transcript: TranscriptRun?
    var merged: TextOutputs.Output?
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
    let format = opening.report.info.format
    let files = plan.segmentFiles()
    let worker = try startSegmentWorker(files)
    defer { worker?.finish() }
    let merged = startMerging()
    let transcript = startTranscript(opening.report)
    var isRecorded = false
    defer {
      merged?.writer.close(isMadeEmpty: isRecorded)
      transcript?.close(isRecorded: isRecorded)
    }
    let recording = Recording(
      to: plan.sinkRequests(files, merged, rate: format.sampleRate)
        + (transcript?.sinkRequests ?? []), ears: plan.options.channels,
      frameLimit: plan.options.limit.frames(at: format), rules: plan.options.rules(at: format)
    ) { [weak self] event in
      self?.post(.recording(event))
      if case .segment(let segment) = event { worker?.take(segment, format) }
    }
    let isTooLate = state.withLock { state in
      state.recording = recording
      return state.isStopped
    }
    // The main thread has left, or is about to, with the word that nothing was written.
    if isTooLate { throw SplitcapError(.cancelled, "stopped before any sound came") }
    // Whoever waits for a file or a pipe waits for another program, which must run, too.
    if opening.report.info.isLive { post(.raised(.raise())) }
    let summary = try recording.run(
      opening.source, reopening: SourceOpening.reopening(plan.options))
    isRecorded = summary.startNanoseconds != nil
    return summary
  }

  /// Begins the transcript, if one is wanted.
  private func startTranscript(_ report: SourceReport) -> TranscriptRun? {
    guard let options = plan.options.transcript else { return nil }
    let run = TranscriptRun(plan, options, report, wake: wake) { [weak self] event in
      self?.post(.transcript(event))
    }
    state.withLock { $0.transcript = run }
    return run
  }

  /// Begins to merge what programs print, if that is wanted.
  private func startMerging() -> MergedLines? {
    guard let lines = plan.merged else { return nil }
    let merged = MergedLines(
      lines, stdoutToStderr: plan.usesStandardOutput, wake: wake)
    state.withLock { state in
      state.merged = TextOutputs.Output(
        what: "what programs print", name: lines.name, writer: merged.writer)
    }
    return merged
  }

  /// What programs print, once the source is open.
  var mergedOutputs: [TextOutputs.Output] { [state.withLock { $0.merged }].compactMap(\.self) }

  /// All text, once the source is open; while frames come, its sink speaks of a transcript.
  var textOutputs: [TextOutputs.Output] {
    mergedOutputs + [transcript?.output].compactMap(\.self)
  }

  /// The transcript, once the source is open; `nil` if none is wanted.
  var transcript: TranscriptRun? { state.withLock { $0.transcript } }

  /// Starts what works on segments that are done, if anything is to be done with them.
  private func startSegmentWorker(
    _ files: SegmentFiles
  ) throws(SplitcapError) -> SegmentWorker? {
    guard plan.options.segmentCommand != nil || plan.options.keep != .all else { return nil }
    let worker = SegmentWorker(plan, files) { [weak self] event in self?.post(.recording(event)) }
    try worker.start()
    state.withLock { $0.worker = worker }
    return worker
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

  /// What still works on what it got, in words; all has been captured.
  var lateWork: [String] {
    let (recording, worker) = state.withLock { ($0.recording, $0.worker) }
    let command = worker?.lateSegment.map { "the command for segment \($0)" }
    return (recording?.lateSinks ?? []).map(\.name.quoted) + [command].compactMap(\.self)
  }

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

  /// Goes on in new files; nothing while the source is still being opened.
  func cut() { state.withLock { $0.recording }?.cut() }

  /// Whether a command failed that a segment, or an utterance, was handed to.
  var isIncomplete: Bool {
    let (worker, transcript) = state.withLock { ($0.worker, $0.transcript) }
    return worker?.hasFailed == true || transcript.map { $0.transcript.counts.failed > 0 } == true
  }

  /// Ends the recording without waiting for readers and programs.
  func abandon() {
    let (recording, worker) = state.withLock { ($0.recording, $0.worker) }
    recording?.abandon()
    worker?.abandon()
  }

  /// Waits until the session has ended, or for some time.
  func waitForEnd(milliseconds: Int) {
    let deadline = SystemClock.monotonic + Int64(milliseconds) * 1_000_000
    while outcome == nil && SystemClock.monotonic < deadline { _ = poll(nil, 0, 10) }
  }
}

extension RecordOptions {
  /// What to do on a bad day, and where to cut a recording of `format`.
  fileprivate func rules(at format: StreamFormat) -> RecordingRules {
    var rules = rules
    rules.segmentFrames = segment.map { max(1, format.frames(in: $0)) }
    return rules
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
