private import Glibc

/// How loud one ear is over a stretch of samples.
public struct BlockLevel: Sendable, Equatable {
  /// Samples measured.
  public var count = 0
  /// The sample that lies highest; 0 if none was measured.
  public var maximum: Int16 = 0
  /// The sample that lies lowest; 0 if none was measured.
  public var minimum: Int16 = 0
  /// Sum of the squares of all samples.
  public var sumOfSquares = 0.0
  /// Samples at either end of the 16-bit range, where a converter clips.
  public var clippedCount = 0

  /// Makes the level of no samples.
  public init() {}

  /// Measures `samples`.
  ///
  /// - Complexity: O(*n*). Allocates nothing.
  public init(_ samples: Span<Int16>) {
    guard samples.count > 0 else { return }
    count = samples.count
    // Through a pointer and in pairs, so that the loops stay in vector registers: two squares fit
    // into 32 bits without a sign, and one instruction of the processor multiplies and adds them.
    unsafe samples.withUnsafeBufferPointer { samples in
      var high = unsafe samples[0]
      var low = high
      for i in 0..<samples.count {
        high = max(high, unsafe samples[i])
        low = min(low, unsafe samples[i])
      }
      maximum = high
      minimum = low

      var squares: UInt64 = 0
      for i in 0..<samples.count / 2 {
        let (a, b) = unsafe (Int32(samples[2 * i]), Int32(samples[2 * i + 1]))
        squares &+= UInt64(UInt32(bitPattern: a &* a &+ b &* b))
      }
      if samples.count % 2 == 1, let last = unsafe samples.last {
        squares &+= UInt64(Int(last) * Int(last))
      }
      sumOfSquares = Double(squares)

      guard high == .max || low == .min else { return }
      for i in 0..<samples.count where unsafe samples[i] == .max || samples[i] == .min {
        clippedCount += 1
      }
    }
  }

  /// Adds the level of the samples that follow.
  public mutating func add(_ next: BlockLevel) {
    guard next.count > 0 else { return }
    maximum = count > 0 ? max(maximum, next.maximum) : next.maximum
    minimum = count > 0 ? min(minimum, next.minimum) : next.minimum
    count += next.count
    sumOfSquares += next.sumOfSquares
    clippedCount += next.clippedCount
  }

  /// Whether every sample is exactly zero.
  public var isZero: Bool { maximum == 0 && minimum == 0 }

  /// The largest distance from zero: 0 … 32768.
  public var peak: Int { max(Int(maximum), -Int(minimum)) }

  /// Peak in dBFS, where 0 dBFS is a sample of 32768; minus infinity for silence.
  public var peakDecibels: Double { Self.decibels(Double(peak) / 32_768) }

  /// Root mean square in dBFS, where 0 dBFS is a constant of 32768; minus infinity for silence.
  ///
  /// A full-scale sine has -3.01 dBFS by this definition (AES17 would call that 0).
  public var meanDecibels: Double {
    count == 0 ? -.infinity : Self.decibels((sumOfSquares / Double(count)).squareRoot() / 32_768)
  }

  private static func decibels(_ ratio: Double) -> Double {
    ratio > 0 ? 20 * log10(ratio) : -.infinity
  }
}
