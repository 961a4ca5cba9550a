internal import SplitcapCore

/// What a user asks `devices` to show.
struct DevicesOptions: Sendable, Equatable {
  /// How it is shown.
  enum Form: Sendable, Equatable {
    case table
    /// One JSON object.
    case json
    /// Names only, one a line.
    case names
  }

  var form = Form.table
  var backend = RecordOptions.Backend.auto
  /// The wanted rates in hertz, of which a device may have some itself.
  var rates = StreamFormat.preferredRates
  /// Whether volumes, formats and the words of the sound libraries are shown too.
  var isVerbose = false

  init() {}

  /// Reads what was given; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ given: GivenArguments) throws(SplitcapError) {
    for option in given.options {
      switch option.option.name {
      case .json: form = .json
      case .names: form = .names
      case .backend: backend = try option.choice()
      case .rate: rates = try option.rates()
      case .verbose: isVerbose = true
      default: preconditionFailure("\(option.option.spelling) is no option that devices keeps")
      }
    }
    if let word = given.words.first {
      throw SplitcapError(
        .usage, "'splitcap devices' takes no \(word.quoted)",
        hint: "splitcap devices | grep \(word.shellQuoted)")
    }
    guard !(given.has(.json) && given.has(.names)) else {
      throw SplitcapError(
        .usage, "--json and --names cannot be given together", hint: "give one of them")
    }
  }
}
