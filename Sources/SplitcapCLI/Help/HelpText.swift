/// Help as plain text of at most 80 columns, made from the option table.
enum HelpText {
  static let width = 80

  /// The options of a command, a line each.
  static func short(_ command: CommandName) -> String {
    var text = command == .record ? overview : usage(of: [command])
    let options = Option.of(command)
    let column = 2 + (options.map(\.heading.count).max() ?? 0) + 2
    for group in Option.Group.allCases {
      let members = options.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      text += "\n\(group.rawValue):\n"
      for option in members {
        let lines = option.summaryWithDefault.wrapped(width: width, indent: column)
        text += "  " + option.heading.padded(to: column - 2) + lines.dropFirst(column)
      }
    }
    return text + "\n" + "'splitcap help \(command.rawValue)' says more.\n"
  }

  /// All about a command.
  static func long(_ command: CommandName) -> String {
    var text = usage(of: [command])
    for paragraph in command.description { text += "\n" + paragraph.wrapped(width: width) }
    for group in Option.Group.allCases {
      let members = Option.of(command).filter { $0.group == group }
      guard !members.isEmpty else { continue }
      text += "\n" + group.rawValue.uppercased() + "\n"
      for option in members {
        text += "\n  \(option.heading.trimmedStart)\n"
        text += option.details.wrapped(width: width, indent: 6)
        if let value = option.defaultText { text += "      Default: \(value)\n" }
      }
    }
    if command == .record {
      text += section("DESTINATIONS", Topics.destinations)
      text += section("ENVIRONMENT", Topics.environment)
      text += section("EXIT STATUS", Topics.exitStatuses)
    }
    guard !command.examples.isEmpty else { return text }
    text += "\nEXAMPLES\n"
    for example in command.examples {
      text += "\n  \(example.command)\n" + example.meaning.wrapped(width: width, indent: 6)
    }
    return text
  }

  /// What `--version` shows.
  static let version = "splitcap \(Version.number)\n"

  private static var overview: String {
    var text = "Records a two-ear device and hands each ear on as a stream of its own.\n\n"
    text += usage(of: CommandName.allCases)
    text += "\n"
    text += """
      DEST is a file (its extension chooses the format), - for standard output, fd:N,
      exec:COMMAND, or a FIFO or character device that exists. TIME is 10s, 250ms,
      1m30s or 2h. At least one output is needed; each may be given more than once.

      """
    return text
  }

  private static func usage(of commands: [CommandName]) -> String {
    var text = ""
    for line in commands.flatMap(\.synopsis) {
      text += (text.isEmpty ? "Usage: " : "       ") + line + "\n"
    }
    return text
  }

  private static func section(_ heading: String, _ entries: [Topics.Entry]) -> String {
    var text = "\n\(heading)\n"
    for entry in entries {
      text += "\n  \(entry.term)\n" + entry.meaning.wrapped(width: width, indent: 6)
    }
    return text
  }
}

extension String {
  /// The text without the spaces before it.
  fileprivate var trimmedStart: Substring { drop { $0 == " " } }
}
