private import ALSASource
internal import SplitcapCore
private import Transcripts

/// The words of a recording: the start, what happens, and the end.
struct RecordMessages {
  private let verbosity: RecordOptions.Verbosity
  private let slowOutputs: SlowOutputMessages
  /// Whether the user expects segments, and need not hear of each.
  private let isSegmented: Bool
  private let waiting: WaitingWords
  private var format: StreamFormat?

  /// Prepares to say as much as `options` ask for.
  init(_ options: RecordOptions) {
    verbosity = options.verbosity
    slowOutputs = SlowOutputMessages(options)
    isSegmented = options.segment != nil
    waiting = WaitingWords(options)
  }

  /// Says what has happened.
  mutating func show(_ event: RecordSession.Event) {
    switch event {
    case .opened(let report): show(report)
    case .raised(let priority):
      if verbosity == .verbose { Console.say("capture thread: \(priority.words)") }
    case .recording(let event): show(event)
    case .transcript(.failed(let utterance, let speaker, let error)):
      Console.warn(
        "\(speaker)'s words at \(seconds(utterance.speech.lowerBound)) s are missing: \(error.message)",
        hint: error.hint)
    }
  }

  /// Says how it ended.
  func show(_ outcome: RecordSession.Outcome) -> ExitStatus {
    switch outcome {
    case .failure(let error):
      showLibraryMessages()
      Console.fail(error)
      return ExitStatus(error)
    case .success(let summary):
      if case .sourceFailed(let error) = summary.ending { Console.fail(error) }
      summary.notes.forEach { Console.warn($0) }
      for sink in summary.sinks {
        if let words = slowOutputs.words(of: sink, seconds) { Console.warn(words) }
      }
      if summary.startNanoseconds == nil && summary.ending == .stopped {
        showNothingRecorded()
      } else if verbosity != .quiet {
        Console.say(summary.headline, summary.details)
      }
      return summary.status
    }
  }

  /// Says what the transcript holds.
  func show(_ transcript: TranscriptRun?) {
    guard let transcript, verbosity != .quiet else { return }
    Console.say(transcript.summary)
  }

  /// Says that a stop came before the first sound: status 0 alone would hide it in the morning.
  func showNothingRecorded() {
    Console.warn("no sound was recorded, and no sound file made: \(waiting.stopped)")
  }

  private mutating func show(_ report: SourceReport) {
    format = report.info.format
    if verbosity != .quiet { Console.say("recording " + report.line) }
    // How a device is captured decides what is heard; how a file is read seldom does.
    if verbosity == .verbose || verbosity == .normal && report.info.isLive {
      report.info.notes.forEach { Console.say($0) }
    }
    showLibraryMessages()
    report.warnings.forEach { Console.warn($0) }
  }

  /// What libasound would print by itself in the middle of everything.
  private func showLibraryMessages() {
    guard verbosity == .verbose else { return }
    ALSAMessages.take().forEach { Console.say($0) }
  }

  private func show(_ event: RecordingEvent) {
    switch event {
    case .started: break
    case .gap(let firstFrame, let gap):
      Console.warn(
        "\(Numbers.count(gap.frames, "frame")) (\(seconds(gap.frames)) s) lost at \(seconds(firstFrame)) s: "
          + gap.cause.words
          + (gap.isFilled
            ? "; silence stands in their place" : "; they are left out, and new files begin there"))
    case .lost(let frame, let error):
      let place = frame > 0 ? ", at \(seconds(frame)) s" : ""
      Console.warn("\(error.message)\(place); \(waiting.limit)", hint: error.hint)
    case .back(_, let info): Console.say("\(info.name.quoted) is back")
    case .drift(_, let partsPerMillion):
      Console.warn(
        "the device's clock is \(Int(partsPerMillion.rounded())) ppm off: frames are missing, or come "
          + "twice, and nobody can say where", hint: "try another port, cable or back end")
    case .suspicious(_, let finding): Console.warn(finding.words, hint: finding.hint)
    case .segment(let segment):
      if verbosity == .verbose || verbosity == .normal && !isSegmented {
        Console.say(
          "segment \(segment.index) is done, \(Numbers.count(segment.frames, "frame")) from "
            + "\(seconds(segment.firstFrame)) s on: "
            + segment.files.map(\.path).joined(separator: ", "))
      }
    case .sinkFailed(_, let error): Console.fail(error)
    case .readerLeft(let place):
      if verbosity != .quiet {
        Console.say("the reader of \(place.name.quoted) left at \(seconds(place.frame)) s")
      }
    case .slow, .caughtUp, .unread, .programEnded, .restarted:
      slowOutputs.show(event, seconds)
    case .warning(_, let message, let hint): Console.warn(message, hint: hint)
    }
  }

  private func seconds(_ frames: Int) -> String {
    Numbers.seconds(format?.seconds(frames: frames) ?? 0)
  }
}

extension SourceReport {
  /// `'Headset' (alsa_input.usb), 16000 Hz, channels 1 and 2 of 2, by pulse: PulseAudio answers`.
  fileprivate var line: String {
    let name = info.name.quoted
    let subject =
      switch info.backend {
      case .alsa, .pulse:
        info.description == info.name
          ? name : "\(info.description.quoted) (\(info.name.printable))"
      case .pipe where info.name == "-": "standard input"
      case .pipe, .file, .program: name
      }
    let of = info.format.channelCount
    let channels =
      of == 1 ? "one channel" : "channels \(ears.left + 1) and \(ears.right + 1) of \(of)"
    let backend =
      info.isLive ? ", by \(info.backend.rawValue)" + (reason.map { ": \($0)" } ?? "") : ""
    return "\(subject), \(info.format.sampleRate) Hz, \(channels)\(backend)"
  }
}

extension ThreadPriority {
  fileprivate var words: String {
    switch self {
    case .realTime(let priority): "real time priority \(priority)"
    case .nice(let value): "nice \(value); no limit allows real time, see 'ulimit -r'"
    case .normal: "normal priority; no limit allows more, see 'ulimit -r'"
    case .chosen: "the priority that this program was started with"
    }
  }
}

extension Gap.Cause {
  fileprivate var words: String {
    switch self {
    case .overrun: "the device's buffer ran over"
    case .serverHole: "the sound server had no data"
    case .stall: "this program was held up"
    case .away: "the source was away"
    case .suspend: "the machine was suspended"
    case .source: "the program that it comes from lost it"
    case .splice: "the device or the sound server dropped it without a word"
    }
  }
}

extension EarWatch.Finding {
  /// What is wrong, for a person.
  var words: String {
    switch self {
    case .deadEar(let ear): "the \(ear) ear has been exact silence for \(EarWatch.limitSeconds) s"
    case .deadEars: "both ears have been exact silence for \(EarWatch.limitSeconds) s"
    case .identicalEars: "left and right have been the same sound for \(EarWatch.limitSeconds) s"
    }
  }

  /// What to look at, for a person.
  var hint: String {
    switch self {
    case .deadEar, .deadEars:
      "is it muted, or turned down to 0 %? 'splitcap devices' tells; a headset may have a switch"
    case .identicalEars:
      "is it one microphone, sent twice? 'splitcap devices' tells how many channels it has itself"
    }
  }
}
