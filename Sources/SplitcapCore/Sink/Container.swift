/// How samples are laid out in a file.
public enum Container: String, CaseIterable, Sendable {
  case wav
  case flac
  case ogg
  case opus
  case caf
  case w64
  case rf64
  case aiff
  case au
  case mp3
  /// Headerless signed 16-bit little-endian samples.
  case raw

  /// The container that a path's extension names; `nil` if it names none.
  ///
  /// Upper and lower case are the same.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "pcm", "s16": self = .raw
    case "aif": self = .aiff
    case "oga": self = .ogg
    case let name: self.init(rawValue: name)
    }
  }

  /// Whether every sample comes back as it was written.
  public var isLossless: Bool { self != .ogg && self != .opus && self != .mp3 }
}

/// What goes down a pipe.
public enum PipeFormat: String, CaseIterable, Sendable {
  /// Headerless signed 16-bit little-endian samples.
  case raw
  /// A WAV header whose sizes say 0xFFFFFFFF, then the samples.
  case wav
}
