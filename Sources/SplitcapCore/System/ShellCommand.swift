/// The words of a command that a shell is to run.
package enum ShellCommand {
  /// `command` with each `{name}` of `values` replaced by its value as one word.
  ///
  /// Other braces are the shell's and stay.
  package static func filling(_ command: String, with values: [String: String]) -> String {
    var filled = ""
    var rest = command[...]
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: open)..<close])]
      else {
        filled.append(rest.removeFirst())
        continue
      }
      filled += quoted(value)
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
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
