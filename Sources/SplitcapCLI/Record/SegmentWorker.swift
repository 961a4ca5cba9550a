private import Glibc
internal import SoundFiles
internal import SplitcapCore
private import Synchronization

/// Works on segments that are done, one at a time and in order: hands each to the user's command, then
/// removes old ones.
///
/// It has a thread of its own, so that a command that hangs holds up nothing but the next command.
final class SegmentWorker: Sendable {
  private struct State {
    var segments: [(segment: RecordingSegment, format: StreamFormat)] = []
    var isFinished = false
    /// The segment that the command works on.
    var current: Int?
    var hasFailed = false
  }

  private let command: SegmentCommand?
  private let keep: RecordOptions.Keep
  private let files: SegmentFiles
  private let observer: @Sendable (RecordingEvent) -> Void
  private let state = Mutex(State())
  private let filled = Semaphore()
  private let patience = Patience()
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  /// Prepares to do what the options ask for.
  init(
    _ plan: RecordPlan, _ files: SegmentFiles,
    observer: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    command = plan.options.segmentCommand.map {
      SegmentCommand(
        text: $0, output: plan.usesStandardOutput ? .standardError : .inherited)
    }
    keep = plan.options.keep
    self.files = files
    self.observer = observer
  }

  /// Starts the thread.
  func start() throws(SplitcapError) {
    try thread.withLock { (thread) throws(SplitcapError) in
      thread = try WorkerThread("segments") { self.run() }
    }
  }

  /// Takes a segment whose files are done; never waits.
  func take(_ segment: RecordingSegment, _ format: StreamFormat) {
    state.withLock { $0.segments.append((segment, format)) }
    filled.post()
  }

  /// Waits until all segments have been worked on.
  func finish() {
    state.withLock { $0.isFinished = true }
    filled.post()
    if let thread = thread.withLock({ $0.take() }) { thread.join() }
  }

  /// Ends the command that runs, and starts no more.
  func abandon() { patience.end() }

  /// The segment whose command is still at work, though all is recorded.
  var lateSegment: Int? { state.withLock { $0.isFinished ? $0.current : nil } }

  /// Whether a command has failed.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  private func run() {
    var keeper = SegmentKeeper(keep, files)
    while true {
      let (next, isFinished) = state.withLock { state in
        (state.segments.isEmpty ? nil : state.segments.removeFirst(), state.isFinished)
      }
      guard let next else {
        if isFinished { return }
        filled.wait()
        continue
      }
      if patience.isOver(after: .zero) { continue }
      keeper.add(next.segment, next.format)
      if let command { run(command, next.segment, next.format) }
      for error in keeper.removeOld() { warn(error, next.segment) }
    }
  }

  private func run(
    _ command: SegmentCommand, _ segment: RecordingSegment, _ format: StreamFormat
  ) {
    state.withLock { $0.current = segment.index }
    defer { state.withLock { $0.current = nil } }
    do throws(SplitcapError) {
      try command.run(segment, format, patience)
    } catch {
      state.withLock { $0.hasFailed = true }
      warn(error, segment)
    }
  }

  private func warn(_ error: SplitcapError, _ segment: RecordingSegment) {
    observer(
      .warning(
        frame: segment.firstFrame + segment.frames, message: error.message, hint: error.hint))
  }
}
