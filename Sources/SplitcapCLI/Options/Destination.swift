internal import SplitcapCore

/// Where a feed goes, as it was typed: DEST.
enum Destination: Sendable, Equatable {
  case path(String)
  case standardOutput
  case descriptor(Int32)
  case program(String)

  /// Reads a DEST; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ text: String) throws(SplitcapError) {
    if text == "-" {
      self = .standardOutput
    } else if let number = text.removing(prefix: "fd:") {
      guard number.utf8.allSatisfy({ (48...57).contains($0) }), let descriptor = Int32(number)
      else {
        throw SplitcapError(
          .usage, "\(text.quoted) names no descriptor",
          hint: "write fd:3 for descriptor 3; a file of that name: \("./\(text)".shellQuoted)")
      }
      self = .descriptor(descriptor)
    } else if let command = text.removing(prefix: "exec:") {
      self = .program(try Self.command(command))
    } else {
      guard !text.isEmpty else {
        throw SplitcapError(
          .usage, "an output has no name", hint: "is a variable of the command empty?")
      }
      self = .path(text)
    }
  }

  /// What was typed.
  var text: String {
    switch self {
    case .path(let path): path
    case .standardOutput: "-"
    case .descriptor(let number): "fd:\(number)"
    case .program(let command): "exec:\(command)"
    }
  }

  /// A shell command that is not blank.
  fileprivate static func command(_ text: String) throws(SplitcapError) -> String {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw SplitcapError(
        .usage, "exec: names no program", hint: "'exec:COMMAND', as one word of the shell")
    }
    return text
  }
}

/// What is recorded instead of a device, as it was typed.
enum InputChoice: Sendable, Equatable {
  case file(String)
  case standardInput
  case program(String)

  /// Reads an input; touches nothing outside.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ text: String) throws(SplitcapError) {
    if text == "-" {
      self = .standardInput
    } else if let command = text.removing(prefix: "exec:") {
      self = .program(try Destination.command(command))
    } else if text.hasPrefix("fd:") {
      throw SplitcapError(
        .usage, "an input is a file, - or exec:COMMAND, not \(text.quoted)",
        hint: "a descriptor: --input - <&\(text.dropFirst(3)); a file of that name: "
          + "--input \("./\(text)".shellQuoted)")
    } else {
      guard !text.isEmpty else {
        throw SplitcapError(
          .usage, "the input has no name", hint: "is a variable of the command empty?")
      }
      self = .file(text)
    }
  }
}

extension String {
  /// What follows `prefix`; `nil` if the text does not start with it.
  fileprivate func removing(prefix: String) -> String? {
    // Not by characters: an accent behind the prefix would make one with its colon.
    unicodeScalars.starts(with: prefix.unicodeScalars)
      ? String(unicodeScalars.dropFirst(prefix.unicodeScalars.count)) : nil
  }
}
