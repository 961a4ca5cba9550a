private import Glibc

/// How far the score of noise spreads, learnt from all scores of the last seconds.
///
/// A fan hardly moves it, the babble of a café does. Its lower quantiles are the noise's as long as
/// there is any pause, so they tell what a score must exceed to be speech.
struct ScoreSpread: Sendable {
  /// What a score must exceed.
  struct Thresholds: Sendable {
    /// For speech to begin.
    var onset: Float
    /// For it to go on.
    var sustain: Float
  }

  private static let lowest: Float = -10
  private static let step: Float = 0.1
  /// Where the middle of a noise's scores may lie, whatever it is; beyond, it is speech that was learnt.
  private static let middles: ClosedRange<Float> = -1.5...1
  /// No noise spreads so far that more than this is needed above its middle.
  private static let farthest: Float = 8
  /// Hops of 10 ms after which a score counts 1/e: 8 s.
  private static let memory: Float = 800

  private var counts: [Float]
  private var total: Float = 0
  /// What the next score counts: growing, in place of all others decaying.
  private var weight: Float = 1

  /// Begins with the scores of the first hops, which come again.
  init(learningFrom first: [Float]) {
    counts = [Float](repeating: 0, count: 302)
    for score in first { add(score, 0.3) }
  }

  /// Takes a score in dB; tells what it must exceed.
  mutating func take(_ score: Float) -> Thresholds {
    weight *= exp(1 / Self.memory)
    add(score, weight)
    if weight > 1e6 {
      for i in counts.indices { counts[i] /= weight }
      total /= weight
      weight = 1
    }
    let (low, middle) = quantiles(0.05, 0.20)
    // Of a normal distribution they lie 0.8 standard deviations apart.
    let deviation = max((middle - low) / 0.8, 0.5)
    let distance = min(max(1.8, 3 * deviation), Self.farthest)
    let base = min(max(middle, Self.middles.lowerBound), Self.middles.upperBound)
    return Thresholds(onset: base + distance, sustain: base + 0.45 * distance)
  }

  private mutating func add(_ score: Float, _ weight: Float) {
    counts[max(0, min(counts.count - 1, Int((score - Self.lowest) / Self.step)))] += weight
    total += weight
  }

  private func quantiles(_ first: Float, _ second: Float) -> (Float, Float) {
    var sum: Float = 0
    var low: Float?
    for i in counts.indices {
      sum += counts[i]
      let score = Self.lowest + Float(i) * Self.step
      if low == nil && sum >= first * total { low = score }
      if sum >= second * total { return (low ?? score, score) }
    }
    return (low ?? 0, 0)
  }
}
