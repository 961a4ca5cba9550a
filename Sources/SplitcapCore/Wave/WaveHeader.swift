/// The plain 44-byte header of a PCM WAV file: `RIFF`, `fmt ` first, `data`, nothing else.
///
/// Recognisers insist on it: many read the samples from byte 44 without a look at the chunks.
/// The source of the layout is "Multimedia Programming Interface and Data Specifications 1.0"
/// (IBM, Microsoft, 1991).
package struct WaveHeader: Sendable, Equatable {
  /// Bytes in a header.
  package static let byteCount = 44

  /// What both sizes say on a pipe, where the length is not known: "until the end".
  package static let unknownSize = UInt32.max

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
    let blockAlign = UInt16(format.channelCount * 2)
    let rate = UInt32(format.sampleRate)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    bytes.append(contentsOf: "RIFF".utf8)
    bytes.append(littleEndian: dataBytes.map { UInt32($0 + 36) } ?? Self.unknownSize)
    bytes.append(contentsOf: "WAVEfmt ".utf8)
    bytes.append(littleEndian: UInt32(16))  // bytes in this chunk
    bytes.append(littleEndian: UInt16(1))  // PCM
    bytes.append(littleEndian: UInt16(format.channelCount))
    bytes.append(littleEndian: rate)
    bytes.append(littleEndian: rate * UInt32(blockAlign))
    bytes.append(littleEndian: blockAlign)
    bytes.append(littleEndian: UInt16(16))  // bits in a sample
    bytes.append(contentsOf: "data".utf8)
    bytes.append(littleEndian: dataBytes.map { UInt32($0) } ?? Self.unknownSize)
    return bytes
  }
}

extension [UInt8] {
  /// Appends an integer, lowest byte first.
  fileprivate mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }
}
