import SplitcapCore

@testable import SplitcapCLI

/// Reads something that is typed: it is checked, or refused in words that can be printed.
func orRefusal<Value>(
  of kinds: [SplitcapError.Kind] = [.usage], _ read: () throws(SplitcapError) -> Value,
  then check: (Value) throws -> Void
) throws {
  let value: Value
  do throws(SplitcapError) {
    value = try read()
  } catch {
    return try checkRefusal(error, of: kinds)
  }
  try check(value)
}

/// A refusal is a line, and its hint another one, without control characters.
private func checkRefusal(_ error: SplitcapError, of kinds: [SplitcapError.Kind]) throws {
  let lines = Console.message("error", error.message, error.hint).split(separator: "\n")
  try promise(kinds.contains(error.kind), "it is refused as \(error.kind): \(lines)")
  try promise(!error.message.isEmpty && error.hint != "", "nothing is said")
  try promise(
    lines.count == (error.hint == nil ? 1 : 2) && lines.allSatisfy { isPlain(String($0)) },
    "the refusal is \(lines)")
}

/// Whether a text may be printed as it is.
func isPlain(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
}
