/// Why a recording could not start or go on.
///
/// An error answers three questions, each in its own property: what a caller can do about it
/// (``kind``), what happened here (``message``), and what the user can do (``hint``).
public struct SplitcapError: Error, Sendable, Equatable {
  /// A class of failure; the only part that code may branch on.
  public enum Kind: Sendable, Equatable {
    /// The command asks for something that can't be meant.
    case usage
    /// No such device, server or file exists.
    case sourceUnavailable
    /// Another program holds the device.
    case sourceBusy
    /// The source exists, but this user may not open it.
    case permissionDenied
    /// The source can't deliver what was asked for, or holds what can't be read.
    case unsupportedFormat
    /// A source that was being recorded went away.
    case sourceLost
    /// A file, pipe or program could not be written.
    case sinkFailed
    /// The work was given up because someone asked for it.
    case cancelled
    /// A C library or the system failed in a way that fits no other kind.
    case backend
  }

  /// What failed, for code to branch on.
  public let kind: Kind

  /// What happened, with the names the user gave; one sentence, no full stop.
  public let message: String

  /// What to try next, as a command or a setting; `nil` where nothing useful can be said.
  public let hint: String?

  /// Makes an error; see the properties for how to word them.
  public init(_ kind: Kind, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.message = message
    self.hint = hint
  }
}

extension SplitcapError: CustomStringConvertible {
  /// The text for standard error: the message and, on a second line, the hint.
  public var description: String {
    guard let hint else { return message }
    return "\(message)\n  hint: \(hint)"
  }
}
