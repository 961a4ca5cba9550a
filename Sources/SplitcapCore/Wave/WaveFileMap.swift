/// What lies where in a WAV file on a disk, whatever its sizes claim.
///
/// A recorder that was killed leaves sizes that are not true. The sound is then all that follows
/// its start, but for chunks at the end of the file that can be told from sound.
///
/// Bytes come from strangers: no file makes it read more than some 100 KB, or anything but end or
/// throw. The sources of the layout are those of ``WaveHeaderParser``.
package struct WaveFileMap: Sendable, Equatable {
  /// Why a file is no WAV file with sound in it; a sentence without its subject.
  package struct Refusal: Error, Equatable {
    /// Such as "has no format before its sound".
    package let reason: String
    /// Whether the file does not even start like a WAV file.
    package let isHeaderless: Bool

    /// Makes a refusal; see the properties.
    package init(_ reason: String, isHeaderless: Bool = false) {
      self.reason = reason
      self.isHeaderless = isHeaderless
    }
  }

  /// Reads so many bytes at a place; fewer at the end of the file, or if they can't be read.
  package typealias Reading = (_ offset: Int, _ count: Int) -> [UInt8]

  /// A chunk's name and content.
  struct Chunk: Sendable, Equatable {
    var name: String
    /// What of the content lies in the file.
    var content: Range<Int>
    /// Bytes that the content should have.
    var size: Int
  }

  /// Bytes in the file.
  package let byteCount: Int
  /// `RIFF`, `RIFX`, `RF64` or `BW64`.
  let name: String
  var isBigEndian: Bool { name == "RIFX" }
  var has64BitSizes: Bool { name == "RF64" || name == "BW64" }
  /// The size of all but the first 8 bytes, as it is stated.
  let statedRiffBytes: UInt32
  /// The chunks before the sound.
  private(set) var chunks: [Chunk] = []
  /// The first bytes of the format chunk.
  private(set) var formatBytes: [UInt8] = []
  /// The three sizes of the `ds64` chunk, if there is one: of the file, of the sound, in frames.
  private(set) var statedLargeSizes: [UInt64] = []
  /// The number in a `fact` chunk, if there is one.
  private(set) var statedFrames: UInt32?
  /// The size of the sound as its chunk states it.
  private(set) var statedDataBytes: UInt32 = 0

  /// Where the sound is.
  private(set) var sound = 0..<0
  /// Where the chunks behind the sound start; the end of the file if there are none.
  private(set) var tailStart = 0
  /// Where the chunks behind the sound end; what follows is no chunk, but another program's tag.
  private(set) var tailEnd = 0
  /// The last chunk, if the file ends inside of it.
  private(set) var cutChunk: Chunk?

  /// Looks through a file of `byteCount` bytes.
  package init(byteCount: Int, _ read: Reading) throws(Refusal) {
    let start = read(0, 12)
    guard start.count == 12, WaveHeaderParser.canStart(start) else {
      throw Refusal("has no WAV header", isHeaderless: true)
    }
    self.byteCount = byteCount
    name = String(decoding: start[..<4], as: UTF8.self)
    statedRiffBytes = UInt32(start[4..<8], isBigEndian: name == "RIFX")
    try findSound(read)
    findEnd(read)
  }

  /// The size of the sound that the header states.
  package var statedSoundBytes: UInt64 {
    if has64BitSizes && statedDataBytes == .max, statedLargeSizes.count > 1 {
      return statedLargeSizes[1]
    }
    return UInt64(statedDataBytes)
  }

  // MARK: The start

  private mutating func findSound(_ read: Reading) throws(Refusal) {
    var offset = 12
    while let chunk = chunk(at: offset, read) {
      if chunk.name == "data" {
        guard !formatBytes.isEmpty else { throw Refusal("has no format before its sound") }
        statedDataBytes = UInt32(truncatingIfNeeded: chunk.size)
        sound = chunk.content.lowerBound..<byteCount
        return
      }
      guard chunks.count < WaveHeaderParser.chunkLimit else {
        throw Refusal(WaveHeaderParser.tooManyChunks)
      }
      guard chunk.content.count == chunk.size else {
        throw Refusal("ends in chunk '\(chunk.name)', before its sound starts")
      }
      chunks.append(chunk)
      let content = chunk.content
      switch chunk.name {
      case "fmt ":
        formatBytes = read(content.lowerBound, min(content.count, WaveFormatChunk.usefulBytes))
      case "ds64" where chunk.size >= 28:
        let bytes = read(content.lowerBound, 24)
        guard bytes.count == 24 else { throw Refusal("can't be read") }
        statedLargeSizes = [0, 8, 16].map { UInt64(bytes[$0..<$0 + 8], isBigEndian: false) }
      case "fact" where chunk.size >= 4:
        let bytes = read(content.lowerBound, 4)
        if bytes.count == 4 { statedFrames = UInt32(bytes[...], isBigEndian: isBigEndian) }
      default: break
      }
      offset = content.upperBound + chunk.size % 2
    }
    throw Refusal("ends before its sound starts")
  }

  /// The chunk that starts at `offset`; `nil` if nothing there can be one.
  private func chunk(at offset: Int, _ read: Reading) -> Chunk? {
    guard offset <= byteCount - 8 else { return nil }
    let bytes = read(offset, 8)
    guard bytes.count == 8 else { return nil }
    return chunk(bytes[...], at: offset)
  }

  /// The chunk whose first 8 bytes are `bytes`.
  private func chunk(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Chunk? {
    let name = bytes.prefix(4)
    guard name.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    let size = Int(UInt32(bytes.dropFirst(4).prefix(4), isBigEndian: isBigEndian))
    let start = offset + 8
    return Chunk(
      name: String(decoding: name, as: UTF8.self),
      content: start..<(start + min(size, byteCount - start)), size: size)
  }

  // MARK: The end

  private enum Tail {
    /// Chunks up to the end of the file.
    case chunks
    /// Chunks, the last of which is cut off.
    case cut(Chunk)
    /// Something else.
    case other
  }

  private mutating func findEnd(_ read: Reading) {
    let rest = UInt64(sound.count)
    (tailStart, tailEnd) = (byteCount, byteCount)
    let stated = statedSoundBytes
    if stated <= rest {
      let end = sound.lowerBound + Int(stated)
      // Some writers leave out the byte that makes a chunk even.
      for start in [end + Int(stated % 2), end] where start <= byteCount {
        switch tail(from: start, read) {
        case .chunks: return endSound(at: end, tail: start)
        case .cut(let chunk):
          endSound(at: end, tail: start)
          cutChunk = chunk
          return
        case .other: break
        }
      }
      if stated > 0, end == 8 + Int(statedRiffBytes), Self.isTag(read(end, 3)) {
        endSound(at: end, tail: end)
        tailEnd = end
        return
      }
    }
    // The size is not true. Programs that can't go back to the header still write chunks behind.
    if let start = knownTail(read) { endSound(at: start, tail: start) }
  }

  private mutating func endSound(at end: Int, tail: Int) {
    sound = sound.lowerBound..<end
    tailStart = tail
  }

  /// What the bytes from `start` on are.
  private func tail(from start: Int, _ read: Reading) -> Tail {
    var offset = start
    for _ in 0..<WaveHeaderParser.chunkLimit {
      // The last byte may be missing, since it only makes the last chunk even.
      if offset == byteCount || offset == byteCount + 1 { return .chunks }
      guard let chunk = chunk(at: offset, read) else { return .other }
      guard chunk.content.count == chunk.size else {
        // Loud sound may look like a name; a name that programs use is hardly sound.
        return Self.knownNames.contains(chunk.name) ? .cut(chunk) : .other
      }
      offset = chunk.content.upperBound + chunk.size % 2
    }
    return .other
  }

  /// Where known chunks start that go on to the end of the file.
  private func knownTail(_ read: Reading) -> Int? {
    let start = max(sound.lowerBound, byteCount - (1 << 16)) & ~1
    let bytes = read(start, byteCount - start)
    for place in stride(from: 0, to: max(0, bytes.count - 7), by: 2) {
      // Most places fail at their first byte.
      guard let chunk = chunk(bytes[place..<place + 8], at: start + place),
        Self.knownNames.contains(chunk.name), chunk.content.count == chunk.size,
        case .chunks = tail(from: start + place, read)
      else { continue }
      return start + place
    }
    return nil
  }

  /// Chunks that programs write behind the sound.
  private static let knownNames: Set<String> = [
    "LIST", "INFO", "id3 ", "ID3 ", "bext", "iXML", "_PMX", "cue ", "plst", "smpl", "inst", "note",
    "labl", "ltxt", "adtl", "PEAK", "acid", "JUNK", "junk", "PAD ", "FLLR", "fact", "afsp", "axml",
    "chna", "levl", "umid", "cart", "minf", "elm1", "regn", "DISP",
  ]

  /// Whether another program has put its tag behind the file: ID3 of either version.
  private static func isTag(_ bytes: [UInt8]) -> Bool {
    bytes.elementsEqual("TAG".utf8) || bytes.elementsEqual("ID3".utf8)
  }
}
