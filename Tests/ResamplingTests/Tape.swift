import SplitcapCore

/// A source that gives what a list says, in blocks of any size.
struct Tape: ~Copyable, CaptureSource {
  enum Item {
    /// Interleaved samples, to be read in as many calls as it takes.
    case samples([Int16])
    case gap(Gap)
    case nothing
  }

  let info: SourceInfo
  let closingNotes = ["the tape is worn"]
  private var items: [Item]
  private let blockFrames: Int
  private let channelCount: Int

  init(_ items: [Item], rate: Int, channelCount: Int, blockFrames: Int) {
    self.items = items.reversed()
    self.blockFrames = blockFrames
    self.channelCount = channelCount
    info = SourceInfo(
      backend: .file, name: "tape", description: "tape",
      format: StreamFormat(sampleRate: rate, channelCount: channelCount),
      ears: ChannelPair(left: 0, right: channelCount - 1), isLive: false, latencyFrames: 480)
  }

  mutating func read(into buffer: inout MutableSpan<Int16>) -> ReadResult {
    switch items.popLast() {
    case nil: return .end
    case .nothing: return .nothing
    case .gap(let gap): return .gap(gap)
    case .samples(let samples):
      let count = min(samples.count, blockFrames * channelCount, buffer.count)
      for i in 0..<count { buffer[i] = samples[i] }
      if count < samples.count { items.append(.samples(Array(samples[count...]))) }
      return .frames(count / channelCount)
    }
  }
}

/// All that a source gave, with gaps as silence.
struct Recorded {
  var samples: [Int16] = []
  var gaps: [(start: Int, gap: Gap)] = []

  init(
    _ source: consuming some CaptureSource & ~Copyable, bufferFrames: Int = 1000
  ) throws(SplitcapError) {
    let channelCount = source.info.format.channelCount
    var buffer = [Int16](repeating: 0, count: bufferFrames * channelCount)
    while true {
      var room = buffer.mutableSpan
      switch try source.read(into: &room) {
      case .frames(let count): samples += buffer[..<(count * channelCount)]
      case .gap(let gap):
        gaps.append((samples.count / channelCount, gap))
        samples += [Int16](repeating: 0, count: gap.frames * channelCount)
      case .nothing: break
      case .end: return
      }
    }
  }
}
