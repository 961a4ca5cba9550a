import Foundation
import Lab
import Testing

/// One line that `--events` wrote.
struct EventLine {
  let members: [String: Any]

  /// Reads lines; each must be one object with a name and a frame, and the last must be whole.
  static func all(in text: String) throws -> [EventLine] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.popLast() == "", "a line without an end: \(text.suffix(200))")
    return try lines.map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let event = EventLine(members: try #require(value as? [String: Any], "\(line)"))
      #expect(event.number("frame") != nil && !event.name.isEmpty, "\(line)")
      return event
    }
  }

  var name: String { text("event") ?? "" }
  var frame: Int { number("frame") ?? -1 }

  func number(_ key: String) -> Int? { (members[key] as? NSNumber)?.intValue }
  func text(_ key: String) -> String? { members[key] as? String }
  func isNull(_ key: String) -> Bool { members[key] is NSNull }
  func object(_ key: String) -> EventLine? {
    (members[key] as? [String: Any]).map(EventLine.init(members:))
  }
  func objects(_ key: String) -> [EventLine] {
    (members[key] as? [[String: Any]] ?? []).map(EventLine.init(members:))
  }
}

extension [EventLine] {
  var names: [String] { map(\.name) }

  func named(_ name: String) -> [EventLine] { filter { $0.name == name } }

  /// The first and the last line, which must be a start and an end.
  func ends(at location: SourceLocation = #_sourceLocation) throws -> (
    start: EventLine, end: EventLine
  ) {
    let start = try #require(first, sourceLocation: location)
    let end = try #require(last, sourceLocation: location)
    #expect(start.name == "start" && end.name == "end", "\(names)", sourceLocation: location)
    #expect(start.frame == 0 && start.number("version") == 1, sourceLocation: location)
    return (start, end)
  }
}
