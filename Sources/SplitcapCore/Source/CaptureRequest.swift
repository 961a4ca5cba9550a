/// What a back end is asked to capture; the same for each.
public struct CaptureRequest: Sendable, Equatable {
  /// What to do if a device has none of the wanted rates itself.
  public enum RateFallback: Sendable, Equatable {
    /// Capture at a rate of its own, which ``SourceInfo/format`` tells; the caller resamples.
    case ownRate
    /// Fail with an error that lists what the device can do.
    case fail
  }

  /// A device's name or an unambiguous part of its description; `nil` for the default device.
  public var device: String?

  /// Whether ``device`` is a whole name, so that no part of a description is looked for.
  public var isWholeName = false

  /// Rates in hertz, the first that the device has is taken.
  public var rates: [Int]

  /// What to do if the device has none of ``rates``.
  public var fallback: RateFallback

  /// How much sound the device or server may hold back.
  public var latency: Duration

  /// How long a sound server may take to start the stream, since a suspended source wakes first.
  public var startLimit = Duration.seconds(10)

  /// Channels that the caller needs, where a device offers a choice.
  ///
  /// A device that has fewer gives what it has.
  public var minimumChannels: Int

  /// Makes a request; see the properties.
  public init(
    device: String? = nil, rates: [Int] = StreamFormat.preferredRates,
    fallback: RateFallback = .ownRate, latency: Duration = .milliseconds(10),
    minimumChannels: Int = 1
  ) {
    self.device = device
    self.rates = rates
    self.fallback = fallback
    self.latency = latency
    self.minimumChannels = minimumChannels
  }
}
