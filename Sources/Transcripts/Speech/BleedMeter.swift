internal import SplitcapCore

/// Finds out when an ear hears nothing but the other one's talker.
///
/// Of both ears a copy is kept that holds 200 to 1500 Hz at about 4000 Hz. Each 50 ms the quieter ear is
/// compared with the louder one over 200 ms, at every delay up to 30 ms: what a delayed, scaled copy
/// of the louder ear explains of it is bleed; the rest is its own.
struct BleedMeter: Sendable {
  /// Hops of 10 ms between two looks, which a finding holds for.
  static let lookHops = 5
  /// Hops after which it is known of a hop whether it is bleed.
  static let delayHops = 15
  /// Bleed is at least this much less energy than its source, 5 dB.
  private static let quieter: Float = 0.316
  /// Two voices are alike by chance up to here.
  private static let leastLikeness: Float = 0.35

  /// What a look found.
  private struct Look: Sendable {
    var ear: Ear
    /// How much of the ear's energy the other one explains, 0 to 1.
    var likeness: Float
  }

  private var filter: BandLimit
  private let factor: Int
  private let windowCount: Int
  private let lagCount: Int
  private var left: [Float] = []
  private var right: [Float] = []
  private var phase = 0
  private var hop = 0
  /// By the number of the look that a hop belongs to.
  private var looks: [Look?] = []
  private var firstLook = 0

  init(sampleRate: Int) {
    factor = max(1, (sampleRate + 2000) / 4000)
    let rate = sampleRate / factor
    windowCount = rate / 5 / 8 * 8
    lagCount = rate * 30 / 1000
    filter = BandLimit(sampleRate: sampleRate)
  }

  /// Takes the samples of a hop of both ears.
  mutating func take(left: Span<Int16>, right: Span<Int16>) {
    for i in 0..<left.count {
      let sample = filter.take(SIMD2(Float(left[i]), Float(right[i])))
      phase += 1
      if phase == factor {
        phase = 0
        self.left.append(sample.x)
        self.right.append(sample.y)
      }
    }
    hop += 1
    guard hop % Self.lookHops == 0 else { return }
    let needed = windowCount + 2 * lagCount
    if self.left.count > 2 * needed {
      self.left.removeFirst(self.left.count - needed)
      self.right.removeFirst(self.right.count - needed)
    }
    looks.append(self.left.count >= needed ? look() : nil)
    // No hop waits for longer than its ear is learnt: a few seconds.
    if looks.count > 400 {
      looks.removeFirst(200)
      firstLook += 200
    }
  }

  /// Whether a hop of an ear is bleed.
  ///
  /// - Parameters:
  ///   - ear: The ear.
  ///   - index: The hop's number.
  ///   - signalToNoise: Energy of the ear less that of its noise, over its noise: what noise hides can't be
  ///     explained.
  /// - Returns: False also where it is not known.
  func isBleed(_ ear: Ear, at index: Int, signalToNoise: Float) -> Bool {
    let place = (index + Self.delayHops) / Self.lookHops - 1 - firstLook
    guard looks.indices.contains(place), let look = looks[place], look.ear == ear else {
      return false
    }
    let signal = signalToNoise / (1 + signalToNoise)
    let unexplained = 0.3 * signal + 1.3 * (1 - signal)
    return look.likeness >= max(Self.leastLikeness, 1 - unexplained)
  }

  private func look() -> Look? {
    let start = left.count - windowCount - lagCount
    let window = start..<start + windowCount
    let (leftEnergy, rightEnergy) = (energy(left, window), energy(right, window))
    let quieter: Ear = leftEnergy < rightEnergy ? .left : .right
    let (low, high) = (min(leftEnergy, rightEnergy), max(leftEnergy, rightEnergy))
    guard low > 0, low < Self.quieter * high else { return nil }
    return quieter == .left
      ? Look(ear: .left, likeness: likeness(of: left, low, with: right, window))
      : Look(ear: .right, likeness: likeness(of: right, low, with: left, window))
  }

  private func energy(_ samples: [Float], _ window: Range<Int>) -> Float {
    product(samples, window.lowerBound, samples, window.lowerBound)
  }

  /// The square of the largest correlation at any delay.
  private func likeness(
    of ear: [Float], _ energy: Float, with other: [Float], _ window: Range<Int>
  ) -> Float {
    var best: Float = 0
    let first = window.lowerBound - lagCount
    var otherEnergy = self.energy(other, first..<first + windowCount)
    for start in first...window.lowerBound + lagCount {
      let product = product(ear, window.lowerBound, other, start)
      if otherEnergy > 0 { best = max(best, product * product / (energy * otherEnergy)) }
      let next = start + windowCount
      if next < other.count {
        otherEnergy += other[next] * other[next] - other[start] * other[start]
      }
    }
    return best
  }

  /// The sum of the products of two stretches, eight at a time, since this is where the time goes.
  private func product(_ a: [Float], _ aStart: Int, _ b: [Float], _ bStart: Int) -> Float {
    precondition(aStart >= 0 && aStart + windowCount <= a.count, "a stretch ends with the samples")
    precondition(bStart >= 0 && bStart + windowCount <= b.count, "a stretch ends with the samples")
    return unsafe a.withUnsafeBytes { a in
      unsafe b.withUnsafeBytes { b in
        var sum = SIMD8<Float>()
        for i in stride(from: 0, to: windowCount, by: 8) {
          unsafe sum +=
            a.loadUnaligned(fromByteOffset: 4 * (aStart + i), as: SIMD8<Float>.self)
            * b.loadUnaligned(fromByteOffset: 4 * (bStart + i), as: SIMD8<Float>.self)
        }
        return sum.sum()
      }
    }
  }
}
