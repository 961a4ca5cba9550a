import Foundation

/// Sound that has what a detector of speech looks for: a voice's harmonics, and syllables.
///
/// Made by arithmetic, so that its first and last sample are known, and the same in each run.
public struct MadeVoice: Sendable {
  /// The pitch in hertz.
  public var pitch: Double
  /// The root mean square of a syllable, in sample values.
  public var level: Double
  private let seed: UInt64

  /// Makes a voice.
  public init(pitch: Double = 140, level: Double = 3_000, seed: UInt64 = 1) {
    self.pitch = pitch
    self.level = level
    self.seed = seed
  }

  /// Speaks for `seconds`, with syllables of uneven length and vowel, and pauses of a tenth of a second now
  /// and then, as a voice that closes for a consonant.
  public func samples(seconds: Double, rate: Int) -> [Double] {
    var random = SplitMix64(seed: seed)
    let count = Int(seconds * Double(rate))
    var samples: [Double] = []
    var phase = 0.0
    while samples.count < count {
      if Int.random(in: 0..<5, using: &random) == 0 && !samples.isEmpty {
        samples += [Double](repeating: 0, count: rate / 10)
      }
      let length = Int((0.12 + 0.12 * Double.random(in: 0...1, using: &random)) * Double(rate))
      let formants = [
        Double.random(in: 350...800, using: &random),
        Double.random(in: 900...2_200, using: &random),
        2_700,
      ]
      let hertz = pitch * Double.random(in: 0.9...1.15, using: &random)
      let harmonics = (1...20).map { number -> Double in
        let here = Double(number) * hertz
        guard here < 0.45 * Double(rate) else { return 0 }
        return formants.reduce(0) { $0 + 1 / (1 + pow((here - $1) / 120, 2)) }
      }
      let scale = level * 1.6 / harmonics.reduce(0) { $0 + $1 * $1 / 2 }.squareRoot()
      // One period, since a sine for each harmonic of each sample takes long.
      let period = (0..<512).map { step in
        harmonics.enumerated().reduce(0.0) { sum, harmonic in
          sum + harmonic.element * sin(Double((harmonic.offset + 1) * step) * 2 * .pi / 512)
        }
      }
      for i in 0..<length {
        phase = (phase + hertz / Double(rate)).truncatingRemainder(dividingBy: 1)
        // Loud soon, and never quite still between two of them.
        let place = Double(i) / Double(length)
        let shape = 0.05 + 0.95 * max(0, sin(Double.pi * min(1, place * 1.05)))
        samples.append(scale * shape * period[Int(phase * 512)])
      }
    }
    return Array(samples.prefix(count))
  }
}

/// Sounds laid on one another on a timeline.
public struct Scene: Sendable {
  /// Frames in a second.
  public let rate: Int
  private var samples: [Double]

  /// Makes a scene with white noise of this root mean square, in sample values; 0 for exact zeros.
  public init(seconds: Double, rate: Int = 16_000, noise: Double = 4, seed: UInt64 = 7) {
    self.rate = rate
    var random = SplitMix64(seed: seed)
    samples = (0..<Int(seconds * Double(rate))).map { _ in
      guard noise > 0 else { return 0 }
      // A sum of uniform numbers is as good as normal.
      let sum = (0..<6).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
      return noise * sum / 2.0.squareRoot()
    }
  }

  /// Adds a sound at a time, scaled.
  public mutating func add(_ sound: [Double], at seconds: Double, decibels: Double = 0) {
    let start = Int(seconds * Double(rate))
    let gain = pow(10, decibels / 20)
    for (i, sample) in sound.enumerated() where samples.indices.contains(start + i) {
      samples[start + i] += gain * sample
    }
  }

  /// The samples as a device would give them.
  public var frames: [Int16] {
    samples.map { Int16(max(-32_768, min(32_767, $0.rounded()))) }
  }
}

/// Both ears in one stream, left sample first.
public func interleaved(_ left: [Int16], _ right: [Int16]) -> [Int16] {
  zip(left, right).flatMap { [$0, $1] }
}
