/// One option of the command line: all that parser, help, man page and completions know of it.
struct Option: Sendable {
  /// Which option it is; the raw value is the long name.
  enum Name: String, CaseIterable, Sendable {
    case left, right, stereo
    case noClobber = "no-clobber"
    case sync
    case pipeFormat = "pipe-format"
    case events
    case mergeOutput = "merge-output"
    case queue
    case onSlow = "on-slow"
    case respawn
    case device, backend, input
    case inputRate = "input-rate"
    case inputFormat = "input-format"
    case inputChannels = "input-channels"
    case rate, resample, channels, mono, latency, duration, frames
    case onLost = "on-lost"
    case wait
    case segment, keep
    case onSegment = "on-segment"
    case maxFileSize = "max-file-size"
    case quiet, verbose
    case noMeter = "no-meter"
    case color
    case json, names, man
    case pad, output, format
    case inPlace = "in-place"
    case dryRun = "dry-run"
    case recognizer
    case recognizerRate = "recognizer-rate"
    case mode
    case leftName = "left-name"
    case rightName = "right-name"
    case jobs, timeout
    case keepBleed = "keep-bleed"
    case silence
    case preRoll = "pre-roll"
    case longest
    case help, version
  }

  /// The heading that it stands under in the help.
  enum Group: String, CaseIterable, Sendable {
    case transcript = "Transcript"
    case outputs = "Outputs"
    case source = "Source"
    case recording = "Recording"
    case speech = "Speech"
    case segments = "Segments"
    case listing = "Listing"
    case files = "Files"
    case messages = "Messages"
    case general = "General"
  }

  /// The value that an option takes.
  struct Value: Sendable {
    /// What a shell may offer for it.
    enum Completion: Sendable, Equatable {
      case nothing
      case words([String])
      case files
      case devices
    }

    /// What stands for it in the help: `TIME`.
    let placeholder: String
    /// What a shell may offer for it.
    let completion: Completion

    /// A value that is free text.
    static func text(_ placeholder: String, _ completion: Completion = .nothing) -> Value {
      Value(placeholder: placeholder, completion: completion)
    }

    /// A value that is one of the raw values of an enumeration.
    ///
    /// Without a placeholder, the help shows them all.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
      _ choice: Choice.Type, placeholder: String? = nil
    ) -> Value {
      let words = Choice.allCases.map(\.rawValue)
      return Value(
        placeholder: placeholder ?? words.joined(separator: "|"), completion: .words(words))
    }
  }

  /// Which option it is.
  let name: Name
  /// The letter after a single dash.
  let short: Character?
  /// The value that it takes; `nil` for a flag.
  let value: Value?
  /// The commands that it belongs to.
  let commands: [CommandName]
  /// The heading that it stands under.
  let group: Group
  /// What holds where it is not given; `nil` where there is nothing to say.
  let defaultText: String?
  /// Whether it may be given more than once.
  let isRepeatable: Bool
  /// What it does, in a few words, without the default.
  let summary: String
  /// What it does, in whole sentences.
  let details: String

  init(
    _ name: Name, short: Character? = nil, _ value: Value? = nil,
    of commands: [CommandName] = [.record, .transcribe], in group: Group,
    defaultText: String? = nil,
    isRepeatable: Bool = false, _ summary: String, _ details: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.commands = commands
    self.group = group
    self.defaultText = defaultText
    self.isRepeatable = isRepeatable
    self.summary = summary
    self.details = details
  }

  /// The long name as it is typed: `--left`.
  var spelling: String { "--\(name.rawValue)" }

  /// ``summary`` with the default behind it.
  var summaryWithDefault: String {
    defaultText.map { "\(summary) (\($0))" } ?? summary
  }

  /// The option as the help shows it: `-l, --left DEST`.
  var heading: String {
    let letter = short.map { "-\($0), " } ?? "    "
    return letter + spelling + (value.map { " \($0.placeholder)" } ?? "")
  }

  /// The options of one command, in the order of the table.
  static func of(_ command: CommandName) -> [Option] {
    all.filter { $0.commands.contains(command) }
  }
}
