/// The little-endian bytes of samples.
public func bytes(of samples: some Sequence<Int16>) -> [UInt8] {
  samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
}

/// The samples of little-endian bytes; fails if half a sample is left over.
public func samples(of bytes: some RandomAccessCollection<UInt8>) throws -> [Int16] {
  let bytes = [UInt8](bytes)
  guard bytes.count.isMultiple(of: 2) else { throw LabError("half a sample at the end") }
  return stride(from: 0, to: bytes.count, by: 2).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

/// The first place where two pieces of sound differ, or `nil` if they are the same.
///
/// To be compared with `nil` in a test, whose report would else hold all the samples.
public func firstDifference(_ one: [Int16], _ other: [Int16]) -> Int? {
  if one == other { return nil }
  return zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset
    ?? min(one.count, other.count)
}

/// A WAV file of 16-bit PCM, read field by field and independently of the code under test.
public struct WaveFile: Sendable, Equatable {
  /// Channels in a frame.
  public let channels: Int
  /// Frames per second, in hertz.
  public let rate: Int
  /// The samples, interleaved.
  public let samples: [Int16]

  /// Reads a WAV whose header is the plain one: 44 bytes, `fmt ` first, nothing else.
  ///
  /// The header of a pipe, which knows no sizes, is `streaming`. An error names the first field
  /// that is wrong.
  public init(_ file: [UInt8], streaming: Bool = false) throws {
    func number(_ place: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
    }
    func expect(_ isRight: Bool, _ field: String) throws {
      if !isRight { throw LabError("WAV header: \(field) is wrong: \(file.prefix(44))") }
    }
    guard file.count >= 44 else { throw LabError("\(file.count) bytes are no WAV file") }
    func tag(_ place: Int) -> String { String(decoding: file[place..<place + 4], as: UTF8.self) }
    try expect(tag(0) == "RIFF" && tag(8) == "WAVE", "RIFF")
    try expect(tag(12) == "fmt " && number(16, 4) == 16, "fmt")
    try expect(number(20, 2) == 1, "format tag")
    channels = number(22, 2)
    rate = number(24, 4)
    try expect(channels > 0 && rate > 0, "channels or rate")
    try expect(number(28, 4) == rate * channels * 2, "byte rate")
    try expect(number(32, 2) == channels * 2, "block align")
    try expect(number(34, 2) == 16, "bits")
    try expect(tag(36) == "data", "data")
    if streaming {
      try expect(number(4, 4) == 0xFFFF_FFFF && number(40, 4) == 0xFFFF_FFFF, "streaming sizes")
    } else {
      try expect(number(40, 4) == file.count - 44, "data size")
      try expect(number(4, 4) == file.count - 8, "RIFF size")
    }
    samples = try Lab.samples(of: file[44...])
  }
}
