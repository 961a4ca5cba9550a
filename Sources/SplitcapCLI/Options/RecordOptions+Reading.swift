internal import SplitcapCore
private import Transcripts

extension RecordOptions {
  /// Reads what was given; touches nothing outside.
  ///
  /// - Parameters:
  ///   - given: What was given.
  ///   - transcribes: Whether what is said is to be written down, too.
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ given: GivenArguments, transcribes: Bool = false) throws(SplitcapError) {
    if transcribes { transcript = TranscriptOptions() }
    for option in given.options where try transcript?.take(option) != true { try take(option) }
    for word in given.words { throw Self.stray(word) }
    try OptionConflicts.check(given)
    try transcript?.check()
    guard !sinks.isEmpty || transcribes else {
      throw SplitcapError(
        .usage, "nothing to record to: give --left, --right or --stereo",
        hint: "splitcap --left l.wav --right r.wav")
    }
  }

  private mutating func take(_ given: GivenOption) throws(SplitcapError) {
    switch given.option.name {
    case .left: try addSink(.left, given)
    case .right: try addSink(.right, given)
    case .stereo: try addSink(.stereo, given)
    case .noClobber: noClobber = true
    case .sync: sync = try given.time(in: .milliseconds(10)...Duration.seconds(3600))
    case .pipeFormat: pipeFormat = try given.choice()
    case .events: events = try Destination(given.value)
    case .mergeOutput: mergeOutput = try Destination(given.value)
    case .queue: queue = try given.time(in: .milliseconds(100)...Duration.seconds(86_400))
    case .onSlow: onSlow = try given.choice()
    case .respawn: respawn = true
    case .device: device = try given.text()
    case .backend: backend = try given.choice()
    case .input: input = try InputChoice(given.value)
    case .inputRate: inputRate = try given.rate()
    case .inputFormat: inputFormat = try given.choice()
    case .inputChannels: inputChannels = try given.channelCount()
    case .rate: rates = try given.rates()
    case .resample: resample = given.value == "never" ? .never : .rate(try given.rate())
    case .channels: channels = try given.channelPair()
    case .mono: mono = try given.choice()
    case .latency: latency = try given.time(in: .milliseconds(1)...Duration.seconds(2))
    case .duration: limit = .duration(try given.time())
    case .frames: limit = .frames(try given.frameCount())
    case .onLost: onLost = try given.choice()
    case .wait: wait = try given.time()
    case .segment: segment = try given.time(in: .milliseconds(100)...Duration.seconds(31_622_400))
    case .keep: keep = try given.keep()
    case .onSegment: segmentCommand = try given.text()
    case .maxFileSize: maximumFileBytes = try given.size(atLeast: 65_536)
    case .silence: speech.silence = try given.time(in: .milliseconds(100)...Duration.seconds(10))
    case .preRoll: speech.preRoll = try given.time(in: .milliseconds(1)...Duration.seconds(5))
    case .longest: speech.longest = try given.time(in: .seconds(2)...Duration.seconds(600))
    case .quiet: verbosity = .quiet
    case .verbose: verbosity = .verbose
    case .noMeter: meter = false
    case .color: color = try given.choice()
    case .json, .names, .man, .pad, .output, .format, .inPlace, .dryRun, .recognizer,
      .recognizerRate, .mode, .leftName, .rightName, .jobs, .timeout, .keepBleed, .help, .version:
      preconditionFailure("\(given.option.spelling) is no option that record keeps")
    }
  }

  private mutating func addSink(_ feed: Feed, _ given: GivenOption) throws(SplitcapError) {
    sinks.append(SinkChoice(feed: feed, destination: try Destination(given.value)))
  }

  /// A word that belongs to no option: a mistyped command, or a file whose option was left out.
  private static func stray(_ word: String) -> SplitcapError {
    if let command = CommandName(rawValue: word) {
      return SplitcapError(
        .usage, "\(word.quoted) is a command, and a command comes first",
        hint: "splitcap \(command.rawValue) …")
    }
    let commands = Nearest.words(to: word, in: CommandName.allCases.map(\.rawValue))
    if let near = commands.first {
      return SplitcapError(
        .usage, "there is no command \(word.quoted)", hint: "did you mean 'splitcap \(near)'?")
    }
    return SplitcapError(
      .usage, "\(word.quoted) is no command, and no option takes it",
      hint: "to record to it: --left \(word.shellQuoted); to record from it: "
        + "--input \(word.shellQuoted)")
  }
}
