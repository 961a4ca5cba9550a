private import Pipes
public import SplitcapCore

extension SinkRequest {
  /// A sink that writes a file, which is made, or emptied, only when it is opened.
  ///
  /// Where it is cut, it goes on in files with a number before their extension, `left.2.wav` for
  /// `left.wav`, which never overwrite one that exists. Opening throws ``SplitcapError`` of kind `sinkFailed`, or of kind `usage` if the container is
  /// not given and the path's extension names none.
  ///
  /// - Parameters:
  ///   - feed: What is written.
  ///   - path: Where.
  ///   - container: How; `nil` for what the extension names.
  ///   - noClobber: Whether to fail if the file exists.
  ///   - maximumBytes: The size that no file may exceed; a WAV or AIFF file never exceeds 4 GiB.
  /// - Returns: The request.
  public static func file(
    _ feed: Feed, path: String, container: Container? = nil, noClobber: Bool = false,
    maximumBytes: Int? = nil
  ) -> SinkRequest {
    let container = container ?? Container(path: path)
    return SinkRequest(
      feed: feed, name: path, isPrompt: false, isFile: true,
      fileFrames: container?.fileFrames(of: feed, maximumBytes: maximumBytes)
    ) { context throws(SplitcapError) in
      guard let container else { throw SplitcapError(noContainer: path) }
      let isFirst = context.segmentIndex == 1
      let place = isFirst ? path : try SegmentFiles.makeNext(path, index: context.segmentIndex)
      let sink = try fileSink(place, container, noClobber: isFirst && noClobber, context.format)
      return FileSink(sink, path: place)
    }
  }

  /// A sink that writes a series of files, each under a name of its own once it is whole.
  ///
  /// - Parameters:
  ///   - feed: What is written.
  ///   - name: Where.
  ///   - container: How.
  ///   - maximumBytes: The size that no file may exceed.
  ///   - files: What the files of the recording have in common.
  /// - Returns: The request. Opening throws ``SplitcapError`` of kind `sinkFailed`.
  package static func segments(
    _ feed: Feed, name: SegmentName, container: Container, maximumBytes: Int?, files: SegmentFiles
  ) -> SinkRequest {
    SinkRequest(
      feed: feed, name: name.text, isPrompt: false, isFile: true,
      fileFrames: container.fileFrames(of: feed, maximumBytes: maximumBytes)
    ) { context throws(SplitcapError) in
      let place = try files.make(
        name, index: context.segmentIndex, nanoseconds: context.startNanoseconds)
      let sink = try fileSink(place.part, container, noClobber: false, context.format)
      return FileSink(sink, place, files)
    }
  }

  private static func fileSink(
    _ path: String, _ container: Container, noClobber: Bool, _ format: StreamFormat
  ) throws(SplitcapError) -> any Sink & ~Copyable {
    guard let encoding = container.encoding else {
      return container == .wav
        ? try WaveFileSink(path: path, format: format, noClobber: noClobber)
        : try RawFileSink(path: path, format: format, noClobber: noClobber)
    }
    let file = try OutputFile.create(path, noClobber: noClobber)
    let frameBytes = format.channelCount * MemoryLayout<Int16>.size
    let output = EncodedOutput(file: file, unit: encoding.headerCounts ? frameBytes : nil)
    return try encodedSink(path, encoding, output, format)
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
