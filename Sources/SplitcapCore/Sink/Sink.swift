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
  ///     one ended, unless frames were left out; see ``SlowRule/skip``.
  /// - Returns: `closed` if the reader has gone away, which is a normal end of this sink.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, or `cancelled` if
  ///   ``SinkContext/patience`` ran out.
  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult

  /// Ends the file that is being written, where this sink is a series of files; any other ignores it.
  ///
  /// - Parameter next: What the frames that follow belong to.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  mutating func cut(_ next: SegmentStart) throws(SplitcapError)

  /// Writes what is held back, closes, and for a program waits for its end.
  ///
  /// Called once, after the last ``write(_:firstFrame:)``, also when that returned `closed` or
  /// threw. A sink that is dropped without it still closes, but reports nothing.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, or `cancelled` if a program was still at work
  ///   when ``SinkContext/patience`` was ended.
  mutating func finish() throws(SplitcapError) -> SinkReport
}

extension Sink where Self: ~Copyable {
  /// Ignores the cut.
  public mutating func cut(_ next: SegmentStart) throws(SplitcapError) {}
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
  /// Frames in the file, or read by a reader that went away, also those of a block that did not fit
  /// whole; `nil` where it is just what was written, or can't be told from the bytes.
  public var frames: Int?
  /// Exit status of the program behind the sink, 128 + *n* for signal *n*; `nil` if there is none.
  public var programStatus: Int?
  /// Why the sink has failed, though it could be closed: its program says that it has.
  public var failure: SplitcapError?
  /// The file, under the name that it has at its end, and the last one of several; `nil` for a pipe.
  public var path: String?
  /// Files that were written.
  public var fileCount = 0
  /// What a user should know about what was written; a line each, no full stop.
  public var notes: [String]

  /// Makes a report.
  public init(
    bytes: Int, frames: Int? = nil, programStatus: Int? = nil, failure: SplitcapError? = nil,
    notes: [String] = []
  ) {
    self.bytes = bytes
    self.frames = frames
    self.programStatus = programStatus
    self.failure = failure
    self.notes = notes
  }
}

/// What a sink is told when it is opened.
public struct SinkContext: Sendable {
  /// What the sink gets.
  public let feed: Feed
  /// Rate in hertz and channels of what it gets.
  public let format: StreamFormat
  /// Wall-clock time of the first frame that it gets, in nanoseconds since 1970 (UTC).
  public internal(set) var startNanoseconds: Int64
  /// Index on the timeline of that frame.
  public internal(set) var firstFrame: Int
  /// Which file of a series it is to be, counted from 1.
  public internal(set) var segmentIndex: Int
  /// How long the sink may still wait for its reader.
  public let patience: Patience
  /// To be called once if nobody has come to read for some seconds.
  package var noteUnread: @Sendable () -> Void = {}
  /// Who is told of the space that is left for a file.
  public let space: SpaceWatch

  /// Makes a context; see the properties.
  public init(
    feed: Feed, format: StreamFormat, startNanoseconds: Int64, firstFrame: Int,
    segmentIndex: Int = 1, patience: Patience, space: SpaceWatch = SpaceWatch()
  ) {
    self.feed = feed
    self.format = format
    self.startNanoseconds = startNanoseconds
    self.firstFrame = firstFrame
    self.segmentIndex = segmentIndex
    self.patience = patience
    self.space = space
  }
}

extension SinkContext {
  /// The same for one that gets the timeline from `frame` on, which is not before ``firstFrame``.
  ///
  /// Its time is that of ``firstFrame`` and the frames in between at their rate, so that all sinks of
  /// a recording agree on it.
  func starting(at frame: Int) -> SinkContext {
    var context = self
    context.startNanoseconds += format.nanoseconds(frames: frame - firstFrame)
    context.firstFrame = frame
    return context
  }
}

/// A sink that is to be opened, once frames flow, on its own thread.
public struct SinkRequest: Sendable {
  /// What the sink gets.
  public let feed: Feed
  /// The name that the user gave it.
  public let name: String
  /// Whether it may be opened anew after its end, as a program can be started anew.
  public let isRestartable: Bool
  /// Whether it is a file, which is cut where a segment ends.
  ///
  /// It is written less often, in larger pieces, than what has someone waiting at the other end: a
  /// pipe, a program, a device.
  public let isFile: Bool
  /// Frames that one file of it may hold; `nil` if there is no limit.
  public let fileFrames: Int?
  /// Opens it.
  ///
  /// Called on the sink's thread, once for each file; may wait, as long as ``SinkContext/patience``
  /// lasts.
  public internal(set) var open:
    @Sendable (SinkContext) throws(SplitcapError) -> any Sink & ~Copyable

  /// Makes a request; see the properties.
  public init(
    feed: Feed, name: String, isRestartable: Bool = false, isFile: Bool = false,
    fileFrames: Int? = nil,
    open: @escaping @Sendable (SinkContext) throws(SplitcapError) -> any Sink & ~Copyable
  ) {
    self.feed = feed
    self.name = name
    self.isRestartable = isRestartable
    self.isFile = isFile
    self.fileFrames = fileFrames
    self.open = open
  }
}
