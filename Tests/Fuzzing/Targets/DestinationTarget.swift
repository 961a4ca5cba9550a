import SplitcapCore

@testable import SplitcapCLI

extension FuzzTarget {
  /// DEST and INPUT: what is read says what was typed, or the refusal can be printed.
  static let destination = FuzzTarget(
    "destination",
    seeds: [
      "l.wav", "-", "fd:3", "fd:0042", "exec:asr --rate {rate}", "./fd:3", "FD:3", "a b'c.flac",
    ],
    words: ["fd:", "exec:", "./", "-", ".wav", "'", "{rate}", "99999999999", "\u{301}"]
  ) { text in
    try orRefusal { () throws(SplitcapError) in
      try Destination(text)
    } then: { destination in
      // A descriptor's number may have been typed with zeros before it.
      if case .descriptor(let number) = destination {
        try promise(number >= 0, "descriptor \(number)")
      } else {
        try promise(destination.text == text, "it says '\(destination.text)'")
      }
      try promise(
        try Destination(destination.text) == destination, "it is another one when read again")
    }
    try orRefusal { () throws(SplitcapError) in
      try InputChoice(text)
    } then: { choice in
      switch choice {
      case .standardInput: try promise(text == "-", "it is no standard input")
      case .file(let path): try promise(path == text, "it is the file '\(path)'")
      case .program(let command): try promise("exec:\(command)" == text, "it runs '\(command)'")
      }
    }
  }
}
