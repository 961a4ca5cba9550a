package import SplitcapCore

/// What a finder has noticed.
package enum SpeechChange: Sendable, Equatable {
  /// Someone has begun to speak; no sound before that frame belongs to it.
  case began(Ear, isBleed: Bool, soundFrom: Int)
  /// An utterance is over, or was cut since it got too long.
  case ended(Utterance)
}

/// Finds utterances on two ears at once, and says which are bleed.
///
/// A value that one thread uses at a time. An utterance is ended as soon as its silence has been heard; in the
/// first two seconds of sound, up to two seconds later. `docs/speech-detection.md` says how it works and what it
/// reaches.
package struct SpeechFinder: Sendable {
  private var ears: [EarFinder]
  private var bleed: BleedMeter?
  private let hopFrames: Int
  private var pending: (left: [Int16], right: [Int16]) = ([], [])
  private var hops = 0

  /// Makes a finder that has heard nothing.
  ///
  /// - Parameters:
  ///   - sampleRate: In hertz, from 8000 on.
  ///   - ears: Both, or the only one.
  ///   - rules: When an utterance is over.
  package init(sampleRate: Int, ears: [Ear], rules: SpeechRules) {
    hopFrames = max(1, (sampleRate + 50) / 100)
    self.ears = ears.map {
      EarFinder($0, sampleRate: sampleRate, hopFrames: (sampleRate + 50) / 100, rules)
    }
    bleed = ears.count > 1 ? BleedMeter(sampleRate: sampleRate) : nil
  }

  /// Takes the samples that follow, any number of them, the same of each ear; of one ear, its samples twice.
  ///
  /// - Returns: What was noticed, in the order of frames for each ear.
  /// - Complexity: O(*n*).
  package mutating func take(left: Span<Int16>, right: Span<Int16>) -> [SpeechChange] {
    unsafe left.withUnsafeBufferPointer { unsafe pending.left.append(contentsOf: $0) }
    unsafe right.withUnsafeBufferPointer { unsafe pending.right.append(contentsOf: $0) }
    // Out of `self` while its other parts work with it.
    var (leftRest, rightRest) = pending
    pending = ([], [])
    var changes: [SpeechChange] = []
    var done = 0
    while leftRest.count - done >= hopFrames {
      let hop = done..<done + hopFrames
      let (left, right) = (leftRest.span.extracting(hop), rightRest.span.extracting(hop))
      bleed?.take(left: left, right: right)
      hops += 1
      let delay = bleed == nil ? 0 : BleedMeter.delayHops
      for place in ears.indices {
        ears[place].take(ears[place].ear == .left ? left : right)
        changes += ears[place].judge(upTo: hops - delay, of: hops, bleed)
      }
      done = hop.upperBound
    }
    leftRest.removeFirst(done)
    rightRest.removeFirst(done)
    pending = (leftRest, rightRest)
    return changes
  }

  /// The end of the sound: utterances that are under way end with what is there.
  package mutating func finish() -> [SpeechChange] {
    var changes: [SpeechChange] = []
    for place in ears.indices { changes += ears[place].finish(hops, bleed) }
    return changes
  }

  /// Frames before this one belong to no utterance that is still to end.
  package var neededFrom: Int { ears.map(\.neededFrom).min() ?? 0 }
}
