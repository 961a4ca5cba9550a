private import Glibc

/// A band-pass from 200 to 1500 Hz for both ears at once, of sixth order.
///
/// One second-order high-pass and two low-passes; the source of the formulae is R. Bristow-Johnson's "Cookbook formulae
/// for audio equalizer biquad filter coefficients".
struct BandLimit: Sendable {
  private struct Section {
    var b0: Float, b1: Float, b2: Float, a1: Float, a2: Float
    var state1 = SIMD2<Float>()
    var state2 = SIMD2<Float>()

    init(sampleRate: Int, hertz: Double, quality: Double, isLowPass: Bool) {
      let angle = 2 * Double.pi * hertz / Double(sampleRate)
      let alpha = sin(angle) / (2 * quality)
      let scale = 1 / (1 + alpha)
      let edge = isLowPass ? 1 - cos(angle) : 1 + cos(angle)
      b0 = Float(edge / 2 * scale)
      b1 = Float((isLowPass ? edge : -edge) * scale)
      b2 = b0
      a1 = Float(-2 * cos(angle) * scale)
      a2 = Float((1 - alpha) * scale)
    }

    mutating func take(_ input: SIMD2<Float>) -> SIMD2<Float> {
      let output = b0 * input + state1
      state1 = b1 * input - a1 * output + state2
      state2 = b2 * input - a2 * output
      return output
    }
  }

  private var highPass: Section
  private var lowPass1: Section
  private var lowPass2: Section

  init(sampleRate: Int) {
    // The qualities of a Butterworth filter of second, and of fourth order.
    highPass = Section(sampleRate: sampleRate, hertz: 200, quality: 0.7071, isLowPass: false)
    lowPass1 = Section(sampleRate: sampleRate, hertz: 1500, quality: 0.5412, isLowPass: true)
    lowPass2 = Section(sampleRate: sampleRate, hertz: 1500, quality: 1.3066, isLowPass: true)
  }

  mutating func take(_ sample: SIMD2<Float>) -> SIMD2<Float> {
    lowPass2.take(lowPass1.take(highPass.take(sample)))
  }
}
