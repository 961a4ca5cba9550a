/// What completes the command line in fish.
enum FishCompletion {
  static var script: String {
    let commands = CommandName.allCases.map(\.rawValue).joined(separator: " ")
    var text = """
      # fish completion for splitcap \(Version.number)

      function __splitcap_command
          set -l words (commandline -opc)
          if contains -- "$words[2]" \(commands)
              test "$words[2]" = "$argv[1]"
          else
              test record = "$argv[1]"
          end
      end

      function __splitcap_first
          test (count (commandline -opc)) -eq 1
      end

      complete -c splitcap -f

      """
    for command in CommandName.allCases {
      text +=
        "complete -c splitcap -n __splitcap_first -a \(command.rawValue) "
        + "-d \(quoted(command.summary))\n"
    }
    for command in CommandName.allCases {
      for option in Option.of(command) {
        text +=
          "complete -c splitcap -n '__splitcap_command \(command.rawValue)'"
          + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name.rawValue)"
          + value(of: option) + " -d \(quoted(option.summary))\n"
      }
    }
    for command in CommandName.allCases where command.takesFiles {
      text += "complete -c splitcap -n '__splitcap_command \(command.rawValue)' -F\n"
    }
    let shells = Shell.allCases.map(\.rawValue).joined(separator: " ")
    text += "complete -c splitcap -n '__splitcap_command completions' -a '\(shells)'\n"
    text += "complete -c splitcap -n '__splitcap_command help' -a '\(commands)'\n"
    return text
  }

  private static func value(of option: Option) -> String {
    switch option.value?.completion {
    case .nothing: " -x"
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    case .files: " -r -F"
    case .devices: " -x -a '(splitcap devices --names 2>/dev/null)'"
    case nil: ""
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
