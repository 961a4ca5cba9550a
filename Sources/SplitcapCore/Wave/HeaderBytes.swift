/// The header of a sound file while it is put together; what several headers have stands here.
package struct HeaderBytes: Sendable {
  /// What there is so far.
  package private(set) var bytes: [UInt8] = []

  /// Starts with nothing.
  package init() { bytes.reserveCapacity(128) }

  /// Appends a text as it is, such as the name of a chunk.
  package mutating func append(_ text: String) { bytes += text.utf8 }

  /// Appends bytes as they are.
  package mutating func append(_ more: [UInt8]) { bytes += more }

  /// Appends a number, lowest byte first.
  package mutating func append(little number: some FixedWidthInteger) {
    bytes += number.bytes(isBigEndian: false)
  }

  /// Appends a number, highest byte first.
  package mutating func append(big number: some FixedWidthInteger) {
    bytes += number.bytes(isBigEndian: true)
  }

  /// Appends the ``WaveFormatFields`` of samples of our own.
  package mutating func appendWaveFormat(
    _ format: StreamFormat, _ sampleFormat: SampleFormat = .s16le
  ) {
    let frameBytes = format.channelCount * sampleFormat.byteCount
    append(little: UInt16(sampleFormat.isFloat ? WaveFormatFields.float : WaveFormatFields.pcm))
    append(little: UInt16(format.channelCount))
    append(little: UInt32(format.sampleRate))
    append(little: UInt32(clamping: format.sampleRate * frameBytes))
    append(little: UInt16(clamping: frameBytes))
    append(little: UInt16(sampleFormat.byteCount * 8))
  }

  /// Bytes of a `ds64` chunk without a table of other large chunks.
  static let largeSizesBytes = 36

  /// A `ds64` chunk, the sizes of 64 bits of RF64 (EBU Tech 3306), without that table.
  ///
  /// - Parameters:
  ///   - size: What it says of its own content; more than the 28 bytes where it takes the room of a
  ///     larger chunk.
  ///   - fileBytes: The size of the file less its first 8 bytes.
  ///   - soundBytes: The size of the sound.
  ///   - frames: Its length.
  /// - Returns: The chunk; always ``largeSizesBytes`` of it.
  static func largeSizes(
    size: Int = 28, fileBytes: Int, soundBytes: Int, frames: Int
  ) -> [UInt8] {
    var chunk = HeaderBytes()
    chunk.append("ds64")
    chunk.append(little: UInt32(size))
    for number in [fileBytes, soundBytes, frames] { chunk.append(little: UInt64(number)) }
    chunk.append(little: UInt32(0))
    return chunk.bytes
  }
}

/// The fields that the `fmt ` chunk of every codec starts with, as they stand there.
struct WaveFormatFields {
  /// The codecs of plain samples, and the one that names its codec in an extension.
  static let (pcm, float, extensible) = (1, 3, 0xfffe)

  var codec: Int
  var channelCount: Int
  var sampleRate: Int
  /// The block align.
  var frameBytes: Int
  /// Bits in a sample.
  var bits: Int

  /// Reads them; `nil` if `bytes` are too few.
  init?(_ bytes: [UInt8], isBigEndian: Bool) {
    guard bytes.count >= 16 else { return nil }
    func number(_ range: Range<Int>) -> Int { Int(UInt32(bytes[range], isBigEndian: isBigEndian)) }
    codec = number(0..<2)
    channelCount = number(2..<4)
    sampleRate = number(4..<8)
    frameBytes = number(12..<14)
    bits = number(14..<16)
  }
}

extension FixedWidthInteger {
  /// A number of as many bytes as the type has, or fewer.
  init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
    self = 0
    for byte in isBigEndian ? Array(bytes) : bytes.reversed() {
      self = self << 8 | Self(truncatingIfNeeded: byte)
    }
  }

  /// The bytes of the number.
  func bytes(isBigEndian: Bool) -> [UInt8] {
    let little = stride(from: 0, to: Self.bitWidth, by: 8).map {
      UInt8(truncatingIfNeeded: self >> Self($0))
    }
    return isBigEndian ? little.reversed() : little
  }
}
