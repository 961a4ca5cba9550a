/// Kinds of sound files that are told by their first bytes; WAV is not among them.
package enum SoundFileKind {
  private static let kinds = [
    "fLaC": "FLAC", "OggS": "Ogg", "FORM": "AIFF", "caff": "CAF", ".snd": "AU", "riff": "W64",
    "ID3": "MP3",
  ]

  /// What a file is whose first bytes, four or more, are `start`; `nil` if it is none of these.
  ///
  /// Read as samples, such a file would be noise at full scale.
  package static func of(_ start: some Sequence<UInt8>) -> String? {
    let start = Array(start.prefix(4))
    return kinds.first { start.starts(with: $0.key.utf8) }?.value
  }
}
