/// What is wrong with a WAV file, and what must be written where to make it right.
///
/// No byte of sound is left out or changed; sample formats stay what they are.
package struct WaveRepair: Sendable, Equatable {
  /// Something that keeps readers from all of the sound, or makes them complain.
  package enum Problem: Sendable, Equatable {
    /// The file is sound and nothing else.
    case noHeader
    /// The header states another size of the sound than it has.
    case soundSize(stated: UInt64, actual: Int)
    /// The header states another size of the file, less its first 8 bytes, than it has.
    case fileSize(stated: UInt64, actual: Int)
    /// The sound ends inside a frame; `missing` bytes complete it.
    case partFrame(bytes: Int, missing: Int)
    /// A chunk counts other frames than there are.
    case frameCount(stated: UInt64, actual: Int)
    /// The last chunk, which is not sound, is cut off.
    case cutChunk(name: String)
  }

  /// Bytes of the file that are replaced by others; an empty range is a place to insert them.
  package struct Edit: Sendable, Equatable {
    /// Where in the file as it is.
    package let range: Range<Int>
    /// What is written there.
    package let bytes: [UInt8]
  }

  /// What is wrong; empty for a healthy file.
  package internal(set) var problems: [Problem] = []
  /// What is to be written, from the start of the file to its end; empty for a healthy file.
  package internal(set) var edits: [Edit] = []
  /// Rate in hertz and channels; `nil` if only a codec knows.
  package internal(set) var format: StreamFormat?
  /// How a sample is laid out; `nil` for a codec that is not known here.
  package internal(set) var sampleFormat: SampleFormat?
  /// Frames once it is repaired; `nil` if only a codec knows.
  package internal(set) var frames: Int?
  /// Bytes of sound in the file as it is.
  package internal(set) var soundBytes = 0
  /// Whether sizes of 64 bits are needed, which `RF64` has.
  package internal(set) var needsLargeSizes = false

  let byteCount: Int

  /// Bytes in the file once it is repaired.
  package var repairedByteCount: Int {
    edits.reduce(byteCount) { $0 + $1.bytes.count - $1.range.count }
  }

  /// Whether every byte that stays, stays where it is: only what is at the end may grow.
  package var canBeInPlace: Bool {
    edits.allSatisfy { $0.range.count == $0.bytes.count || $0.range.upperBound == byteCount }
  }

  /// The most that a size of 32 bits can state.
  static let largestSize = Int(UInt32.max)
}

extension WaveRepair {
  /// Makes a plan for a file.
  ///
  /// - Throws: ``WaveFileMap/Refusal`` if its format can't be meant.
  package init(_ map: WaveFileMap) throws(WaveFileMap.Refusal) {
    byteCount = map.byteCount
    soundBytes = map.sound.count
    let frameBytes = try readFormat(map)

    let end = Ending(soundBytes, frameBytes: frameBytes, sampleFormat: sampleFormat)
    if let problem = end.problem { problems.append(problem) }
    if let frameBytes { frames = end.byteCount / frameBytes }
    if map.statedSoundBytes != UInt64(soundBytes) {
      problems.append(.soundSize(stated: map.statedSoundBytes, actual: soundBytes))
    }
    if let cut = map.cutChunk {
      problems.append(.cutChunk(name: cut.name))
      replace(
        (cut.content.lowerBound - 4)..<cut.content.lowerBound,
        UInt32(cut.content.count).bytes(isBigEndian: map.isBigEndian))
    }
    checkFrameCount(map)
    let fileIsRight = statesItsSize(map)
    if !fileIsRight {
      problems.append(.fileSize(stated: map.statedFileBytes, actual: map.tailEnd - 8))
    }
    guard !problems.isEmpty else { return }

    // Completes the last frame, and makes the chunk even; a byte that did so before goes.
    let pad = [UInt8](repeating: 0, count: end.byteCount % 2)
    replace(map.sound.upperBound..<map.tailStart, end.fill + pad)
    writeSizes(map, soundBytes: end.byteCount)
    edits.sort { ($0.range.lowerBound, $0.range.count) < ($1.range.lowerBound, $1.range.count) }
    edits.removeAll { $0.range.isEmpty && $0.bytes.isEmpty }
  }

  private mutating func replace(_ range: Range<Int>, _ bytes: [UInt8]) {
    edits.append(Edit(range: range, bytes: bytes))
  }

  /// Reads the format chunk.
  ///
  /// - Returns: Bytes in a frame; `nil` if only a codec knows.
  private mutating func readFormat(_ map: WaveFileMap) throws(WaveFileMap.Refusal) -> Int? {
    let bytes = map.formatBytes
    do throws(WaveFormatChunk.Refusal) {
      let chunk = try WaveFormatChunk(bytes, isBigEndian: map.isBigEndian)
      (format, sampleFormat) = (chunk.format, chunk.sampleFormat)
      return chunk.format.channelCount * chunk.sampleFormat.byteCount
    } catch {
      guard !error.isNonsense,
        let fields = WaveFormatFields(bytes, isBigEndian: map.isBigEndian)
      else { throw WaveFileMap.Refusal(error.reason) }
      format = StreamFormat(sampleRate: fields.sampleRate, channelCount: fields.channelCount)
      // PCM, float or extensible of a width that is not read here still has frames of a size.
      let plain = [WaveFormatFields.pcm, WaveFormatFields.float, WaveFormatFields.extensible]
      return plain.contains(fields.codec) && fields.frameBytes > 0 ? fields.frameBytes : nil
    }
  }

