internal import SplitcapCore

extension String {
  /// The text in quotes on one line, with control characters spelled out.
  ///
  /// What a user or a device named may hold anything, and must not steer the terminal.
  var quoted: String { "'\(printable)'" }

  /// The text on one line, with control characters spelled out.
  var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text as one word of a shell command, quoted only where it must be.
  var shellQuoted: String { ShellCommand.quoted(self) }
}
