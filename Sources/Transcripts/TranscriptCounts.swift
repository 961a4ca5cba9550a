internal import SplitcapCore

/// How much was said, and what became of it.
package struct TranscriptCounts: Sendable, Equatable {
  /// Utterances of the left ear, bleed not counted.
  package var left = 0
  /// Utterances of the right ear, bleed not counted.
  package var right = 0
  /// Utterances that were copies of what the other ear had.
  package var bleed = 0
  /// Utterances on which a recogniser failed.
  package var failed = 0
  /// Utterances in which a recogniser heard no word.
  package var wordless = 0

  /// Makes counts of nothing.
  package init() {}

  mutating func count(_ utterance: Utterance) {
    switch (utterance.isBleed, utterance.ear) {
    case (true, _): bleed += 1
    case (false, .left): left += 1
    case (false, .right): right += 1
    }
  }
}
