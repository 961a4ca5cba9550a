/// What completes the command line in bash; needs no other script.
enum BashCompletion {
  static var script: String {
    let commands = CommandName.allCases.map(\.rawValue).joined(separator: " ")
    var text = """
      # bash completion for splitcap \(Version.number)

      _splitcap() {
        # bash cuts words at '=' and ':'; glue them, and cut the answers in the same place.
        local cur=${COMP_WORDS[COMP_CWORD]} glued= i=$COMP_CWORD
        [[ $cur == [=:] ]] && glued=$cur
        while ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:] || ${COMP_WORDS[i-1]} == [=:] ]]; do
          i=$((i - 1))
          cur=${COMP_WORDS[i]}$cur
          glued=${COMP_WORDS[i]}$glued
        done
        local prev=
        ((i > 1)) && prev=${COMP_WORDS[i-1]}
        if [[ $cur == --*=* ]]; then
          prev=${cur%%=*}
          glued=${glued#"$prev="}
          cur=${cur#*=}
        fi

        local command=record
        if ((i > 1)); then
          case ${COMP_WORDS[1]} in \(commands.split(separator: " ").joined(separator: "|"))) command=${COMP_WORDS[1]} ;; esac
        fi

        local words= files=
        case $command:$prev in

      """
    for command in CommandName.allCases { text += values(of: command) }
    text += """
          *)
            case $command in

      """
    for command in CommandName.allCases {
      var words = Option.of(command).map(\.spelling)
      if command == .help { words += CommandName.allCases.map(\.rawValue) }
      if command == .completions { words += Shell.allCases.map(\.rawValue) }
      let files = command.takesFiles ? "; [[ $cur == -* ]] || files=1" : ""
      text += "        \(command.rawValue)) words='\(words.joined(separator: " "))'\(files) ;;\n"
    }
    text += """
            esac
            ((i == 1)) && words+=' \(commands)'
            ;;
        esac

        local IFS=$'\\n' reply
        if [[ $files ]]; then
          compopt -o filenames 2>/dev/null
          COMPREPLY=($(compgen -f -- "$cur"))
        else
          [[ $words == *$'\\n'* ]] || words=${words// /$'\\n'}
          # Not compgen -W, which runs what stands in a device's name as shell code.
          COMPREPLY=()
          while read -r reply; do
            [[ $reply && $reply == "$cur"* ]] && COMPREPLY+=("$reply")
          done <<<"$words"
        fi
        for i in "${!COMPREPLY[@]}"; do
          reply=${COMPREPLY[i]#"$glued"}
          [[ $files || $reply != *[!A-Za-z0-9_./:,=+@%-]* ]] || printf -v reply %q "$reply"
          COMPREPLY[i]=$reply
        done
      }
      complete -F _splitcap splitcap

      """
    return text
  }

  /// Cases for the options of a command that take a value.
  private static func values(of command: CommandName) -> String {
    var text = ""
    for option in Option.of(command) {
      guard let value = option.value else { continue }
      let names = [option.short.map { "-\($0)" }, option.spelling].compactMap { $0 }
      let pattern = names.map { "\(command.rawValue):\($0)" }.joined(separator: "|")
      let action =
        switch value.completion {
        case .nothing: ""
        case .words(let words): "words='\(words.joined(separator: " "))' "
        case .files: "files=1 "
        case .devices: "words=$(splitcap devices --names 2>/dev/null)$'\\n' "
        }
      text += "    \(pattern)) \(action);;\n"
    }
    return text
  }
}
