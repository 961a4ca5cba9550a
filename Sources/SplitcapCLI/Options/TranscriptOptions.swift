internal import SplitcapCore
internal import Transcripts

/// What a user asks `transcribe` to do beside recording.
struct TranscriptOptions: Sendable, Equatable {
  /// How a transcript is written.
  enum Format: String, CaseIterable, Sendable {
    case text, jsonl, srt, vtt

    /// The format that the extension of a file's name stands for.
    init?(path: String) {
      switch FilePath(path).fileExtension?.lowercased() {
      case "txt": self = .text
      case "jsonl", "ndjson": self = .jsonl
      case "srt": self = .srt
      case "vtt": self = .vtt
      default: return nil
      }
    }
  }

  /// How recognisers get their sound.
  enum Mode: String, CaseIterable, Sendable {
    /// A program for each utterance.
    case utterance
    /// One program for each ear, all the time.
    case stream
  }

  /// What turns speech into text.
  enum Recognizer: Sendable, Equatable {
    /// What comes with the program.
    case usual
    case command(String)
    /// Nothing: times are all that is wanted.
    case none
  }

  var output = Destination.standardOutput
  /// `nil` for what the output's extension says, else text.
  var format: Format?
  var recognizer = Recognizer.usual
  /// Hertz of what a recogniser gets; `nil` leaves it to the recogniser's usual one, or the recording's.
  var recognizerRate: Int?
  var mode = Mode.utterance
  var leftName: String?
  var rightName: String?
  /// How many recognisers are at work at once, at most; `nil` for one each processor.
  var jobs: Int?
  /// How long a recogniser may work on an utterance.
  var timeout = Duration.seconds(120)
  var keepsBleed = false

  /// What is written, whoever chose it.
  var chosenFormat: Format {
    if let format { return format }
    guard case .path(let path) = output else { return .text }
    return Format(path: path) ?? .text
  }
}

extension TranscriptOptions {
  /// Takes an option, if it is one of a transcript's.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  mutating func take(_ given: GivenOption) throws(SplitcapError) -> Bool {
    switch given.option.name {
    case .output: output = try Destination(given.value)
    case .format: format = try given.choice()
    case .recognizer:
      recognizer = given.value == "none" ? .none : .command(try given.text())
    case .recognizerRate: recognizerRate = try given.rate()
    case .mode: mode = try given.choice()
    case .leftName: leftName = try given.text()
    case .rightName: rightName = try given.text()
    case .jobs: jobs = try given.jobCount()
    case .timeout: timeout = try given.time(in: .milliseconds(100)...Duration.seconds(86_400))
    case .keepBleed: keepsBleed = true
    default: return false
    }
    return true
  }

  /// The recogniser of utterances; `nil` if there is none.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage` if the usual one is not installed.
  func recognizerRules(pipeFormat: PipeFormat) throws(SplitcapError) -> RecognizerRules? {
    guard mode == .utterance else { return nil }
    switch recognizer {
    case .none: return nil
    case .usual:
      var rules = try RecognizerRules.pocketSphinx(timeout: timeout)
      if let recognizerRate { rules.rate = recognizerRate }
      return rules
    case .command(let command):
      return RecognizerRules(
        command: command, rate: recognizerRate, pipeFormat: pipeFormat, timeout: timeout)
    }
  }

  /// Checks what was given together.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  func check() throws(SplitcapError) {
    guard mode == .stream else { return }
    guard case .command(let command) = recognizer else {
      throw SplitcapError(
        .usage,
        "--mode stream needs --recognizer COMMAND: a program that listens to an ear all the time",
        hint:
          "it gets raw samples at {rate} on standard input, and prints a line for each utterance")
    }
    guard !command.contains("{file}") else {
      throw SplitcapError(
        .usage, "--mode stream gives a recogniser no file: it has the sound on standard input",
        hint: "leave out {file}, or --mode stream")
    }
    guard recognizerRate == nil else {
      throw SplitcapError(
        .usage, "--recognizer-rate is for utterances; a stream has the recording's rate",
        hint: "--resample HZ sets the rate of the whole recording")
    }
  }
}
