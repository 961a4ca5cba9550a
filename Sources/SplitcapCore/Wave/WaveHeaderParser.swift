/// Reads the header of a WAV stream, in pieces of any size, up to its first byte of sound.
///
/// It knows RIFF, its big-endian form RIFX, and RF64 and BW64 for more than 4 GiB. Chunks that it
/// has no use for are read over, wherever they stand. No header makes it fail other than by
/// ``Outcome/refused(_:)``: bytes come from strangers.
///
/// The source of the layout is "Multimedia Programming Interface and Data Specifications 1.0"
/// (IBM, Microsoft, 1991), of RF64 it is EBU Tech 3306.
package struct WaveHeaderParser: Sendable {
  /// What the bytes so far make.
  package enum Outcome: Sendable, Equatable {
    /// The start of a header, if it is one; more bytes will tell.
    case incomplete
    /// A header; the sound starts behind the bytes that were consumed.
    case complete(WaveLayout)
    /// No WAV stream: ``WaveHeaderParser/prefix`` is all that was consumed.
    case notWave
    /// A WAV stream that can't be read; a sentence without its subject, such as "claims 0 channels".
    case refused(_ reason: String)
  }

  /// Chunks that are looked through for the sound; more than any program writes.
  static let chunkLimit = 1_000
  /// The reason for which a stream with more chunks before its sound is refused.
  package static let tooManyChunks = "has more than \(chunkLimit) chunks before its sound"

  private enum Step {
    /// The 12 bytes that start every stream.
    case start
    /// Name and size of a chunk.
    case chunkHeader
    /// What of the `fmt ` chunk is of use.
    case format
    /// What of the `ds64` chunk is of use.
    case largeSizes
  }

  private var step = Step.start
  /// Bytes of the step, until there are ``wanted`` of them.
  private var collected: [UInt8] = []
  private var wanted = 12
  /// Bytes of the chunk behind those that the step wants.
  private var restOfChunk: UInt64 = 0
  /// Bytes to read over before the next step.
  private var toSkip: UInt64 = 0

  /// Chunks before the sound so far.
  private var chunkCount = 0
  private var isBigEndian = false
  private var has64BitSizes = false
  /// The size of the sound in a stream with 64-bit sizes.
  private var largeDataBytes: UInt64 = 0
  private var format: WaveFormatChunk?

  /// The first bytes of the stream, at most 12; what is no WAV stream may start with them as sound.
  package private(set) var prefix: [UInt8] = []

  /// What the bytes so far make.
  package private(set) var outcome = Outcome.incomplete

  /// Makes a parser at the start of a stream.
  package init() {}

  /// Whether a WAV stream has begun, even if its header is not complete.
  package var isWave: Bool { prefix.count == 12 && outcome != .notWave }

  /// Takes the next bytes of the stream.
  ///
  /// - Returns: How many of them belong to the header: all while ``outcome`` stays `incomplete`.
  /// - Complexity: O(*n*) in bytes. Keeps at most 40 of them.
  package mutating func feed(_ bytes: RawSpan) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      var consumed = 0
      while outcome == .incomplete && consumed < bytes.count {
        if toSkip > 0 {
          let skipped = min(toSkip, UInt64(bytes.count - consumed))
          toSkip -= skipped
          consumed += Int(skipped)
        } else {
          unsafe collected.append(bytes[consumed])
          consumed += 1
          take()
        }
      }
      return consumed
    }
  }

  /// Acts on ``collected``, which has grown by a byte.
  private mutating func take() {
    if case .start = step {
      prefix = collected
      guard Self.canStart(collected) else { return outcome = .notWave }
    }
    guard collected.count == wanted else { return }
    do throws(WaveFormatChunk.Refusal) {
      switch step {
      case .start: startChunks()
      case .chunkHeader: try startChunk()
      case .format:
        format = try WaveFormatChunk(collected, isBigEndian: isBigEndian)
        endChunk()
      case .largeSizes:
        // The size of the whole stream comes first.
        largeDataBytes = UInt64(collected[8..<16], isBigEndian: false)
        endChunk()
      }
    } catch {
      outcome = .refused(error.reason)
    }
    collected.removeAll(keepingCapacity: true)
  }

  /// Whether a stream may start so.
  static func canStart(_ bytes: [UInt8]) -> Bool {
    ["RIFF", "RIFX", "RF64", "BW64"].contains { $0.utf8.starts(with: bytes.prefix(4)) }
      && "WAVE".utf8.starts(with: bytes.dropFirst(8))
  }

  private mutating func startChunks() {
    switch name {
    case "RIFX": isBigEndian = true
    case "RF64", "BW64": has64BitSizes = true
    default: break
    }
    (step, wanted) = (.chunkHeader, 8)
  }

  private mutating func startChunk() throws(WaveFormatChunk.Refusal) {
    let size = UInt32(collected[4..<8], isBigEndian: isBigEndian)
    if name != "data" {
      chunkCount += 1
      guard chunkCount <= Self.chunkLimit else { throw .init(reason: Self.tooManyChunks) }
    }
    switch name {
    case "fmt ":
      guard size > 0 else { throw .init(reason: "has an empty format chunk") }
      keep(WaveFormatChunk.usefulBytes, of: size, as: .format)
    case "ds64" where has64BitSizes && size >= 16:
      keep(16, of: size, as: .largeSizes)
    case "data":
      guard let format else { throw .init(reason: "has its sound before its format") }
      outcome = .complete(
        WaveLayout(
          format: format.format, sampleFormat: format.sampleFormat, dataBytes: dataBytes(size)))
    default:
      toSkip = Self.padded(size)
    }
  }

  /// Collects the first bytes of a chunk next.
  private mutating func keep(_ useful: Int, of size: UInt32, as step: Step) {
    self.step = step
    wanted = min(useful, Int(size))
    restOfChunk = Self.padded(size) - UInt64(wanted)
  }

  private mutating func endChunk() {
    toSkip = restOfChunk
    (step, wanted) = (.chunkHeader, 8)
  }

  private func dataBytes(_ size: UInt32) -> Int? {
    if has64BitSizes && size == .max {
      return largeDataBytes == 0 ? nil : Int(exactly: largeDataBytes)
    }
    return WaveLayout.isPlaceholder(size) ? nil : Int(size)
  }

  /// A chunk's bytes in the stream: even.
  private static func padded(_ size: UInt32) -> UInt64 { UInt64(size) + UInt64(size & 1) }

  private var name: String { String(decoding: collected.prefix(4), as: UTF8.self) }
}