  /// Samples in other than 16-bit PCM are counted once more in a `fact` chunk.
  private mutating func checkFrameCount(_ map: WaveFileMap) {
    guard let frames, let stated = map.statedFrames,
      let fact = map.chunks.last(where: { $0.name == "fact" })
    else { return }
    let right = UInt32(exactly: frames) ?? .max
    guard stated != right else { return }
    problems.append(.frameCount(stated: UInt64(stated), actual: frames))
    let place = fact.content.lowerBound
    replace(place..<place + 4, right.bytes(isBigEndian: map.isBigEndian))
  }

  /// Whether the file's own size is right; the last byte, which only makes a chunk even, may be
  /// counted or not.
  private func statesItsSize(_ map: WaveFileMap) -> Bool {
    let actual = UInt64(map.tailEnd - 8)
    let isOdd = map.sound.count % 2 == 1 && map.tailStart == map.byteCount
    return map.statedFileBytes == actual || isOdd && map.statedFileBytes == actual + 1
      || isOdd && map.tailStart > map.sound.upperBound && map.statedFileBytes == actual - 1
  }

  /// Writes the sizes anew, with 64 bits where 32 are not enough.
  private mutating func writeSizes(_ map: WaveFileMap, soundBytes: Int) {
    let tag = map.byteCount - map.tailEnd
    let large = map.chunks.first { $0.name == "ds64" && $0.size >= 28 }
    let fileBytes = repairedByteCount - tag - 8
    needsLargeSizes = fileBytes > Self.largestSize
    let keepsLargeSizes = map.has64BitSizes && large != nil
    let big = map.isBigEndian
    let dataSize = (map.sound.lowerBound - 4)..<map.sound.lowerBound
    guard needsLargeSizes || keepsLargeSizes else {
      if map.has64BitSizes { replace(0..<4, Array("RIFF".utf8)) }
      replace(4..<8, UInt32(fileBytes).bytes(isBigEndian: big))
      replace(dataSize, UInt32(soundBytes).bytes(isBigEndian: big))
      return
    }
    let none = UInt32.max.bytes(isBigEndian: big)
    replace(4..<8, none)
    replace(dataSize, none)
    if !map.has64BitSizes { replace(0..<4, Array("RF64".utf8)) }
    // Writers that may need the sizes later leave room for them.
    let room = map.chunks.first.flatMap { ["JUNK", "junk"].contains($0.name) ? $0 : nil }
    func sizes(_ fileBytes: Int, in size: Int) -> [UInt8] {
      HeaderBytes.largeSizes(
        size: size, fileBytes: fileBytes, soundBytes: soundBytes, frames: frames ?? 0)
    }
    if let large {
      // What the chunk says of other large chunks stays.
      let content = Array(sizes(fileBytes, in: large.size)[8..<32])
      replace(large.content.lowerBound..<large.content.lowerBound + 24, content)
    } else if let room, room.size >= 28 {
      replace(12..<12 + HeaderBytes.largeSizesBytes, sizes(fileBytes, in: room.size))
    } else {
      replace(12..<12, sizes(fileBytes + HeaderBytes.largeSizesBytes, in: 28))
    }
  }

  /// Whether this can't be done at all: the big-endian form has no sizes of 64 bits.
  package static func isTooLong(_ map: WaveFileMap) -> Bool {
    map.isBigEndian && map.byteCount > largestSize - 8
  }
}

extension WaveFileMap {
  /// The size of all but the first 8 bytes, as the header states it.
  fileprivate var statedFileBytes: UInt64 {
    has64BitSizes && statedRiffBytes == .max
      ? statedLargeSizes.first ?? UInt64(statedRiffBytes) : UInt64(statedRiffBytes)
  }
}

/// The end of the sound: the bytes that make its last frame whole.
struct Ending {
  let problem: WaveRepair.Problem?
  let fill: [UInt8]
  /// Bytes of sound with them.
  let byteCount: Int

  init(_ soundBytes: Int, frameBytes: Int?, sampleFormat: SampleFormat?) {
    let part = frameBytes.map { soundBytes % $0 } ?? 0
    let missing = part == 0 ? 0 : (frameBytes ?? 0) - part
    problem = part == 0 ? nil : .partFrame(bytes: part, missing: missing)
    fill = [UInt8](repeating: sampleFormat == .u8 ? 0x80 : 0, count: missing)
    byteCount = soundBytes + missing
  }
}
