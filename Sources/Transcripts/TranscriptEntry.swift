package import SplitcapCore

/// What was said in an utterance.
package struct TranscriptEntry: Sendable {
  /// Whose it is, and when.
  package var utterance: Utterance
  /// The words on one line, empty if the recogniser heard none; `nil` if none was asked, or it failed.
  package var text: String?
  /// Why the recogniser failed.
  package var error: SplitcapError?

  /// Makes an entry; see the properties.
  package init(_ utterance: Utterance, text: String? = nil, error: SplitcapError? = nil) {
    self.utterance = utterance
    self.text = text
    self.error = error
  }
}
