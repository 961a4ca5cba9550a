private import CSndFile
private import Glibc
public import SplitcapCore

/// A sound file as a source: everything that libsndfile reads, converted to 16 bits.
///
/// Integers of more bits are cut off; floating point and what codecs decode is rounded, and clipped
/// where it goes beyond full scale. ``info`` says so in its notes.
///
/// The corresponding C type is `SNDFILE`.
public struct SoundFileSource: ~Copyable, CaptureSource {
  /// What the file holds and how it is delivered; `isLive` is false.
  public let info: SourceInfo

  private let reader: SoundFileReader
  private let channelCount: Int
  /// Frames decoded at a time, for what is read as floating point; empty for integers.
  private var floats: [Float]
  /// Frames that the file says it has; `nil` if it doesn't say.
  private let promisedFrames: Int?
  private var frames = 0

  /// Opens the file at `path`.
  ///
  /// - Throws: ``SplitcapError`` of kind `sourceUnavailable` or `permissionDenied` if it can't be
  ///   opened, of kind `unsupportedFormat` if it isn't a sound file that libsndfile reads.
  public init(path: String) throws(SplitcapError) {
    var contents = SF_INFO()
    let reader = try Self.open(path, &contents)
    let codec = contents.format & Int32(SF_FORMAT_SUBMASK)
    let isFloat = Self.floatCodecs.contains(Int(codec))
    let channelCount = Int(contents.channels)
    let rate = Int(contents.samplerate)

    var notes: [String] = []
    if let bits = Self.wideCodecs[Int(codec)] {
      notes.append("\(bits)-bit samples are cut to 16 bits")
    } else if codec == SF_FORMAT_FLOAT || codec == SF_FORMAT_DOUBLE {
      notes.append("floating-point samples are rounded to 16 bits, and clipped beyond full scale")
    }
    info = SourceInfo(
      backend: .file, name: path, description: path,
      format: StreamFormat(sampleRate: rate, channelCount: channelCount),
      native: SourceInfo.Native(
        channelCount: channelCount, sampleRate: rate,
        sampleFormat: CodecWord.word(for: contents.format)),
      ears: ChannelPair(left: 0, right: min(1, channelCount - 1)), isLive: false, notes: notes)
    self.reader = reader
    self.channelCount = channelCount
    floats = isFloat ? [Float](repeating: 0, count: 8192 * channelCount) : []
    promisedFrames = contents.frames == sf_count_t.max ? nil : Int(contents.frames)
  }

  /// Reads the next frames; never waits for more than the disk.
  ///
  /// - Throws: ``SplitcapError`` of kind `backend` if the file ends before the length that it
  ///   states, or can't be decoded further. All frames before have been delivered then.
  public mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    let room = buffer.count / channelCount
    let count =
      floats.isEmpty ? reader.read(into: &buffer, frames: room) : readFloats(into: &buffer, room)
    guard count == 0 else {
      frames += count
      return .frames(count)
    }
    if let reason = reader.error { throw SplitcapError(damaged: info.name, at: frames, reason) }
    if let promisedFrames, frames < promisedFrames {
      throw SplitcapError(damaged: info.name, at: frames, "it should have \(promisedFrames)")
    }
    return .end
  }

  private mutating func readFloats(into buffer: inout MutableSpan<Int16>, _ room: Int) -> Int {
    var block: [Float] = []
    swap(&block, &floats)  // out of `self`, whose reader fills it
    defer { swap(&block, &floats) }
    var span = block.mutableSpan
    let count = reader.read(into: &span, frames: min(room, span.count / channelCount))
    for i in 0..<count * channelCount { buffer[i] = Int16(clipping: span[i]) }
    return count
  }

  private static func open(
    _ path: String, _ contents: inout SF_INFO
  ) throws(SplitcapError) -> SoundFileReader {
    let (input, byteCount) = try openFile(path)
    do throws(SoundFileError) {
      let reader = try SoundFileReader(input, &contents)
      if contents.frames == 0 && byteCount > longestHeader {
        // Its writer was killed; to go on would be to record nothing without a word.
        throw SoundFileError(text: "its header says that these \(byteCount) bytes hold no sound")
      }
      guard contents.format & Int32(SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG else { return reader }
      // Where an MP3 file doesn't state its length, libmpg123 guesses it from the file's size, and
      // libsndfile would read no further than that.
      contents = SF_INFO()
      _ = lseek(input.descriptor.raw, 0, SEEK_SET)
      return try SoundFileReader(unsized: input, &contents)
    } catch {
      throw SplitcapError(notSound: path, error.text)
    }
  }

  private static func openFile(
    _ path: String
  ) throws(SplitcapError) -> (input: InputFile, byteCount: Int) {
    do throws(Errno) {
      // Not blocking, since the open of a pipe would wait for its writer.
      let input = InputFile(try Descriptor(opening: path, O_RDONLY | O_NONBLOCK))
      var status = stat()
      _ = try Errno.check { unsafe fstat(input.descriptor.raw, &status) }
      if status.st_mode & S_IFMT == S_IFDIR { throw Errno(EISDIR) }
      if status.st_mode & S_IFMT != S_IFREG { throw Errno(ESPIPE) }
      if status.st_size == 0 { throw Errno(ENODATA) }
      return (input, Int(status.st_size))
    } catch {
      throw SplitcapError(reading: path, error)
    }
  }

  /// Bytes that a file without sound may have.
  private static let longestHeader = 8_192

  /// Codecs whose own samples are floating point; libsndfile's way from these to 16 bits would let
  /// values beyond full scale wrap round.
  private static let floatCodecs: Set<Int> = [
    SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_VORBIS, SF_FORMAT_OPUS, SF_FORMAT_MPEG_LAYER_I,
    SF_FORMAT_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_III,
  ]

  /// Integer codecs of more than 16 bits, with their bits.
  private static let wideCodecs: [Int: Int] = [
    SF_FORMAT_PCM_24: 24, SF_FORMAT_PCM_32: 32, SF_FORMAT_DWVW_24: 24,
    SF_FORMAT_ALAC_20: 20, SF_FORMAT_ALAC_24: 24, SF_FORMAT_ALAC_32: 32,
  ]
}
