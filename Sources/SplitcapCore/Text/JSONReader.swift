/// Reads JSON from its first byte to its last.
struct JSONReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func failure(_ reason: String) -> JSONFields.Failure {
    JSONFields.Failure(reason: reason, offset: offset)
  }

  mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { offset += 1 }
  }

  /// Takes `character` if it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Reads the object that starts here, to which `path` leads.
  mutating func object(
    at path: [String], into fields: inout JSONFields.Fields
  ) throws(JSONFields.Failure) {
    guard path.count < JSONFields.depthLimit else { throw failure("it is nested too deep") }
    var keys: Set<String> = []
    try list(from: "{", to: "}") { (reader) throws(JSONFields.Failure) in
      guard reader.next == UInt8(ascii: "\"") else { throw reader.failure("a key is missing") }
      let key = try reader.string()
      guard keys.insert(key).inserted else { throw reader.failure("a key stands there twice") }
      reader.skipSpace()
      guard reader.take(":") else { throw reader.failure("':' is missing") }
      reader.skipSpace()
      try reader.value(at: path + [key], into: &fields)
    }
  }

  private mutating func list(
    from start: Unicode.Scalar, to end: Unicode.Scalar,
    _ element: (inout JSONReader) throws(JSONFields.Failure) -> Void
  ) throws(JSONFields.Failure) {
    _ = take(start)
    skipSpace()
    if take(end) { return }
    while true {
      skipSpace()
      try element(&self)
      skipSpace()
      if take(end) { return }
      guard take(",") else { throw failure("',' or '\(end)' is missing") }
    }
  }

  /// Reads the value that starts here, to which `path` leads.
  private mutating func value(
    at path: [String], into fields: inout JSONFields.Fields
  ) throws(JSONFields.Failure) {
    switch next {
    case UInt8(ascii: "{"): try object(at: path, into: &fields)
    case UInt8(ascii: "["):
      guard path.count < JSONFields.depthLimit else { throw failure("it is nested too deep") }
      var index = 0
      try list(from: "[", to: "]") { (reader) throws(JSONFields.Failure) in
        defer { index += 1 }
        // An element costs two bytes, and would cost much more as a field.
        if reader.next == UInt8(ascii: "{") || reader.next == UInt8(ascii: "[") {
          try reader.value(at: path + [String(index)], into: &fields)
        } else {
          _ = try reader.plainValue()
        }
      }
    default: fields[path] = try plainValue()
    }
  }

  private mutating func plainValue() throws(JSONFields.Failure) -> JSONFields.Value {
    switch next {
    case UInt8(ascii: "\""): .string(try string())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try number()
    default: try word()
    }
  }

  private mutating func word() throws(JSONFields.Failure) -> JSONFields.Value {
    let words: [(String, JSONFields.Value)] = [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
    ]
    for (word, value) in words where bytes[offset...].starts(with: word.utf8) {
      offset += word.utf8.count
      return value
    }
    throw failure("a value is missing")
  }

  private mutating func number() throws(JSONFields.Failure) -> JSONFields.Value {
    let start = offset
    _ = take("-")
    if !take("0") { try digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isWhole, let number = Int(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else {
      throw failure("a number is too large")
    }
    return .number(number)
  }

  private mutating func digits() throws(JSONFields.Failure) {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw failure("a digit is missing") }
  }

  private mutating func string() throws(JSONFields.Failure) -> String {
    _ = take("\"")
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("a text is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"):
        offset += 1
        text += String(try escape()).utf8
      case 0..<0x20: throw failure("a control character stands in a text")
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw failure("a text does not end")
  }

  private mutating func escape() throws(JSONFields.Failure) -> Unicode.Scalar {
    let letters: [UInt8: Unicode.Scalar] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
      UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n",
      UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    if let byte = next, let scalar = letters[byte] {
      offset += 1
      return scalar
    }
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    // A character beyond the first 65536 is written as two units.
    if (0xd800...0xdbff).contains(high), take("\\") {
      let low = try codeUnit()
      let code = 0x10000 + (UInt32(high) & 0x3ff) << 10 + UInt32(low) & 0x3ff
      if (0xdc00...0xdfff).contains(low), let scalar = Unicode.Scalar(code) { return scalar }
    }
    throw failure("a text holds half a character")
  }

  private mutating func codeUnit() throws(JSONFields.Failure) -> UInt16 {
    guard take("u"), offset + 4 <= bytes.count else { throw failure("an escape is not known") }
    let digits = bytes[offset..<offset + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("an escape is not known") }
    offset += 4
    return unit
  }
}
