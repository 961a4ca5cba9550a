/// The energy of what is always there, in each band.
///
/// Between words and syllables even a long speech lets it through, so the least energy of the last
/// seconds is the noise's. The source of the idea is R. Martin, "Noise Power Spectral Density Estimation
/// Based on Optimal Smoothing and Minimum Statistics" (IEEE, 2001).
struct NoiseFloor: Sendable {
  /// Hops of 10 ms in a stretch, and how many stretches count: 2.4 s in all.
  private static let stretchHops = 30
  private static let stretchCount = 8
  /// How far the least of smoothed energies lies below their mean, by trial with white noise.
  private static let bias: Float = 1.6
  /// Below the noise of any microphone with 16 bits: -75 dBFS and less in all bands together.
  private static let least: Float = 4

  private var smoothed: SIMD8<Float>
  private var minima: [SIMD8<Float>]
  private var current = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
  private var hops = 0

  /// Learns from the first hops, of which some are hoped to be without speech.
  init(learningFrom first: [SIMD8<Float>]) {
    var mean = SIMD8<Float>()
    let count = min(10, first.count)
    for energies in first.prefix(count) { mean += energies / Float(count) }
    smoothed = mean
    var lowest = mean
    for energies in first {
      smoothed = Self.smooth(smoothed, energies)
      lowest = pointwiseMin(lowest, smoothed)
    }
    minima = [lowest]
    // The same hops come again, from the first on.
    smoothed = mean
  }

  private static func smooth(_ before: SIMD8<Float>, _ next: SIMD8<Float>) -> SIMD8<Float> {
    before * 0.85 + next * 0.15
  }

  /// Takes the energies of a hop, and gives those of the noise.
  mutating func take(_ energies: SIMD8<Float>) -> SIMD8<Float> {
    smoothed = Self.smooth(smoothed, energies)
    current = pointwiseMin(current, smoothed)
    hops += 1
    if hops == Self.stretchHops {
      minima.append(current)
      if minima.count > Self.stretchCount { minima.removeFirst() }
      current = SIMD8(repeating: .greatestFiniteMagnitude)
      hops = 0
    }
    return value
  }

  /// The energies of the noise as they are known.
  var value: SIMD8<Float> {
    var lowest = current
    for minimum in minima { lowest = pointwiseMin(lowest, minimum) }
    return pointwiseMax(lowest * Self.bias, SIMD8(repeating: Self.least))
  }
}
