/// The man page, in the `man` macros of roff, made from the option table.
enum ManualPage {
  static var text: String {
    var page = #".TH SPLITCAP 1 "\#(Version.date)" "splitcap \#(Version.number)""# + "\n"
    page += ".SH NAME\n"
    page += "splitcap \\- record a two-ear device, each ear as a stream of its own\n"
    page += ".SH SYNOPSIS\n"
    page += CommandName.allCases.flatMap(\.synopsis).map(synopsis).joined(separator: ".br\n")
    page += ".SH DESCRIPTION\n" + paragraphs(CommandName.record.description)
    page += ".SH COMMANDS\n"
    for command in CommandName.allCases {
      page += entry(bold(command.rawValue), command.summary.capitalizedStart + ".")
    }
    page += options(of: .record, under: "OPTIONS")
    for command in CommandName.allCases where command != .record {
      page += ".SH \(command.rawValue.uppercased())\n" + paragraphs(command.description)
      page += options(of: command, under: nil)
    }
    page += section("DESTINATIONS", Topics.destinations)
    page += section("ENVIRONMENT", Topics.environment)
    page += section("EXIT STATUS", Topics.exitStatuses)
    page += ".SH EXAMPLES\n"
    for example in CommandName.allCases.flatMap(\.examples) {
      page += entry(bold(example.command), example.meaning)
    }
    return page + ".SH SEE ALSO\n" + ".BR arecord (1),\n.BR parec (1),\n.BR sox (1)\n"
  }

  private static func options(of command: CommandName, under heading: String?) -> String {
    var page = heading.map { ".SH \($0)\n" } ?? ""
    let general = Option.Group.general
    for group in Option.Group.allCases where group != general || command == .record {
      let members = Option.of(command).filter { $0.group == group }
      guard !members.isEmpty else { continue }
      if heading != nil { page += ".SS \(group.rawValue)\n" }
      for option in members {
        let end = option.defaultText.map { " Default: \($0)." } ?? ""
        page += entry(term(option), option.details + end)
      }
    }
    return page
  }

  /// An option's names in bold, its value in italics.
  private static func term(_ option: Option) -> String {
    let names = [option.short.map { "-\($0)" }, option.spelling].compactMap { $0 }
    let value = option.value.map { " \\fI\(escaped($0.placeholder))\\fR" } ?? ""
    return names.map(bold).joined(separator: ", ") + value
  }

  private static func entry(_ term: String, _ meaning: String) -> String {
    ".TP\n\(term)\n" + line(meaning)
  }

  private static func section(_ heading: String, _ entries: [Topics.Entry]) -> String {
    ".SH \(heading)\n" + entries.map { entry(bold($0.term), $0.meaning) }.joined()
  }

  private static func paragraphs(_ texts: [String]) -> String {
    texts.map(line).joined(separator: ".PP\n")
  }

  private static func synopsis(_ text: String) -> String {
    let words = text.split(separator: " ", maxSplits: 1)
    return bold(String(words[0])) + words.dropFirst().map { " " + escaped(String($0)) }.joined()
      + "\n"
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// A text as lines that roff takes as text: a sentence a line, none starting with a control.
  private static func line(_ text: String) -> String {
    escaped(text).wrapped(width: 79).split(separator: "\n")
      .map { ($0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" : "") + $0 + "\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "…": result += "..."
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      default: result.append(character)
      }
    }
    return result
  }
}

extension String {
  /// The text with its first letter in upper case.
  fileprivate var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
}
