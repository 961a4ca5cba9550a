/// A source whose channels stand at other places than its own, such as a headset that came back with
/// another number of them.
package struct RechanneledSource: ~Copyable, CaptureSource {
  /// What the inner source is, with the channels that this one delivers.
  package let info: SourceInfo

  /// What the inner source holds back.
  package var pendingFrames: Int { Self.pendingFrames(of: inner) }

  private var inner: any CaptureSource & ~Copyable
  private let innerCount: Int
  private let channels: [Int?]
  private var block: [Int16]

  /// Puts channels of `inner` to their places.
  ///
  /// - Parameters:
  ///   - inner: What is read.
  ///   - channels: For each channel, that of the inner source, counted from 0; `nil` is silent.
  ///   - ears: Which of them are the ears.
  package init(
    _ inner: consuming any CaptureSource & ~Copyable, channels: [Int?], ears: ChannelPair
  ) {
    var info = inner.info
    innerCount = info.format.channelCount
    info.format = StreamFormat(
      sampleRate: info.format.sampleRate, channelCount: channels.count)
    info.ears = ears
    self.info = info
    self.channels = channels
    self.inner = inner
    // A tenth of a second: a live source gives less.
    block = [Int16](repeating: 0, count: max(1, info.format.sampleRate / 10) * innerCount)
  }

  /// Reads; see ``CaptureSource/read(into:)``.
  package mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    let limit = min(buffer.count / channels.count, block.count / innerCount)
    let result = try Self.read(from: &inner, into: &block, samples: limit * innerCount)
    guard case .frames(let count) = result else { return result }
    for frame in 0..<count {
      for (place, channel) in channels.enumerated() {
        buffer[frame * channels.count + place] =
          channel.map { block[frame * innerCount + $0] } ?? 0
      }
    }
    return result
  }

  // The two functions below take apart what a use of a stored value would lock as a whole.

  private static func pendingFrames(of source: borrowing any CaptureSource & ~Copyable) -> Int {
    source.pendingFrames
  }

  private static func read(
    from source: inout any CaptureSource & ~Copyable, into block: inout [Int16], samples: Int
  ) throws(SplitcapError) -> ReadResult {
    var room = block.mutableSpan
    var piece = room._mutatingExtracting(first: samples)
    return try source.read(into: &piece)
  }
}
