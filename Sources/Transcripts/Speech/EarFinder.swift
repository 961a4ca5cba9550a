internal import SplitcapCore

/// Finds the utterances of one ear, its own and the other one's bleed.
struct EarFinder: Sendable {
  /// Energies are averaged, so that what ends seems to end this many hops later.
  private static let lag = 3

  let ear: Ear
  private let hopFrames: Int
  private let preRoll: Int
  private let silence: Int
  private var listener: EarListener
  private var own: SpanTracker
  private var bleed: SpanTracker
  /// Hops that are known, from ``next`` on, but not whether they are bleed.
  private var queue: [EarListener.Hop] = []
  private var next = 0
  /// The end of the last utterance's sound.
  private var lastEnd = 0

  init(_ ear: Ear, sampleRate: Int, hopFrames: Int, _ rules: SpeechRules) {
    self.ear = ear
    self.hopFrames = hopFrames
    let format = StreamFormat(sampleRate: sampleRate, channelCount: 1)
    preRoll = format.frames(in: rules.preRoll)
    silence = format.frames(in: rules.silence)
    listener = EarListener(sampleRate: sampleRate)
    let hops = (
      silence: max(1, silence / hopFrames), longest: format.frames(in: rules.longest) / hopFrames
    )
    own = SpanTracker(silence: hops.silence, longest: hops.longest)
    bleed = own
  }

  /// Listens to the samples of a hop.
  mutating func take(_ samples: Span<Int16>) { queue += listener.take(samples) }

  /// Judges the hops before `end`, which all are known of; there are `count` in all.
  mutating func judge(upTo end: Int, of count: Int, _ meter: BleedMeter?) -> [SpeechChange] {
    var changes: [SpeechChange] = []
    while next < end, !queue.isEmpty {
      let hop = queue.removeFirst()
      let isAheadQuiet = queue.allSatisfy { !$0.isSustained }
      let ahead = isAheadQuiet ? queue.count : 0
      let isBleed = meter?.isBleed(ear, at: next, signalToNoise: hop.signalToNoise) ?? false
      let nothing = EarListener.Hop()
      changes += tell(own.take(isBleed ? nothing : hop, next, ahead: ahead), isBleed: false, count)
      changes += tell(bleed.take(isBleed ? hop : nothing, next, ahead: ahead), isBleed: true, count)
      next += 1
    }
    return changes
  }

  /// The end of all sound, after `count` hops.
  mutating func finish(_ count: Int, _ meter: BleedMeter?) -> [SpeechChange] {
    queue += listener.finish()
    return judge(upTo: .max, of: count, meter)
      + tell(own.finish(), isBleed: false, count) + tell(bleed.finish(), isBleed: true, count)
  }

  /// Frames before this one belong to no utterance that is still to end.
  var neededFrom: Int {
    max(0, min(own.earliest(at: next), bleed.earliest(at: next)) * hopFrames - preRoll)
  }

  private mutating func tell(
    _ findings: [SpanTracker.Finding], isBleed: Bool, _ count: Int
  ) -> [SpeechChange] {
    findings.map { finding in
      switch finding {
      case .began(let hop):
        return .began(ear, isBleed: isBleed, soundFrom: soundStart(hop * hopFrames))
      case .ended(let hops):
        let end = max(hops.lowerBound + 1, hops.upperBound - Self.lag)
        let speech = hops.lowerBound * hopFrames..<end * hopFrames
        let sound =
          soundStart(speech.lowerBound)..<min(speech.upperBound + silence, count * hopFrames)
        lastEnd = sound.upperBound
        return .ended(Utterance(ear: ear, speech: speech, sound: sound, isBleed: isBleed))
      }
    }
  }

  private func soundStart(_ frame: Int) -> Int { min(frame, max(frame - preRoll, lastEnd, 0)) }
}
