/// The words of a command that a shell is to run.
package enum ShellCommand {
  /// What a program is told, in its environment and in the words of its command.
  package struct Facts: Sendable {
    /// Variables of its environment: `SPLITCAP_RATE` for `rate`; none for what is not there.
    package let environment: [String: String]
    private let words: [String: String]

    /// Takes facts with their names in lower case; the value `nil` is of something that is not there.
    ///
    /// `synonyms` are further words for some of them, each with the name that it stands for.
    package init(_ facts: [(name: String, value: String?)], synonyms: [String: String] = [:]) {
      var words: [String: String] = [:]
      var environment: [String: String] = [:]
      for (name, value) in facts {
        words[name] = value ?? ""
        if let value { environment["SPLITCAP_" + name.uppercased()] = value }
      }
      for (word, name) in synonyms { words[word] = words[name] }
      self.words = words
      self.environment = environment
    }

    /// `command` with `{rate}` and so on replaced, each by its value as one word.
    ///
    /// Other braces are the shell's and stay.
    package func fill(_ command: String) -> String {
      var filled = ""
      var rest = command[...]
      while let open = rest.firstIndex(of: "{") {
        filled += rest[..<open]
        rest = rest[open...]
        guard let close = rest.firstIndex(of: "}"),
          let value = words[String(rest[rest.index(after: open)..<close])]
        else {
          filled.append(rest.removeFirst())
          continue
        }
        filled += quoted(value)
        rest = rest[rest.index(after: close)...]
      }
      return filled + rest
    }
  }

  /// `text` as one word of a POSIX shell.
  ///
  /// A text that means itself stays bare, so that it may stand within quotes of the user's.
  package static func quoted(_ text: String) -> String {
    if !text.isEmpty && text.utf8.allSatisfy({ bareCharacters.contains($0) }) { return text }
    // A single quote can't stand within single quotes: close them, escape one, open them again.
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  private static let bareCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.,:/@%".utf8)
}
