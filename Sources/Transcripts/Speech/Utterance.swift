package import SplitcapCore

/// A stretch of speech on one ear, in frames of the timeline.
package struct Utterance: Sendable, Equatable {
  /// Whose it is.
  package var ear: Ear
  /// What is speech, from its first to its last word.
  package var speech: Range<Int>
  /// The same with what comes before and behind it: what a recogniser hears.
  package var sound: Range<Int>
  /// Whether it is a quieter copy of what the other ear has at that time.
  package var isBleed: Bool

  /// Makes an utterance; see the properties.
  package init(ear: Ear, speech: Range<Int>, sound: Range<Int>, isBleed: Bool = false) {
    self.ear = ear
    self.speech = speech
    self.sound = sound
    self.isBleed = isBleed
  }
}
