extension String {
  /// The words of the text on lines of at most `width` characters, each after `indent` spaces.
  ///
  /// A word that is longer than a line stays whole. Each line ends with a newline.
  func wrapped(width: Int = 80, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    var text = ""
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty && indent + line.count + 1 + word.count > width {
        text += margin + line + "\n"
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? text : text + margin + line + "\n"
  }

  /// The text with spaces after it, up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
