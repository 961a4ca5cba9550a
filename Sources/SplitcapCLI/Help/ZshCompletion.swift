/// What completes the command line in zsh.
enum ZshCompletion {
  static var script: String {
    let commands = CommandName.allCases.map { "'\($0.rawValue):\(quoted($0.summary))'" }
    var text = """
      #compdef splitcap
      # zsh completion for splitcap \(Version.number)

      _splitcap_devices() {
        local -a names
        names=(${(f)"$(splitcap devices --names 2>/dev/null)"})
        compadd -a names
      }

      _splitcap_commands() {
        local -a commands
        commands=(
          \(commands.joined(separator: "\n    "))
        )
        _describe command commands
      }

      _splitcap() {
        local command=record first=
        (( CURRENT == 2 )) && first=1
        case $words[2] in
          \(CommandName.allCases.map(\.rawValue).joined(separator: "|")))
            if (( CURRENT > 2 )); then
              command=$words[2]
              shift words
              (( CURRENT-- ))
            fi
            ;;
        esac
        case $command in

      """
    for command in CommandName.allCases {
      var specifications = Option.of(command).map(specification)
      switch command {
      case .record: specifications.append("${first:+'1: :_splitcap_commands'}")
      case .transcribe, .devices: break
      case .verify, .join, .repair: specifications.append("'*:file:_files'")
      case .help: specifications.append("'1: :_splitcap_commands'")
      case .completions:
        let shells = Shell.allCases.map(\.rawValue).joined(separator: " ")
        specifications.append("'1:shell:(\(shells))'")
      }
      text += "    \(command.rawValue))\n      _arguments -s -S \\\n        "
      text += specifications.joined(separator: " \\\n        ") + "\n      ;;\n"
    }
    text += """
        esac
      }

      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _splitcap "$@"
      else
        compdef _splitcap splitcap
      fi

      """
    return text
  }

  private static func specification(of option: Option) -> String {
    let value = option.value
    let action =
      switch value?.completion {
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .files: "_files"
      case .devices: "_splitcap_devices"
      case .nothing, nil: " "
      }
    let tail = "[\(quoted(option.summary))]" + (value.map { ":\($0.placeholder):\(action)" } ?? "")
    let long = option.spelling + (value == nil ? "" : "=")
    guard let short = option.short else {
      return "'\(option.isRepeatable ? "*" : "")\(long)\(tail)'"
    }
    let letter = "-\(short)" + (value == nil ? "" : "+")
    let others = option.isRepeatable ? "'*'" : "'(-\(short) \(option.spelling))'"
    return "\(others){\(letter),\(long)}'\(tail)'"
  }

  /// A text inside single quotes of a specification.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "'": result += "'\\''"
      case "[", "]", ":", "\\": result += "\\\(character)"
      default: result.append(character)
      }
    }
    return result
  }
}
