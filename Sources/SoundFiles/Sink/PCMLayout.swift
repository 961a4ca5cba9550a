internal import SplitcapCore

/// How a container of plain 16-bit samples looks: a header that says how many there are, and they.
///
/// No container gets more than its readers need: the samples are the last chunk, so that a header
/// that lags behind them harms nothing but their count.
struct PCMLayout: Sendable {
  let container: Container
  let format: StreamFormat

  /// A layout; `nil` for a container that needs an encoder.
  init?(_ container: Container, _ format: StreamFormat) {
    switch container {
    case .wav, .raw, .caf, .w64, .rf64, .aiff, .au: break
    case .flac, .ogg, .opus, .mp3: return nil
    }
    self.container = container
    self.format = format
  }

  /// Bytes of a frame.
  var frameBytes: Int { format.channelCount * MemoryLayout<Int16>.size }

  /// Whether samples stand with their high byte first.
  var isBigEndian: Bool { container == .au || container == .aiff }

  /// Whether the header counts a block before the block is written.
  ///
  /// A W64 file with something behind its last chunk is refused by FFmpeg if that begins with zeros,
  /// as silence does; one that is shorter than it says is read whole.
  var countsAhead: Bool { container == .w64 }

  /// The header for `dataBytes` bytes of samples; as long for any number.
  func header(dataBytes: Int) -> [UInt8] {
    switch container {
    case .wav: WaveHeader(format: format, dataBytes: dataBytes).bytes
    case .rf64:
      WaveLayout(format: format, sampleFormat: .s16le, dataBytes: dataBytes).header(isLarge: true)
    case .w64: w64(dataBytes)
    case .caf: caf(dataBytes)
    case .au: au(dataBytes)
    case .aiff: aiff(dataBytes)
    default: []
    }
  }

  /// Sony's Wave64, as Sonic Foundry described it: chunks named by GUIDs, whose 64-bit sizes count
  /// their own 24 bytes, too.
  private func w64(_ dataBytes: Int) -> [UInt8] {
    let tail: [UInt8] = [
      0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
    ]
    var bytes = HeaderBytes()
    bytes.append("riff")
    bytes.append([0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00])
    bytes.append(little: UInt64(dataBytes + 104))
    bytes.append("wave")
    bytes.append(tail)
    bytes.append("fmt ")
    bytes.append(tail)
    bytes.append(little: UInt64(40))
    bytes.appendWaveFormat(format)
    bytes.append("data")
    bytes.append(tail)
    bytes.append(little: UInt64(dataBytes + 24))
    return bytes.bytes
  }

  /// Apple's Core Audio Format 1.0, with little-endian samples.
  private func caf(_ dataBytes: Int) -> [UInt8] {
    var bytes = HeaderBytes()
    bytes.append("caff")
    bytes.append(big: UInt32(0x0001_0000))  // version 1, no flags
    bytes.append("desc")
    bytes.append(big: UInt64(32))
    bytes.append(big: Double(format.sampleRate).bitPattern)
    bytes.append("lpcm")
    bytes.append(big: UInt32(2))  // little-endian integers
    bytes.append(big: UInt32(frameBytes))
    bytes.append(big: UInt32(1))  // frames in a packet
    bytes.append(big: UInt32(format.channelCount))
    bytes.append(big: UInt32(16))
    bytes.append("data")
    bytes.append(big: UInt64(dataBytes + 4))
    bytes.append(big: UInt32(0))  // how often it was edited
    return bytes.bytes
  }

  /// Sun's format, with an annotation of 8 zeros: SoX warns of a file without one.
  private func au(_ dataBytes: Int) -> [UInt8] {
    var bytes = HeaderBytes()
    bytes.append(".snd")
    bytes.append(big: UInt32(32))
    bytes.append(big: UInt32(clamping: dataBytes))  // the largest number means: to the end
    bytes.append(big: UInt32(3))  // 16-bit integers
    bytes.append(big: UInt32(format.sampleRate))
    bytes.append(big: UInt32(format.channelCount))
    bytes.append(big: UInt64(0))
    return bytes.bytes
  }

  /// Apple's Audio Interchange File Format 1.3.
  private func aiff(_ dataBytes: Int) -> [UInt8] {
    var bytes = HeaderBytes()
    bytes.append("FORM")
    bytes.append(big: UInt32(dataBytes + 46))
    bytes.append("AIFFCOMM")
    bytes.append(big: UInt32(18))
    bytes.append(big: UInt16(format.channelCount))
    bytes.append(big: UInt32(dataBytes / frameBytes))
    bytes.append(big: UInt16(16))
    // The rate as an 80-bit floating-point number: 15 bits of exponent, 64 with the leading one.
    let exponent = Int.bitWidth - 1 - format.sampleRate.leadingZeroBitCount
    bytes.append(big: UInt16(16_383 + exponent))
    bytes.append(big: UInt64(format.sampleRate) << UInt64(63 - exponent))
    bytes.append("SSND")
    bytes.append(big: UInt32(dataBytes + 8))
    bytes.append(big: UInt64(0))  // no offset, no blocks
    return bytes.bytes
  }
}

extension Container {
  /// The most bytes of samples that a header can say; `nil` if there is no such limit.
  var maximumDataBytes: Int? {
    switch self {
    case .wav: Int(UInt32.max) - (WaveHeader.byteCount - 8)
    case .aiff: Int(UInt32.max) - 46
    default: nil
    }
  }
}
