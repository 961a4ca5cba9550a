internal import SplitcapCore

/// What the whole command line asks for.
enum Invocation: Sendable {
  case record(RecordOptions)
  case devices(DevicesOptions)
  case verify(VerifyOptions)
  case join(JoinOptions)
  case repair(RepairOptions)
  /// The options of a command.
  case shortHelp(CommandName)
  /// All about a command.
  case longHelp(CommandName)
  case manual
  case completions(Shell)
  case version

  /// Reads the command line, without the program's name; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ arguments: [String]) throws(SplitcapError) {
    // Bytes that are not UTF-8 have become U+FFFD: a file of another name would be written.
    if let broken = arguments.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
      throw SplitcapError(
        .usage, "\(broken.quoted) is not valid UTF-8", hint: "use a name in UTF-8")
    }
    let command = arguments.first.flatMap(CommandName.init(rawValue:))
    let given = try GivenArguments(
      arguments.dropFirst(command == nil ? 0 : 1), of: command ?? .record)
    switch given.request {
    case .help: self = .shortHelp(command ?? .record)
    case .version: self = .version
    default: try self.init(command ?? .record, given)
    }
  }

  private init(_ command: CommandName, _ given: GivenArguments) throws(SplitcapError) {
    switch command {
    case .record: self = .record(try RecordOptions(given))
    case .transcribe: self = .record(try RecordOptions(given, transcribes: true))
    case .devices: self = .devices(try DevicesOptions(given))
    case .verify: self = .verify(try VerifyOptions(given))
    case .join: self = .join(try JoinOptions(given))
    case .repair: self = .repair(try RepairOptions(given))
    case .help: try self.init(helpOn: given)
    case .completions: self = .completions(try Self.shell(given.words))
    }
  }

  private init(helpOn given: GivenArguments) throws(SplitcapError) {
    if given.has(.man) {
      guard given.words.isEmpty else {
        throw SplitcapError(
          .usage, "there is one man page, for all commands", hint: "splitcap help --man")
      }
      self = .manual
      return
    }
    guard let word = given.words.first else {
      self = .shortHelp(.record)
      return
    }
    let commands = CommandName.allCases.map(\.rawValue)
    guard let command = CommandName(rawValue: word), given.words.count == 1 else {
      let near = Nearest.words(to: word, in: commands)
      throw SplitcapError(
        .usage,
        given.words.count > 1
          ? "help explains one command at a time" : "there is no command \(word.quoted)",
        hint: near.isEmpty
          ? "commands: " + commands.joined(separator: ", ") : "splitcap help \(near[0])")
    }
    self = .longHelp(command)
  }

  private static func shell(_ words: [String]) throws(SplitcapError) -> Shell {
    let shells = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = words.first, words.count == 1 else {
      throw SplitcapError(
        .usage, "'splitcap completions' takes the name of one shell",
        hint: "one of \(shells), as in 'splitcap completions bash'")
    }
    guard let shell = Shell(rawValue: word) else {
      throw SplitcapError(
        .usage, "there are no completions for \(word.quoted)", hint: "there are for \(shells)")
    }
    return shell
  }
}
