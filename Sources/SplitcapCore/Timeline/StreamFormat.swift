/// How interleaved signed 16-bit PCM is laid out in time.
///
/// A *frame* is one sample of each channel. Counts in this package are frames or samples, never
/// bytes, and the name or the doc comment says which.
public struct StreamFormat: Sendable, Equatable {
  /// Frames per second, in hertz.
  public let sampleRate: Int

  /// Samples in a frame.
  public let channelCount: Int

  /// The rates in hertz that are tried in this order where the user gives no other list.
  public static let preferredRates = [16_000, 11_025, 22_050, 44_100]

  /// Makes a format; both values must be positive.
  public init(sampleRate: Int, channelCount: Int) {
    precondition(sampleRate > 0 && channelCount > 0, "a format needs a rate and channels")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The frames that `duration` lasts, rounded to the nearest.
  public func frames(in duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    let rate = Int64(sampleRate)
    let nanoseconds = attoseconds / 1_000_000_000
    return Int(seconds * rate + (nanoseconds * rate + 500_000_000) / 1_000_000_000)
  }

  /// The time that `frames` frames last, in nanoseconds, rounded down.
  package func nanoseconds(frames: Int) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    return Int64(seconds) * 1_000_000_000 + Int64(rest) * 1_000_000_000 / Int64(sampleRate)
  }

  /// The time that `frames` frames last, in seconds.
  public func seconds(frames: Int) -> Double { Double(frames) / Double(sampleRate) }
}

extension Duration {
  /// The duration in nanoseconds; what is below one is dropped.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
