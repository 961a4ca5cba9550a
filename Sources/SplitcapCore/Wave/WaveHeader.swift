/// The plain 44-byte header of a PCM WAV file: `RIFF`, `fmt ` first, `data`, nothing else.
///
/// Recognisers insist on it: many read the samples from byte 44 without a look at the chunks.
/// The source of the layout is "Multimedia Programming Interface and Data Specifications 1.0"
/// (IBM, Microsoft, 1991).
package struct WaveHeader: Sendable, Equatable {
  /// Bytes in a header.
  package static let byteCount = 44

  /// Rate in hertz and channels of the samples.
  package let format: StreamFormat

  /// Bytes of samples that follow; `nil` on a pipe.
  package let dataBytes: Int?

  /// Makes a header; `dataBytes` must be below 4 GiB less 36 bytes.
  package init(format: StreamFormat, dataBytes: Int?) {
    precondition(dataBytes ?? 0 <= Int(UInt32.max) - 36, "a WAV file ends at 4 GiB")
    self.format = format
    self.dataBytes = dataBytes
  }

  /// The header as it stands in a file.
  package var bytes: [UInt8] {
    WaveLayout(format: format, sampleFormat: .s16le, dataBytes: dataBytes).header(isLarge: false)
  }
}

extension WaveLayout {
  /// Bytes of a frame.
  var frameBytes: Int { format.channelCount * sampleFormat.byteCount }

  /// What the header of a WAV file says of the size of the file: all but its first 8 bytes.
  var riffBytes: Int {
    let dataBytes = dataBytes ?? 0
    return "WAVE".utf8.count + formatChunks.count + 8 + dataBytes + dataBytes % 2
  }

  /// Makes the header of a WAV file.
  ///
  /// Where the length is not known, as on a pipe, both sizes say "until the end": the largest number.
  ///
  /// - Parameter isLarge: Whether as RF64, with sizes of 64 bits; the length must be known then.
  /// - Returns: The file up to its first byte of sound.
  package func header(isLarge: Bool) -> [UInt8] {
    let isStated = dataBytes != nil && !isLarge
    let dataBytes = dataBytes ?? 0
    var header = HeaderBytes()
    header.append(isLarge ? "RF64" : "RIFF")
    // At the limit, no size has room for the byte that makes the sound's chunk even.
    header.append(little: isStated ? UInt32(clamping: riffBytes) : .max)
    header.append("WAVE")
    if isLarge {
      header.append(
        HeaderBytes.largeSizes(
          fileBytes: riffBytes + HeaderBytes.largeSizesBytes, soundBytes: dataBytes,
          frames: dataBytes / frameBytes))
    }
    header.append(formatChunks)
    header.append("data")
    header.append(little: isStated ? UInt32(dataBytes) : .max)
    return header.bytes
  }

  /// A `fmt ` chunk; for samples other than PCM, with its empty extension and a `fact` chunk.
  private var formatChunks: [UInt8] {
    var chunks = HeaderBytes()
    chunks.append("fmt ")
    chunks.append(little: UInt32(sampleFormat.isFloat ? 18 : 16))
    chunks.appendWaveFormat(format, sampleFormat)
    guard sampleFormat.isFloat else { return chunks.bytes }
    chunks.append(little: UInt16(0))
    chunks.append("fact")
    chunks.append(little: UInt32(4))
    chunks.append(little: UInt32(clamping: (dataBytes ?? 0) / frameBytes))
    return chunks.bytes
  }
}
