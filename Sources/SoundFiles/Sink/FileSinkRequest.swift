private import Pipes
public import SplitcapCore

extension SinkRequest {
  /// A sink that writes a file, which is made, or emptied, only when it is opened.
  ///
  /// Opening throws ``SplitcapError`` of kind `sinkFailed`, or of kind `usage` if the container is
  /// not given and the path's extension names none.
  ///
  /// - Parameters:
  ///   - feed: What is written.
  ///   - path: Where.
  ///   - container: How; `nil` for what the extension names.
  ///   - noClobber: Whether to fail if the file exists.
  /// - Returns: The request.
  public static func file(
    _ feed: Feed, path: String, container: Container? = nil, noClobber: Bool = false
  ) -> SinkRequest {
    SinkRequest(feed: feed, name: path, isPrompt: false) { context throws(SplitcapError) in
      guard let container = container ?? Container(path: path) else {
        throw SplitcapError(noContainer: path)
      }
      guard let encoding = container.encoding else {
        return container == .wav
          ? try WaveFileSink(path: path, format: context.format, noClobber: noClobber)
          : try RawFileSink(path: path, format: context.format, noClobber: noClobber)
      }
      let file = try OutputFile.create(path, noClobber: noClobber)
      let frameBytes = context.format.channelCount * MemoryLayout<Int16>.size
      let output = EncodedOutput(file: file, unit: encoding.headerCounts ? frameBytes : nil)
      return try encodedSink(path, encoding, output, context.format)
    }
  }

  /// A sink that writes an encoded stream to an existing FIFO, once it has a reader.
  ///
  /// - Parameters:
  ///   - feed: What is written.
  ///   - path: The FIFO.
  ///   - container: One that libsndfile writes and that ``SplitcapCore/Container/canStream``.
  /// - Returns: The request. Opening throws ``SplitcapError`` of kind `sinkFailed`, or `cancelled` if
  ///   no reader came while there was patience.
  public static func encodedFIFO(
    _ feed: Feed, path: String, container: Container
  ) -> SinkRequest {
    SinkRequest(feed: feed, name: path, isPrompt: true) { context throws(SplitcapError) in
      guard container.canStream, let encoding = container.encoding else {
        throw SplitcapError(cannotStream: container, path: path)
      }
      let output = EncodedOutput(
        pipe: try .fifo(path, context.patience, noteUnread: context.noteUnread))
      return try encodedSink(path, encoding, output, context.format)
    }
  }

  private static func encodedSink(
    _ path: String, _ encoding: Encoding, _ output: EncodedOutput, _ format: StreamFormat
  ) throws(SplitcapError) -> any Sink & ~Copyable {
    let rate = encoding.rate(for: format.sampleRate)
    let sink = try EncodedFileSink(
      path: path, encoding: encoding,
      format: StreamFormat(sampleRate: rate, channelCount: format.channelCount), output: output)
    if rate == format.sampleRate { return sink }
    return try ResampledSink(
      sink, from: format, to: rate,
      note: "resampled \(format.sampleRate) to \(rate): \(encoding.codecName) has no such rate")
  }
}
