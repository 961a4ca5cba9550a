/// A WAV stream, made byte by byte, right or wrong.
public struct WaveBytes: Sendable {
  /// What there is so far.
  public var bytes: [UInt8] = []
  /// Whether numbers are written highest byte first, as in RIFX.
  public var isBigEndian = false

  /// Starts a stream; its size is one that no reader may believe.
  public init(_ name: String = "RIFF", riffSize: UInt32 = .max) {
    isBigEndian = name == "RIFX"
    append(text: name)
    append(riffSize)
    append(text: "WAVE")
  }

  /// A whole stream of 16-bit samples, with any size in its `data` chunk.
  public static func pcm(
    _ samples: [Int16], channels: Int = 2, rate: Int = 16_000, dataSize: UInt32? = nil
  ) -> [UInt8] {
    var wave = WaveBytes()
    wave.appendFormat(channels: channels, rate: rate)
    wave.append(text: "data")
    wave.append(dataSize ?? UInt32(samples.count * 2))
    return wave.bytes + Lab.bytes(of: samples)
  }

  /// A whole file of 16-bit samples, whose sizes are right.
  public static func file(_ samples: [Int16], channels: Int = 2, rate: Int = 16_000) -> [UInt8] {
    var wave = WaveBytes(riffSize: UInt32(36 + samples.count * 2))
    wave.appendFormat(channels: channels, rate: rate)
    wave.append(chunk: "data", Lab.bytes(of: samples))
    return wave.bytes
  }

  /// Appends a text as it is, such as the name of a chunk.
  public mutating func append(text: String) { bytes += text.utf8 }

  /// Appends a number in the stream's byte order.
  public mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    let little = (0..<Number.bitWidth / 8).map {
      UInt8(truncatingIfNeeded: number >> Number($0 * 8))
    }
    bytes += isBigEndian ? little.reversed() : little
  }

  /// Appends a chunk with its padding.
  public mutating func append(chunk name: String, _ content: [UInt8], size: UInt32? = nil) {
    append(text: name)
    append(size ?? UInt32(content.count))
    bytes += content + (content.count % 2 == 1 ? [0] : [])
  }

  /// Appends a `fmt ` chunk, with any codec and any block align.
  public mutating func appendFormat(
    codec: UInt16 = 1, channels: Int = 2, rate: Int = 16_000, bits: Int = 16,
    blockAlign: Int? = nil, extra: [UInt8] = []
  ) {
    append(text: "fmt ")
    append(UInt32(16 + extra.count))
    append(codec)
    append(UInt16(truncatingIfNeeded: channels))
    append(UInt32(truncatingIfNeeded: rate))
    append(UInt32(truncatingIfNeeded: rate * channels * bits / 8))
    append(UInt16(truncatingIfNeeded: blockAlign ?? channels * bits / 8))
    append(UInt16(bits))
    bytes += extra
  }

  /// Appends a WAVE_FORMAT_EXTENSIBLE format.
  public mutating func appendExtensibleFormat(subformat: [UInt8], channels: Int = 2, bits: Int = 16)
  {
    let tail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    let guid = subformat.count == 16 ? subformat : subformat + tail
    appendFormat(
      codec: 0xfffe, channels: channels, bits: bits,
      extra: [22, 0, UInt8(bits), 0, 3, 0, 0, 0] + guid)
  }
}
