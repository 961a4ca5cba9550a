/// How sound lies in a WAV stream, as its header says.
package struct WaveLayout: Sendable, Equatable {
  /// Rate in hertz and channels.
  package var format: StreamFormat
  /// How a sample is laid out.
  package var sampleFormat: SampleFormat
  /// Bytes of sound that the header promises; `nil` where it says nothing that can be true, and
  /// the sound goes on until the end of the stream.
  package var dataBytes: Int?

  /// Makes a layout; see the properties.
  package init(format: StreamFormat, sampleFormat: SampleFormat, dataBytes: Int?) {
    self.format = format
    self.sampleFormat = sampleFormat
    self.dataBytes = dataBytes
  }
}

extension WaveLayout {
  /// Whether a size of 32 bits in a header is none, but what a writer puts there that can't know
  /// it, or that was killed before it did.
  ///
  /// 0 and 0xFFFFFFFF are the common ones, the latter also less the header's own bytes; 0x7ffff000
  /// is sox's and espeak's, 2 GiB that of arecord.
  static func isPlaceholder(_ size: UInt32) -> Bool {
    switch size {
    case 0, 0x7fff_efdc...0x7fff_f024, 0x7fff_ff00...0x8000_0000, 0xffff_ff00...: true
    default: false
    }
  }
}

/// What a `fmt ` chunk says.
struct WaveFormatChunk: Equatable {
  /// Bytes of the chunk that are of use: a WAVEFORMATEXTENSIBLE.
  static let usefulBytes = 40

  var format: StreamFormat
  var sampleFormat: SampleFormat

  /// Why a header can't be read; a sentence without its subject.
  struct Refusal: Error {
    var reason: String
    /// Whether no program can mean such a format.
    var isNonsense = false
  }

  /// Reads a chunk; `bytes` are its first ``usefulBytes``, or all if it has fewer.
  ///
  /// Byte rate and block align follow from the other fields, and often are wrong: they are not
  /// believed.
  init(_ bytes: [UInt8], isBigEndian: Bool) throws(Refusal) {
    guard let fields = WaveFormatFields(bytes, isBigEndian: isBigEndian) else {
      throw Refusal(
        reason: "has a format chunk of \(bytes.count) bytes, which is too short", isNonsense: true)
    }
    let (channelCount, sampleRate, bits) = (fields.channelCount, fields.sampleRate, fields.bits)
    guard 1...1024 ~= channelCount else {
      throw Refusal(reason: "claims \(channelCount) channels", isNonsense: true)
    }
    // Far above any sound; the bound keeps rates times frame sizes in 32 bits.
    guard 1...10_000_000 ~= sampleRate else {
      throw Refusal(reason: "claims a rate of \(sampleRate) Hz", isNonsense: true)
    }
    let codec = try Self.codec(fields, bytes, isBigEndian)
    if bits == 24 && fields.frameBytes == 4 * channelCount {
      throw Refusal(reason: "has 24 bits in four bytes, and writers disagree which four")
    }
    guard let sampleFormat = SampleFormat(codec: codec, bits: bits, isBigEndian: isBigEndian) else {
      // Of the samples of other codecs, 0 bits may be said.
      throw Refusal(
        reason: "has \(Self.name(ofCodec: codec)) samples of \(bits) bits",
        isNonsense: bits == 0 && [WaveFormatFields.pcm, WaveFormatFields.float].contains(codec))
    }
    self.format = StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
    self.sampleFormat = sampleFormat
  }

  /// The codec, which an extensible chunk names by the start of a GUID.
  private static func codec(
    _ fields: WaveFormatFields, _ bytes: [UInt8], _ isBigEndian: Bool
  ) throws(Refusal) -> Int {
    guard fields.codec == WaveFormatFields.extensible else { return fields.codec }
    guard bytes.count >= usefulBytes else {
      throw Refusal(reason: "has an extensible format chunk that is too short")
    }
    // The rest of the GUID says whether its start is a codec of the old list.
    let oldCodecs: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    guard bytes[26..<40].elementsEqual(oldCodecs) else {
      throw Refusal(reason: "has samples of a format that is known by its GUID alone")
    }
    return Int(UInt16(bytes[24..<26], isBigEndian: isBigEndian))
  }

  /// What people call a codec; the numbers are those of RFC 2361.
  private static func name(ofCodec codec: Int) -> String {
    switch codec {
    case WaveFormatFields.pcm: "PCM"
    case 2: "MS ADPCM"
    case WaveFormatFields.float: "float"
    case 6: "A-law"
    case 7: "µ-law"
    case 0x11: "IMA ADPCM"
    case 0x31: "GSM 6.10"
    case 0x50: "MPEG"
    case 0x55: "MP3"
    case 0x161: "WMA"
    default: "codec 0x" + String(codec, radix: 16)
    }
  }
}

extension SampleFormat {
  /// The format of a WAV codec's samples; `nil` if there is none here.
  ///
  /// Samples of odd widths fill the high bits of the next whole bytes.
  fileprivate init?(codec: Int, bits: Int, isBigEndian: Bool) {
    switch (codec, bits) {
    case (WaveFormatFields.pcm, 1...8): self = .u8
    case (WaveFormatFields.pcm, 9...16): self = isBigEndian ? .s16be : .s16le
    case (WaveFormatFields.pcm, 17...24): self = isBigEndian ? .s24be : .s24le
    case (WaveFormatFields.pcm, 25...32): self = isBigEndian ? .s32be : .s32le
    case (WaveFormatFields.float, 32): self = isBigEndian ? .f32be : .f32le
    case (WaveFormatFields.float, 64): self = isBigEndian ? .f64be : .f64le
    default: return nil
    }
  }
}
