private import CSndFile
private import SplitcapCore

/// One word for what the samples of a file are, whatever reads it.
enum CodecWord {
  /// The word of a codec of libsndfile's.
  ///
  /// Plain samples have that of headerless ones with their lowest byte first: which byte is first
  /// is the container's matter.
  ///
  /// - Parameter format: What `SF_INFO` tells.
  /// - Returns: The word; libsndfile's name of a codec that is rarely met.
  static func word(for format: Int32) -> String {
    let codec = Int(format & Int32(SF_FORMAT_SUBMASK))
    return plain[codec]?.rawValue ?? compressed[codec] ?? SoundFileReader.codecName(format)
  }

  private static let plain: [Int: SampleFormat] = [
    SF_FORMAT_PCM_U8: .u8, SF_FORMAT_PCM_S8: .s8, SF_FORMAT_PCM_16: .s16le,
    SF_FORMAT_PCM_24: .s24le, SF_FORMAT_PCM_32: .s32le, SF_FORMAT_FLOAT: .f32le,
    SF_FORMAT_DOUBLE: .f64le, SF_FORMAT_ALAC_16: .s16le, SF_FORMAT_ALAC_24: .s24le,
    SF_FORMAT_ALAC_32: .s32le,
  ]

  private static let compressed: [Int: String] = [
    SF_FORMAT_VORBIS: "vorbis", SF_FORMAT_OPUS: "opus", SF_FORMAT_MPEG_LAYER_I: "mp1",
    SF_FORMAT_MPEG_LAYER_II: "mp2", SF_FORMAT_MPEG_LAYER_III: "mp3", SF_FORMAT_ULAW: "ulaw",
    SF_FORMAT_ALAW: "alaw",
  ]
}
