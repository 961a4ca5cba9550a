/// The sound of an utterance, on its way to a recogniser.
package struct UtteranceSound: Sendable {
  /// Whose it is, and when.
  package var utterance: Utterance
  /// The samples of ``Utterance/sound``.
  package var samples: [Int16]
  /// Their rate in hertz.
  package var sampleRate: Int
  /// When the first of them was captured by the wall clock, in nanoseconds since 1970 (UTC).
  package var startNanoseconds: Int64
  /// Who speaks.
  package var speaker: String

  /// Makes a sound; see the properties.
  package init(
    utterance: Utterance, samples: [Int16], sampleRate: Int, startNanoseconds: Int64,
    speaker: String
  ) {
    self.utterance = utterance
    self.samples = samples
    self.sampleRate = sampleRate
    self.startNanoseconds = startNanoseconds
    self.speaker = speaker
  }
}
