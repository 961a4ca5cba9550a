private import Glibc

/// Eight band-pass filters side by side, where voices have their energy.
///
/// Each is a biquad of constant peak gain; the source of the formula is R. Bristow-Johnson's "Cookbook
/// formulae for audio equalizer biquad filter coefficients".
struct FilterBank: Sendable {
  /// Lower and upper edges in hertz.
  private static let edges: [(lower: Double, upper: Double)] = [
    (100, 250), (250, 450), (450, 700), (700, 1000), (1000, 1400), (1400, 2000), (2000, 2800),
    (2800, 3800),
  ]

  private var gain = SIMD8<Float>()
  private var a1 = SIMD8<Float>()
  private var a2 = SIMD8<Float>()
  private var state1 = SIMD8<Float>()
  private var state2 = SIMD8<Float>()

  /// Makes filters for sound of `sampleRate` hertz, from 8000 on.
  init(sampleRate: Int) {
    for (band, (lower, upper)) in Self.edges.enumerated() {
      let center = (lower * upper).squareRoot()
      let angle = 2 * Double.pi * center / Double(sampleRate)
      let alpha = sin(angle) * (upper - lower) / (2 * center)
      gain[band] = Float(alpha / (1 + alpha))
      a1[band] = Float(-2 * cos(angle) / (1 + alpha))
      a2[band] = Float((1 - alpha) / (1 + alpha))
    }
  }

  /// The mean square of each band over `samples`, in squares of sample values.
  ///
  /// - Complexity: O(*n*). Allocates nothing.
  mutating func energies(of samples: Span<Int16>) -> SIMD8<Float> {
    var sum = SIMD8<Float>()
    for i in 0..<samples.count {
      let input = gain * Float(samples[i])
      let output = input + state1
      state1 = state2 - a1 * output
      state2 = -input - a2 * output
      sum += output * output
    }
    return sum / Float(samples.count)
  }
}
