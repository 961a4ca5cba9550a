internal import SplitcapCore

/// An option as it stands on the command line.
struct GivenOption: Sendable {
  let option: Option
  /// Empty for a flag.
  let value: String
}

/// A command's arguments, split into options and other words, in their order.
struct GivenArguments: Sendable {
  private(set) var options: [GivenOption] = []
  private(set) var words: [String] = []
  /// Whether help or the version was asked for; what follows was not read then.
  private(set) var request: Option.Name?

  private let command: CommandName
  private let table: [Option]

  /// Splits arguments in the manner of GNU: `--opt value`, `--opt=value`, `-o value`, `-ovalue`,
  /// `-ab`; `--` ends the options.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ arguments: some Sequence<String>, of command: CommandName) throws(SplitcapError) {
    self.command = command
    table = Option.of(command)
    var rest = Array(arguments)[...]
    while request == nil, let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        return
      } else if argument.hasPrefix("--") {
        try readLong(argument, &rest)
      } else if argument.hasPrefix("-") && argument != "-" {
        try readShort(argument, &rest)
      } else {
        words.append(argument)
      }
    }
  }

  /// Whether an option was given.
  func has(_ name: Option.Name) -> Bool { options.contains { $0.option.name == name } }

  private mutating func readLong(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(SplitcapError) {
    let (spelling, attached) = Self.parts(of: argument)
    guard let option = table.first(where: { $0.spelling == spelling }) else {
      throw unknown(spelling)
    }
    if option.value == nil, attached != nil {
      throw SplitcapError(
        .usage, "\(spelling) takes no value",
        hint: "leave out \(String(argument.dropFirst(spelling.count)).quoted)")
    }
    try add(option, attached: attached, as: spelling, &rest)
  }

  private mutating func readShort(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(SplitcapError) {
    var letters = argument.unicodeScalars.dropFirst()
    while request == nil, let letter = letters.popFirst().map(Character.init) {
      guard let option = table.first(where: { $0.short == letter }) else {
        throw unknown(letter)
      }
      guard option.value != nil else {
        try add(option, attached: nil, as: "-\(letter)", &rest)
        continue
      }
      if letters.first == "=" {
        throw SplitcapError(
          .usage, "a value follows -\(letter) without '='",
          hint: "-\(letter) \(String(letters.dropFirst()).shellQuoted)")
      }
      let attached = letters.isEmpty ? nil : String(letters)
      try add(option, attached: attached, as: "-\(letter)", &rest)
      return
    }
  }

  private mutating func add(
    _ option: Option, attached: String?, as spelling: String, _ rest: inout ArraySlice<String>
  ) throws(SplitcapError) {
    if option.name == .help || option.name == .version {
      request = option.name
      return
    }
    if option.value != nil && !option.isRepeatable && has(option.name) {
      throw SplitcapError(
        .usage, "\(option.spelling) is given twice", hint: "give it once; --help says more")
    }
    var value = attached ?? ""
    if let placeholder = option.value?.placeholder, attached == nil {
      guard let next = rest.popFirst() else {
        throw SplitcapError(
          .usage, "\(spelling) needs a value", hint: "\(spelling) \(placeholder)")
      }
      // What looks like the next option is not taken for a file's name.
      guard !isOption(next) else {
        throw SplitcapError(
          .usage, "\(spelling) needs a value, but \(next.quoted) follows",
          hint: "\(spelling) \(placeholder); a value that starts like an option: "
            + "\(option.spelling)=\(next.shellQuoted)")
      }
      value = next
    }
    options.append(GivenOption(option: option, value: value))
  }

  private func isOption(_ argument: String) -> Bool {
    if argument.hasPrefix("--") {
      return argument == "--" || table.contains { $0.spelling == Self.parts(of: argument).name }
    }
    guard argument.hasPrefix("-"), let letter = argument.dropFirst().first else { return false }
    return table.contains { $0.short == letter }
  }

  /// `--name=value` as its two parts.
  private static func parts(of argument: String) -> (name: String, value: String?) {
    // Not by characters: a value may begin with an accent, which would make one with the sign.
    let letters = argument.unicodeScalars
    guard let equals = letters.firstIndex(of: "=") else { return (argument, nil) }
    return (String(letters[..<equals]), String(letters[letters.index(after: equals)...]))
  }
}

extension GivenArguments {
  private func unknown(_ spelling: String) -> SplitcapError {
    let message = "there is no option \(spelling.quoted)"
    if let other = Option.all.first(where: { $0.spelling == spelling }) {
      return SplitcapError(
        .usage, "\(spelling) is no option of 'splitcap \(command.rawValue)'",
        hint: "it belongs to 'splitcap \(other.commands[0].rawValue)'")
    }
    let near = Nearest.words(to: spelling, in: table.map(\.spelling))
    return SplitcapError(
      .usage, message, hint: near.isEmpty ? helpHint : "did you mean \(near[0])?")
  }

  private func unknown(_ letter: Character) -> SplitcapError {
    let message = "there is no option \("-\(letter)".quoted)"
    let otherCase = table.first { $0.short?.lowercased() == letter.lowercased() }
    guard let otherCase, let short = otherCase.short else {
      return SplitcapError(.usage, message, hint: helpHint)
    }
    return SplitcapError(.usage, message, hint: "did you mean -\(short) (\(otherCase.spelling))?")
  }

  private var helpHint: String {
    "'splitcap \(command == .record ? "" : command.rawValue + " ")--help' lists the options"
  }
}
