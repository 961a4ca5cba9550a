private import Glibc

/// Tells for each 10 ms of an ear how much it sounds like speech.
///
/// The score is the mean of all bands' distance from the noise in dB. The first two seconds of sound are held
/// back until the noise is known from them; exact zeros are no sound, and teach nothing.
struct EarListener: Sendable {
  /// What is known of a hop.
  struct Hop: Sendable {
    /// Whether speech may begin here.
    var isOnset = false
    /// Whether speech may go on here.
    var isSustained = false
    /// Level in dB of the bands together.
    var level: Float = 0
    /// Energy less noise, over noise.
    var signalToNoise: Float = 0
  }

  /// Hops from which the noise is learnt, at most; half of them may do.
  private static let learningHops = 200
  /// So many hops that are all so many dB below the loudest are no speech.
  private static let quietHops = 30
  private static let quietRange: Float = 12
  /// Hops over which energies are averaged.
  private static let smoothing = 5
  /// Zeros for so many hops end the learning early: nothing may follow for hours.
  private static let patience = 50

  private var bank: FilterBank
  private var recent: [SIMD8<Float>] = []
  private var floor: NoiseFloor?
  private var spread: ScoreSpread?
  /// Energies of hops that wait for the noise to be known; `nil` for zeros.
  private var held: [SIMD8<Float>?] = []

  init(sampleRate: Int) { bank = FilterBank(sampleRate: sampleRate) }

  /// Takes the samples of a hop; gives hops that are known now, this one or many.
  mutating func take(_ samples: Span<Int16>) -> [Hop] {
    let energies = bank.energies(of: samples)
    var isVoid = true
    for i in 0..<samples.count where samples[i] != 0 {
      isVoid = false
      break
    }
    guard floor == nil else { return [judge(isVoid ? nil : energies)] }
    if held.isEmpty && isVoid { return [Hop()] }
    held.append(isVoid ? nil : energies)
    return knowsEnough ? learn() : []
  }

  /// Whether what is held tells the noise.
  private var knowsEnough: Bool {
    let sums = held.compactMap { $0?.sum() }
    if sums.count >= Self.learningHops { return true }
    if held.suffix(Self.patience).allSatisfy({ $0 == nil }) { return true }
    guard sums.count >= Self.learningHops / 2, let peak = sums.max() else { return false }
    let limit = peak * pow(10, -Self.quietRange / 10)
    return sums.suffix(Self.quietHops).allSatisfy { $0 < limit }
  }

  /// The end: gives the hops that are held back.
  mutating func finish() -> [Hop] { floor == nil ? learn() : [] }

  private mutating func learn() -> [Hop] {
    let sounding = held.compactMap(\.self)
    guard !sounding.isEmpty else { return [] }
    let floor = NoiseFloor(learningFrom: sounding)
    var scores: [Float] = []
    for energies in sounding { scores.append(score(smoothed(energies), floor.value)) }
    recent = []
    self.floor = floor
    spread = ScoreSpread(learningFrom: scores)
    defer { held = [] }
    return held.map { judge($0) }
  }

  private mutating func judge(_ energies: SIMD8<Float>?) -> Hop {
    guard let energies, let noise = floor?.take(energies) else { return Hop() }
    let smooth = smoothed(energies)
    let score = score(smooth, noise)
    guard let thresholds = spread?.take(score) else { return Hop() }
    let excess = max(0, smooth.sum() - noise.sum())
    return Hop(
      isOnset: score > thresholds.onset, isSustained: score > thresholds.sustain,
      level: 10 * log10(smooth.sum() + 1), signalToNoise: excess / noise.sum())
  }

  private mutating func smoothed(_ energies: SIMD8<Float>) -> SIMD8<Float> {
    recent.append(energies)
    if recent.count > Self.smoothing { recent.removeFirst() }
    var sum = SIMD8<Float>()
    for energies in recent { sum += energies }
    return sum / Float(recent.count)
  }

  private func score(_ energies: SIMD8<Float>, _ noise: SIMD8<Float>) -> Float {
    var sum: Float = 0
    for band in 0..<8 {
      sum += min(max(10 * log10(max(energies[band], 1e-9) / noise[band]), -10), 20)
    }
    return sum / 8
  }
}
