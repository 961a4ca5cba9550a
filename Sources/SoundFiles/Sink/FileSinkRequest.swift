private import Pipes
public import SplitcapCore

extension SinkRequest {
  /// A sink that writes a file, which is made, or emptied, only when it is opened.
  ///
  /// Where it is cut, it goes on in files with a number before their extension, `left.2.wav` for
  /// `left.wav`, which never overwrite one that exists. Opening throws ``SplitcapError`` of kind
  /// `sinkFailed`, or of kind `usage` if the container is not given and the path's extension names
  /// none.
  ///
  /// - Parameters:
  ///   - feed: What is written.
  ///   - path: Where.
  ///   - container: How; `nil` for what the extension names.
  ///   - noClobber: Whether to fail if the file exists.
  ///   - maximumBytes: The size that no file may exceed; a WAV or AIFF file never exceeds 4 GiB.
  ///   - syncInterval: How often the disk is to have all that was written, so that a power cut costs
  ///     no more; `nil` leaves it to the system, which may take half a minute. A header counts only
  ///     what the disk has, so that what is killed may lack as much, too.
  /// - Returns: The request.
  public static func file(
    _ feed: Feed, path: String, container: Container? = nil, noClobber: Bool = false,
    maximumBytes: Int? = nil, syncInterval: Duration? = nil
  ) -> SinkRequest {
    let container = container ?? Container(path: path)
    return SinkRequest(
      feed: feed, name: path, isFile: true,
      fileFrames: container?.fileFrames(of: feed, maximumBytes: maximumBytes)
    ) { context throws(SplitcapError) in
      guard let container else { throw SplitcapError(noContainer: path) }
      let isFirst = context.segmentIndex == 1
      let place = isFirst ? path : try SegmentFiles.makeNext(path, index: context.segmentIndex)
      let care = OutputFile.Care(
        noClobber: isFirst && noClobber, syncInterval: syncInterval, space: context.space)
      return FileSink(try fileSink(place, container, care, context.format), path: place)
    }
  }

  /// A sink that writes a series of files, each under a name of its own once it is whole.
  ///
  /// - Parameters:
  ///   - feed: What is written.
  ///   - name: Where.
  ///   - container: How.
  ///   - maximumBytes: The size that no file may exceed.
  ///   - syncInterval: How often the disk is to have all that was written.
  ///   - files: What the files of the recording have in common.
  /// - Returns: The request. Opening throws ``SplitcapError`` of kind `sinkFailed`.
  package static func segments(
    _ feed: Feed, name: SegmentName, container: Container, maximumBytes: Int?,
    syncInterval: Duration?, files: SegmentFiles
  ) -> SinkRequest {
    SinkRequest(
      feed: feed, name: name.text, isFile: true,
      fileFrames: container.fileFrames(of: feed, maximumBytes: maximumBytes)
    ) { context throws(SplitcapError) in
      let place = try files.make(
        name, index: context.segmentIndex, nanoseconds: context.startNanoseconds)
      let care = OutputFile.Care(
        noClobber: false, syncInterval: syncInterval, space: context.space)
      let sink = try fileSink(place.part, container, care, context.format)
      return FileSink(sink, place, files)
    }
  }

  private static func fileSink(
    _ path: String, _ container: Container, _ care: OutputFile.Care, _ format: StreamFormat
  ) throws(SplitcapError) -> any Sink & ~Copyable {
    let file = try OutputFile(creating: path, care)
    if let layout = PCMLayout(container, format) { return try PCMFileSink(file, layout) }
    return try encodedSink(path, container.encoding!, EncodedOutput(file: file), format)
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
    SinkRequest(feed: feed, name: path) { context throws(SplitcapError) in
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
