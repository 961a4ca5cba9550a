/// A JSON value (RFC 8259), written with its keys in the order they were given.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// `null` for infinities and what is not a number, which JSON lacks.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(key: String, value: JSON)])

  /// `string`, or `null` for none.
  static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// `number`, or `null` for none.
  static func optional(_ number: Int?) -> JSON { number.map { .integer($0) } ?? .null }

  /// The text on one line, without spaces.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .number(let number): text += number.isFinite ? String(number) : "null"
    case .string(let string): Self.append(string, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.append(member.key, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  // A String is valid Unicode whatever bytes it was made of: broken ones have become U+FFFD.
  private static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // DEL and the C1 controls need no escape, but would steer a terminal.
      case "\0"..<" ", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
