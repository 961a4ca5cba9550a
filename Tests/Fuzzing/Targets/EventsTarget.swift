import Foundation
import SplitcapCore

@testable import SplitcapCLI

extension FuzzTarget {
  /// An events file: what is read as JSON is JSON for another reader too, and a list of gaps makes
  /// sense or is refused in words that can be printed.
  static let events = FuzzTarget(
    "events",
    seeds: [
      #"{"event":"start","frame":0,"start_time":"2026-01-31T22:00:00Z","source":{"recorded":{"rate":16000}}}"#
        + "\n" + #"{"event":"gap","frame":12,"frames":3,"cause":"overrun","filled":true}"# + "\n"
        + #"{"event":"end","frame":160,"frames":160}"# + "\n",
      #"{"a":[1,{"b":[]},-3.5e2,true,null],"t":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é"}"#,
      #"{"event":"gap","frame":9223372036854775807,"frames":1,"filled":false}"#,
      #"{"event":"start","outputs":[{"feed":"left","path":"l.wav"},{"feed":"right","path":"r.wav"}]}"#
        + "\n" + #"{"event":"gap","frame":8,"frames":9}"# + "\n"
        + #"{"event":"segment","first_frame":10,"files":[{"path":"l.wav","first_frame":10,"frames":5},"#
        + #"{"feed":"right","path":"r.wav","first_frame":10,"frames":5}]}"# + "\n"
        + #"{"event":"end","frames":15}"# + "\n" + #"{"event":"start","start_time":"x"}"#,
    ],
    words: [
      "{", "}", "[", "]", "\\u", "\\ud83d", "\"", ":", ",", "true", "1e9", "\n", "\"event\":",
    ]
  ) { text in
    for line in text.split(separator: "\n") { try checkObject(line) }
    let file = try Carrier(fileOf: Array(text.utf8))
    try orRefusal(of: [.unsupportedFormat]) { () throws(SplitcapError) in
      try EventAccount(path: file.path, left: "l.wav", right: "d/r.wav")
    } then: { events in
      let frames = min(events.left.frames ?? .max, events.right.frames ?? .max)
      for gap in events.gaps {
        try promise(gap.range.lowerBound >= 0 && !gap.range.isEmpty, "a gap is \(gap)")
        // One of a recording that was never cut is checked against the files.
        guard events.left.firstFrame > 0 else { continue }
        try promise(gap.range.upperBound <= frames, "a gap is behind the end: \(gap)")
      }
    }
  }

  private static func checkObject(_ line: Substring) throws {
    guard let fields = try? JSONFields(Array(line.utf8)) else { return }
    let other = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    guard let other else { throw BrokenPromise(description: "'\(line)' is no JSON") }
    // The reader loses a U+FEFF behind an escape.
    for (key, value) in other where !line.unicodeScalars.contains("\u{FEFF}") {
      switch fields[key] {
      case .string(let text): try promise(value as? String == text, "'\(key)' is '\(text)'")
      case .integer(let number): try promise(value as? Int == number, "'\(key)' is \(number)")
      case .bool(let flag): try promise(value as? Bool == flag, "'\(key)' is \(flag)")
      case .number(let number):
        // It rounds some numbers to the one beside the nearest.
        let other = (value as? NSNumber)?.doubleValue ?? .nan
        try promise(abs(other - number) <= number.magnitude.ulp, "'\(key)' is \(number)")
      case .null: try promise(value is NSNull, "'\(key)' is null")
      case nil: try promise(value is [Any] || value is [String: Any], "'\(key)' is left out")
      }
    }
  }
}
