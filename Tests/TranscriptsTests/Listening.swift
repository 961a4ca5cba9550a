import Lab
import SplitcapCore
import Transcripts

/// What a finder makes of sound.
func utterances(
  _ left: [Int16], _ right: [Int16]? = nil, rate: Int = 16_000, rules: SpeechRules = SpeechRules(),
  piece: Int = 1_000
) -> [Utterance] {
  changes(left, right, rate: rate, rules: rules, piece: piece).compactMap { change in
    if case .ended(let utterance) = change { utterance } else { nil }
  }
}

/// All that a finder says of sound which it gets in pieces of so many frames.
func changes(
  _ left: [Int16], _ right: [Int16]? = nil, rate: Int = 16_000, rules: SpeechRules = SpeechRules(),
  piece: Int = 1_000
) -> [SpeechChange] {
  var finder = SpeechFinder(
    sampleRate: rate, ears: right == nil ? [.left] : [.left, .right], rules: rules)
  let other = right ?? left
  var changes: [SpeechChange] = []
  for start in stride(from: 0, to: left.count, by: piece) {
    let part = start..<min(start + piece, left.count)
    changes += finder.take(
      left: left.span.extracting(part), right: other.span.extracting(part))
  }
  return changes + finder.finish()
}

extension Utterance {
  /// Whether it is that of an ear, and speech from and to these seconds.
  func isSpeech(
    _ ear: Ear = .left, _ from: Double, _ to: Double, rate: Int = 16_000, within limit: Double = 0.1
  ) -> Bool {
    let (start, end) = (
      Double(speech.lowerBound) / Double(rate), Double(speech.upperBound) / Double(rate)
    )
    return self.ear == ear && !isBleed && abs(start - from) <= limit && abs(end - to) <= limit
  }
}
