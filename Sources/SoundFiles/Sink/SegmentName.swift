private import Glibc
package import SplitcapCore

/// The name of a series of files, such as `%F/left-%i.wav`.
///
/// `%i` is the number of the segment, zero-padded to four digits; `%6i` to six. The other fields are
/// those of `strftime`, filled in with the local time of a segment's first frame.
package struct SegmentName: Sendable, Equatable {
  private enum Part: Sendable, Equatable {
    case text(String)
    /// The number, in so many digits at least.
    case index(width: Int)
    /// `%H`, as `strftime` takes it.
    case time(String)
  }

  /// The name as it was given.
  package let text: String
  private let parts: [Part]

  /// What `strftime` makes of these is a part of a name in any locale: no slash, no blank line.
  private static let timeFields = Set("aAbBCdeFgGHIjklmMpPsSTRuUVwWyYzZ")

  /// Reads a name.
  ///
  /// - Throws: ``SplitcapCore/SplitcapError`` of kind `usage` for a field that there is not.
  package init(_ text: String) throws(SplitcapError) {
    self.text = text
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        plain.append(character)
        continue
      }
      let width = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(width.count)
      switch rest.popFirst() {
      case "%" where width.isEmpty: plain.append("%")
      case "i" where width.isEmpty || Int(width).map { 1...18 ~= $0 } == true:
        parts += [.text(plain), .index(width: Int(width) ?? 4)]
        plain = ""
      case let field? where width.isEmpty && Self.timeFields.contains(field):
        parts += [.text(plain), .time("%\(field)")]
        plain = ""
      case let field:
        throw SplitcapError(
          .usage, "'%\(width)\(field.map(String.init) ?? "")' in '\(text)' is no field of a name",
          hint: "%i is the segment's number, %F the date, %H%M%S the time, %% a percent sign")
      }
    }
    parts.append(.text(plain))
    self.parts = parts.filter { $0 != .text("") }
  }

  /// Whether there is a field, so that two segments may get different names.
  package var hasField: Bool {
    parts.contains { part in
      if case .text = part { false } else { true }
    }
  }

  /// Whether `text` would be a name with a field.
  package static func hasField(_ text: String) -> Bool {
    (try? SegmentName(text))?.hasField ?? false
  }

  /// The folder down to which there is no field, so that it must be there before; `.` for none.
  package var fixedFolder: String { FilePath(fixedPrefix).folder }

  /// What comes before the first part of the path that has a field, with its slash.
  package var fixedPrefix: String {
    guard case .text(let text)? = parts.first, let slash = text.lastIndex(of: "/") else {
      return ""
    }
    return String(text[...slash])
  }

  /// The path of a segment.
  ///
  /// - Parameters:
  ///   - index: Its number.
  ///   - nanoseconds: When its first frame was captured, since 1970 (UTC).
  /// - Returns: The path, relative if the name is.
  package func path(index: Int, nanoseconds: Int64) -> String {
    var time = time_t(nanoseconds / 1_000_000_000)
    var local = unsafe tm()
    tzset()
    unsafe _ = localtime_r(&time, &local)
    return parts.map { part in
      switch part {
      case .text(let text): return text
      case .index(let width):
        let digits = String(index)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      case .time(let field): return unsafe Self.format(field, local)
      }
    }.joined()
  }

  /// The corresponding C function is `strftime`; without `setlocale`, it speaks the language of C.
  private static func format(_ field: String, _ time: tm) -> String {
    var time = unsafe time
    var bytes = [CChar](repeating: 0, count: 128)
    let count = unsafe strftime(&bytes, bytes.count, field, &time)
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
