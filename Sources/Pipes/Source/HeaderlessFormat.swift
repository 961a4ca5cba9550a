public import SplitcapCore

/// What a stream without a header is, as only the user can know.
public struct HeaderlessFormat: Sendable, Equatable {
  /// Frames per second, in hertz.
  public var sampleRate: Int
  /// How a sample is laid out.
  public var sampleFormat: SampleFormat
  /// Samples in a frame.
  public var channelCount: Int

  /// Makes a format; the numbers must be positive.
  public init(sampleRate: Int, sampleFormat: SampleFormat = .s16le, channelCount: Int = 2) {
    self.sampleRate = sampleRate
    self.sampleFormat = sampleFormat
    self.channelCount = channelCount
  }

  /// The layout of a stream that is nothing but sound.
  var layout: WaveLayout {
    WaveLayout(
      format: StreamFormat(sampleRate: sampleRate, channelCount: channelCount),
      sampleFormat: sampleFormat, dataBytes: nil)
  }
}
