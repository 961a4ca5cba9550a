/// Where an utterance begins and ends.
package struct SpeechRules: Sendable, Equatable {
  /// How long nobody must speak for an utterance to be over.
  package var silence: Duration = .milliseconds(600)
  /// How much of what came before the first word belongs to its sound, since words begin softly.
  package var preRoll: Duration = .milliseconds(300)
  /// What is longer is cut at its quietest place: recognisers take no endless sentence.
  package var longest: Duration = .seconds(30)

  /// Makes the usual rules.
  package init() {}
}
