private import CSndFile
internal import SplitcapCore

/// Writes a file, or a stream down a pipe, in a container of libsndfile's.
struct EncodedFileSink: ~Copyable, Sink {
  /// Frames that are widened at a time; also keeps Vorbis, which copies a call's frames, small.
  private static let blockFrames = 4096

  private let path: String
  private let encoding: Encoding
  private let format: StreamFormat
  private let output: EncodedOutput
  private var writer: SoundFileWriter
  private var wide: [Int32]
  private var writtenFrames = 0
  private var hasFailed = false

  /// Seconds of sound after which the growth of a file tells how fast it grows.
  private static let measuredSeconds = 10

  /// Starts to encode into `output`.
  ///
  /// - Parameters:
  ///   - path: What errors name.
  ///   - encoding: How to write.
  ///   - format: What to write; its rate must be one that `encoding` knows.
  ///   - output: Where to write.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  init(
    path: String, encoding: Encoding, format: StreamFormat, output: EncodedOutput
  ) throws(SplitcapError) {
    var info = SF_INFO()
    info.samplerate = Int32(format.sampleRate)
    info.channels = Int32(format.channelCount)
    info.format = Int32(encoding.format)
    do throws(SoundFileError) {
      writer = try SoundFileWriter(output, &info)
    } catch {
      if case .error(let reason) = output.failure { throw reason }
      throw SplitcapError(encoding: path, error.text)
    }
    if let quality = encoding.quality { writer.setQuality(quality) }
    if let latency = encoding.pageMilliseconds { writer.setPageLatency(milliseconds: latency) }
    wide = [Int32](repeating: 0, count: Self.blockFrames * format.channelCount)
    self.path = path
    self.encoding = encoding
    self.format = format
    self.output = output
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    let complete = encoding.quality == nil ? writeWhole(samples) : writeWidened(samples)
    let result = try outcome()
    if result == .more && !complete {
      hasFailed = true
      throw SplitcapError(encoding: path, writer.errorText)
    }
    writtenFrames += samples.count / format.channelCount
    do throws(SplitcapError) {
      try output.look(frame: firstFrame, bytesPerSecond: growth)
    } catch {
      hasFailed = true
      throw error
    }
    return result
  }

  /// Bytes that a second of sound has taken so far; `nil` until that can be told.
  private var growth: Double? {
    guard writtenFrames >= Self.measuredSeconds * format.sampleRate else { return nil }
    return Double(output.length) / format.seconds(frames: writtenFrames)
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    if output.length == 0 && encoding.headerNeedsFrames { writer.updateHeader() }
    writer.close()
    if !hasFailed {
      _ = try outcome()
      try output.settle()
    }
    return SinkReport(bytes: output.length)
  }

  private func writeWhole(_ samples: Span<Int16>) -> Bool {
    let frames = samples.count / format.channelCount
    return writer.write(samples, frames: frames) == frames
  }

  /// Encodes as 32-bit samples: libsndfile's MP3 encoder drops half of 16-bit stereo.
  private mutating func writeWidened(_ samples: Span<Int16>) -> Bool {
    var start = 0
    while start < samples.count {
      let count = min(wide.count, samples.count - start)
      for i in 0..<count { wide[i] = Int32(samples[start + i]) << 16 }
      let frames = count / format.channelCount
      guard writer.write(wide.span, frames: frames) == frames else { return false }
      start += count
    }
    return true
  }

  private mutating func outcome() throws(SplitcapError) -> WriteResult {
    switch output.failure {
    case nil: return .more
    case .closed: return .closed
    case .error(let error):
      hasFailed = true
      throw error
    }
  }
}
