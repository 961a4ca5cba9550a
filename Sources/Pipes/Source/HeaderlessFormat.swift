package import SplitcapCore

/// What a stream without a header is, as only the user can know.
package struct HeaderlessFormat: Sendable, Equatable {
  /// Frames per second, in hertz.
  package var sampleRate: Int
  /// How a sample is laid out.
  package var sampleFormat: SampleFormat
  /// Samples in a frame.
  package var channelCount: Int

  /// Makes a format; the numbers must be positive.
  package init(sampleRate: Int, sampleFormat: SampleFormat = .s16le, channelCount: Int = 2) {
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
