internal import SplitcapCore

/// What a user asks `verify` to compare.
struct VerifyOptions: Sendable, Equatable {
  var left = ""
  var right = ""
  /// What the recording said of itself.
  var events: String?
  var isJSON = false
  var isQuiet = false

  init() {}

  /// Reads what was given; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ given: GivenArguments) throws(SplitcapError) {
    for option in given.options {
      switch option.option.name {
      case .events: events = try option.text()
      case .json: isJSON = true
      case .quiet: isQuiet = true
      default: preconditionFailure("\(option.option.spelling) is no option that verify keeps")
      }
    }
    guard given.words.count == 2 else {
      throw SplitcapError(
        .usage, "'splitcap verify' takes two files, the left ear's and the right ear's",
        hint: "splitcap verify l.wav r.wav")
    }
    try given.checkNames(given.words)
    (left, right) = (given.words[0], given.words[1])
  }
}

/// What a user asks `join` to make.
struct JoinOptions: Sendable, Equatable {
  var left = ""
  var right = ""
  var output = ""
  /// Whether a shorter ear is filled up with silence.
  var pads = false
  var noClobber = false
  var isQuiet = false

  init() {}

  /// Reads what was given; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ given: GivenArguments) throws(SplitcapError) {
    for option in given.options {
      switch option.option.name {
      case .pad: pads = true
      case .noClobber: noClobber = true
      case .quiet: isQuiet = true
      default: preconditionFailure("\(option.option.spelling) is no option that join keeps")
      }
    }
    guard given.words.count == 3 else {
      throw SplitcapError(
        .usage, "'splitcap join' takes the left ear's file, the right ear's, and the file to make",
        hint: "splitcap join l.wav r.wav both.wav")
    }
    try given.checkNames(given.words)
    (left, right, output) = (given.words[0], given.words[1], given.words[2])
  }
}

extension GivenArguments {
  /// Refuses a name that is empty, which a variable of the shell often is.
  func checkNames(_ names: [String]) throws(SplitcapError) {
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw SplitcapError(
        .usage, "a file has no name", hint: "is a variable of the command empty?")
    }
  }
}
