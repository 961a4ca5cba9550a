internal import SplitcapCore

/// What a user asks `repair` to do.
struct RepairOptions: Sendable, Equatable {
  var paths: [String] = []
  /// The name of the repaired file; `nil` for one made from the file's own.
  var output: String?
  var inPlace = false
  var isDryRun = false
  var isJSON = false
  var isQuiet = false
  /// What a file without a header is; `nil` if the user did not say.
  var headerless: WaveLayout?

  init() {}

  /// Reads what was given; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ given: GivenArguments) throws(SplitcapError) {
    var rate: Int?
    var channels = 2
    var format = SampleFormat.s16le
    for option in given.options {
      switch option.option.name {
      case .output: output = try option.text()
      case .inPlace: inPlace = true
      case .dryRun: isDryRun = true
      case .json: isJSON = true
      case .quiet: isQuiet = true
      case .rate: rate = try option.rate()
      case .channels: channels = try option.channelCount()
      case .format: format = try option.choice()
      default: preconditionFailure("\(option.option.spelling) is no option that repair keeps")
      }
    }
    for name in [Option.Name.channels, .format] where given.has(name) && rate == nil {
      throw SplitcapError(
        .usage, "--\(name.rawValue) needs --rate: both describe a file without a header",
        hint: "add the rate, such as --rate 44100")
    }
    guard WaveRepair.canHold(format) else {
      throw SplitcapError(
        .usage,
        "a WAV file cannot hold \(format.rawValue) as it stands, and a repair converts nothing",
        hint: "convert it: sox -t raw -r 44100 -c 2 … IN OUT.wav, or 'splitcap --input'")
    }
    headerless = rate.map {
      WaveLayout(
        format: StreamFormat(sampleRate: $0, channelCount: channels), sampleFormat: format,
        dataBytes: nil)
    }
    paths = given.words
    guard !paths.isEmpty else {
      throw SplitcapError(
        .usage, "'splitcap repair' takes the files to repair", hint: "splitcap repair call.wav")
    }
    try given.checkNames(paths)
    guard output == nil || paths.count == 1 else {
      throw SplitcapError(
        .usage, "--output names one file, and there are \(paths.count)",
        hint: "leave it out: each becomes NAME.repaired.wav")
    }
    guard !(inPlace && output != nil) else {
      throw SplitcapError(
        .usage, "--in-place and --output cannot be given together: each says what is written",
        hint: "give one of them")
    }
  }
}
