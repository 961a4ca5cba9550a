/// Where one feed of a recording is written: a file, a pipe, a program.
///
/// A sink is opened and used on a thread of its own, so that it may block without holding up
/// another sink or the capture. It fails alone.
public protocol Sink: ~Copyable, Sendable {
  /// Writes all of `samples`.
  ///
  /// - Parameters:
  ///   - samples: Interleaved samples of the sink's feed; whole frames.
  ///   - firstFrame: Index of the first of them on the timeline. Each call goes on where the last
  ///     one ended.
  /// - Returns: `closed` if the reader has gone away, which is a normal end of this sink.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, or `cancelled` if
  ///   ``SinkContext/patience`` ran out.
  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult

  /// Writes what is held back, closes, and for a program waits for its end.
  ///
  /// Called once, after the last ``write(_:firstFrame:)``, also when that returned `closed` or
  /// threw. A sink that is dropped without it still closes, but reports nothing.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, or `cancelled` if a program was still at work
  ///   when ``SinkContext/patience`` was ended.
  mutating func finish() throws(SplitcapError) -> SinkReport
}

/// Whether a sink wants more.
public enum WriteResult: Sendable, Equatable {
  /// All was taken.
  case more
  /// The reader has gone away; some of the samples may not have reached it.
  case closed
}

/// What a sink has written, told once at its end.
public struct SinkReport: Sendable, Equatable {
  /// Bytes in the file, or sent down the pipe.
  public var bytes: Int
  /// Frames in the file, also those of a block that did not fit whole; `nil` where that can't be
  /// told from the bytes.
  public var frames: Int?
  /// Exit status of the program behind the sink; `nil` if there is none.
  public var programStatus: Int?
  /// What a user should know about what was written; a line each, no full stop.
  public var notes: [String]
  /// Why the sink failed, though all that is reported here was written; `nil` if it did not.
  public var failure: SplitcapError?

  /// Makes a report.
  public init(
    bytes: Int, frames: Int? = nil, programStatus: Int? = nil, notes: [String] = [],
    failure: SplitcapError? = nil
  ) {
    self.bytes = bytes
    self.frames = frames
    self.programStatus = programStatus
    self.notes = notes
    self.failure = failure
  }
}

/// What a sink is told when it is opened.
public struct SinkContext: Sendable {
  /// What the sink gets.
  public let feed: Feed
  /// Rate in hertz and channels of what it gets.
  public let format: StreamFormat
  /// Wall-clock time of frame 0, in nanoseconds since 1970 (UTC).
  public let startNanoseconds: Int64
  /// Index on the timeline of the first frame that it gets.
  public let firstFrame: Int
  /// How long the sink may still wait for its reader.
  public let patience: Patience

  /// Makes a context; see the properties.
  public init(
    feed: Feed, format: StreamFormat, startNanoseconds: Int64, firstFrame: Int, patience: Patience
  ) {
    self.feed = feed
    self.format = format
    self.startNanoseconds = startNanoseconds
    self.firstFrame = firstFrame
    self.patience = patience
  }
}

/// A sink that is to be opened, once frames flow, on its own thread.
public struct SinkRequest: Sendable {
  /// What the sink gets.
  public let feed: Feed
  /// The name that the user gave it.
  public let name: String
  /// Whether someone waits for each block at the other end: a pipe, a program, a terminal.
  ///
  /// A file is written less often, in larger pieces.
  public let isPrompt: Bool
  /// Opens it.
  ///
  /// Called once, on the sink's thread; may wait, as long as ``SinkContext/patience`` lasts.
  public let open: @Sendable (SinkContext) throws(SplitcapError) -> any Sink & ~Copyable

  /// Makes a request; see the properties.
  public init(
    feed: Feed, name: String, isPrompt: Bool,
    open: @escaping @Sendable (SinkContext) throws(SplitcapError) -> any Sink & ~Copyable
  ) {
    self.feed = feed
    self.name = name
    self.isPrompt = isPrompt
    self.open = open
  }
}
