private import SoundFiles
internal import SplitcapCore

/// A file with the sound of one ear, read block by block.
struct EarFile: ~Copyable {
  /// Frames in a block.
  static let blockFrames = 1 << 14

  let path: String
  let info: SourceInfo
  /// What is wrong with the file, as far as it was read.
  private(set) var damages: [String] = []
  /// Frames read so far.
  private(set) var frames = 0
  /// Whether the file was read to its end, or to where it breaks off.
  private(set) var isOver = false

  private let headerProblems: [String]
  private var source: any CaptureSource & ~Copyable
  /// The samples of the block: ``count`` of them, and silence behind them.
  private(set) var samples = [Int16](repeating: 0, count: EarFile.blockFrames)
  /// Samples in the block.
  private(set) var count = 0

  /// Opens a file of one channel.
  ///
  /// - Throws: ``SplitcapError``, of kind `unsupportedFormat` also if it has more channels.
  init(_ path: String) throws(SplitcapError) {
    let source = try Self.open(path)
    let channels = source.info.format.channelCount
    guard channels == 1 else {
      throw SplitcapError(
        .unsupportedFormat, "\(path.quoted) has \(channels) channels; the file of an ear has one",
        hint: "split it first: splitcap --input \(path.shellQuoted) --left l.wav --right r.wav")
    }
    self.path = path
    info = source.info
    headerProblems = info.backend == .file ? Self.headerProblems(of: path) : []
    damages = headerProblems
    self.source = source
  }

  private static func open(_ path: String) throws(SplitcapError) -> any CaptureSource & ~Copyable {
    do throws(SplitcapError) {
      return try SoundFile.open(path)
    } catch {
      // A file with too many chunks has a header.
      guard error.kind == .unsupportedFormat,
        !error.message.hasSuffix(WaveHeaderParser.tooManyChunks)
      else { throw error }
      throw SplitcapError(
        error.kind, error.message,
        hint: "an ear without a header gets one: splitcap repair --rate 16000 --channels 1 "
          + path.shellQuoted)
    }
  }

  /// What is wrong with the header of a WAV file; nothing for any other file.
  private static func headerProblems(of path: String) -> [String] {
    guard let file = try? WaveFileRepair(path: path), !file.plan.problems.isEmpty else { return [] }
    return file.plan.problems.map(\.text)
      + ["'splitcap repair \(path.shellQuoted)' mends it"]
  }

  /// Reads the next block: full, unless the file ends.
  ///
  /// - Parameter isCancelled: Asked now and then, as what writes to a pipe may be waited for.
  /// - Throws: ``SplitcapError``, of kind `cancelled` if it says so.
  mutating func readBlock(isCancelled: () -> Bool = { false }) throws(SplitcapError) {
    count = 0
    while count < Self.blockFrames && !isOver {
      if isCancelled() { throw SplitcapError(.cancelled, "stopped; nothing was written") }
      do throws(SplitcapError) {
        try readMore()
      } catch {
        // What came before is there to be used.
        guard error.kind == .backend && frames + count > 0 else { throw error }
        damages.append(error.message)
        isOver = true
      }
    }
    for i in count..<Self.blockFrames { samples[i] = 0 }
    frames += count
  }

  private mutating func readMore() throws(SplitcapError) {
    var block: [Int16] = []
    swap(&block, &samples)  // out of `self`, whose source fills it
    defer { swap(&block, &samples) }
    var room = block.mutableSpan
    var part = room._mutatingExtracting(count..<Self.blockFrames)
    switch try Self.read(&source, &part) {
    case .frames(let more): count += more
    case .nothing, .gap: break
    case .end:
      // What a wrong header leads to is said already.
      if headerProblems.isEmpty { damages += Self.notes(of: source) }
      isOver = true
    }
  }

  // Functions of their own, as the uses of a stored value would lock `self` as a whole.

  private static func read(
    _ source: inout any CaptureSource & ~Copyable, _ room: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult { try source.read(into: &room) }

  private static func notes(of source: borrowing any CaptureSource & ~Copyable) -> [String] {
    source.closingNotes
  }
}
