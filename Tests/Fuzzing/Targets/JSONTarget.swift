import Foundation
import SplitcapCore

@testable import SplitcapCLI

extension FuzzTarget {
  /// JSON that is written: another reader reads the same text from it, and it is one plain line.
  static let json = FuzzTarget(
    "json", seeds: ["Jabra", "a \"b\" \\ c\n", "\u{0}\u{1F}\u{7F}\u{9F}", "é\u{2028}\u{1F3A7}"],
    words: ["\"", "\\", "\\u0000", "\u{2029}"]
  ) { text in
    let written = JSON.object([(text, .string(text)), ("", .array([.string(text), .null]))]).text
    try promise(isPlain(written), "it has control characters: \(written.debugDescription)")
    let read = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: Any]
    // The reader loses a U+FEFF behind an escape.
    guard !text.isEmpty, !text.unicodeScalars.contains("\u{FEFF}") else { return }
    let value = read?[text] as? String
    try promise(
      value.map { $0.unicodeScalars.elementsEqual(text.unicodeScalars) } ?? false,
      "\(written) is read as \(read ?? [:])")
  }
}
