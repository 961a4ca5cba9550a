internal import Pipes
internal import SplitcapCore
private import Synchronization
internal import Transcripts

/// The transcript of one recording: its sinks, its text on the way to the output, and its end.
final class TranscriptRun: Sendable {
  /// What the main thread hears of it.
  enum Event: Sendable {
    /// A recogniser failed on an utterance.
    case failed(Utterance, speaker: String, SplitcapError)
  }

  /// What to read from, and when it starts.
  let transcript: Transcript
  /// What the speakers are called.
  let names: SpeakerNames

  private let plan: RecordPlan
  private let options: TranscriptOptions
  private let recognizer: RecognizerRules?
  private let isOneSpeaker: Bool
  private let isLive: Bool
  private let writer: LineWriter
  private let text: TextState

  /// Begins a transcript, once the source is open.
  ///
  /// - Parameters:
  ///   - plan: What is recorded.
  ///   - options: What is wanted of the transcript.
  ///   - report: The source.
  ///   - wake: Wakes the main thread.
  ///   - post: Takes what the main thread is to hear.
  init(
    _ plan: RecordPlan, _ options: TranscriptOptions, _ report: SourceReport,
    wake: @escaping @Sendable () -> Void, post: @escaping @Sendable (Event) -> Void
  ) {
    self.plan = plan
    self.options = options
    isLive = report.info.isLive
    isOneSpeaker = report.info.hasOneSpeaker
    recognizer = plan.recognizer
    names = options.names(isOne: isOneSpeaker)
    writer = LineWriter(
      plan.transcript!, .transcript, stdoutToStderr: plan.usesStandardOutput,
      wake: wake)
    let text = TextState(
      TranscriptText(options.chosenFormat, names: names, stream: report.info.format))
    transcript = Transcript(
      options.recognition(recognizer), rules: plan.options.speech, keepsBleed: options.keepsBleed,
      format: report.info.format
    ) { [writer, text, names] event in
      switch event {
      case .entry(let entry):
        text.value.withLock { text in
          guard let lines = text.lines(entry) else { return }
          if let header = text.takeHeader() { writer.add(header) }
          writer.add(lines)
        }
      case .failed(let utterance, let error):
        post(.failed(utterance, speaker: names[utterance.ear], error))
      }
    }
    self.text = text
  }

  /// What listens, as the recording opens it.
  var sinkRequests: [SinkRequest] {
    let listener = SinkRequest.speech(
      isOneSpeaker ? .left : .stereo, in: transcript, name: plan.transcript!.name,
      rules: plan.options.speech, names: names, waits: !isLive
    ) { [writer] () throws(SplitcapError) in
      if let failure = writer.takeFailure() { throw failure }
      return writer.hasEnded
    }
    return [listener] + programs
  }

  /// Programs that listen to an ear each, all the time.
  private var programs: [SinkRequest] {
    guard options.mode == .stream, case .command(let command) = options.recognizer else {
      return []
    }
    return (isOneSpeaker ? [Ear.left] : [.left, .right]).map { ear in
      .program(
        ear == .left ? .left : .right, command: command, as: plan.options.pipeFormat,
        stdoutToStderr: false
      ) { [transcript] line in transcript.line(line.text, of: ear, at: line.frame) }
    }
  }

  /// Tells all that is left, once all sinks have ended.
  ///
  /// - Parameter isRecorded: Whether there was a recording, so that a transcript without a word is one, too.
  func close(isRecorded: Bool) {
    transcript.close()
    if isRecorded, let header = text.value.withLock({ $0.takeHeader() }) { writer.add(header) }
    writer.close(isMadeEmpty: isRecorded)
  }

  /// How much was said, and by whom, in words.
  var summary: String {
    let counts = transcript.counts
    let voices =
      isOneSpeaker
      ? names.left : "\(names.left) \(counts.left), \(names.right) \(counts.right)"
    var parts = ["\(Numbers.count(counts.left + counts.right, "utterance")) (\(voices))"]
    if counts.wordless > 0 { parts.append("\(counts.wordless) without words") }
    if counts.bleed > 0 {
      parts.append("\(counts.bleed) of bleed\(options.keepsBleed ? "" : " left out")")
    }
    if counts.failed > 0 { parts.append("\(counts.failed) not recognised") }
    return parts.joined(separator: ", ")
  }

  /// Where it goes.
  var output: TextOutputs.Output {
    TextOutputs.Output(what: "the transcript", name: plan.transcript!.name, writer: writer)
  }
}

/// Text that entries from several threads become, one at a time.
private final class TextState: Sendable {
  let value: Mutex<TranscriptText>

  init(_ text: TranscriptText) { value = Mutex(text) }
}

extension LineWriter {
  /// Puts a line behind all others; what does not fit is counted.
  fileprivate func add(_ line: String) { add { _ in line } }
}

extension SourceInfo {
  /// Whether there is one voice to be heard: one channel, or one microphone that is sent twice.
  var hasOneSpeaker: Bool { format.channelCount == 1 || monoReason != nil }
}

extension TranscriptOptions {
  /// What the speakers are called.
  func names(isOne: Bool) -> SpeakerNames {
    SpeakerNames(left: leftName ?? (isOne ? "Speaker" : "Left"), right: rightName ?? "Right")
  }

  /// What turns speech into text.
  fileprivate func recognition(_ recognizer: RecognizerRules?) -> Transcript.Recognition {
    guard let recognizer else { return mode == .stream ? .lines : .none }
    return .utterances(recognizer, jobs: jobs ?? Processors.count)
  }
}
