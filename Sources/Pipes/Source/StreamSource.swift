package import SplitcapCore

/// Sound from a stream that can't be wound back: standard input, a FIFO, a program, a file.
///
/// The stream is WAV, or has no header and is what the user says. A WAV header's size is believed
/// unless it is one that no writer means; what follows the sound is read and not used, so that a
/// producer is never stopped by a closed pipe.
package struct StreamSource: ~Copyable, CaptureSource {
  /// Where a stream comes from.
  package enum Origin: Sendable, Equatable {
    /// A file, FIFO or character device.
    case file(String)
    /// Descriptor 0, which `/dev/null` takes the place of.
    case standardInput
    /// What `/bin/sh -c` runs for this command.
    case program(String)
  }

  private var input: StreamInput
  private var held: HeldBytes
  private let sampleFormat: SampleFormat
  private let channelCount: Int
  private let frameBytes: Int
  /// Bytes of sound that the header promises and that were not read yet; `nil` without a promise.
  private var remaining: Int?
  private var stage = Stage.sound
  /// Frames of the stream that were handed on.
  private var delivered = 0
  private var endNotes: [String] = []

  /// What this source is and delivers.
  package let info: SourceInfo

  private enum Stage {
    case sound
    /// What comes behind the sound is read over.
    case trailer
    /// The program behind the stream is about to end.
    case program
    case over
  }

  /// Opens a stream and waits until its header, or its first sound, is there.
  ///
  /// - Parameters:
  ///   - origin: Where it comes from.
  ///   - headerless: What it is if it has no header; a header wins over it.
  ///   - isCancelled: Asked every 100 ms while nothing comes.
  /// - Throws: ``SplitcapError`` of kind `sourceUnavailable` or `permissionDenied` if it can't be
  ///   opened, is empty, or its program fails; `unsupportedFormat` if it can't be read;
  ///   `cancelled`; else `backend`.
  package init(
    _ origin: Origin, headerless: HeaderlessFormat? = nil, isCancelled: () -> Bool = { false }
  ) throws(SplitcapError) {
    var input = try StreamInput.open(origin)
    var held = HeldBytes(capacity: 1 << 16)
    let header = try StreamHeader.find(
      in: &input, held: &held, headerless: headerless, isCancelled: isCancelled)
    let layout = header.layout

    var notes: [String] = []
    if header.isWave && headerless != nil {
      notes.append("the WAV header of \(input.name) is used in place of the given format")
    }
    if !layout.sampleFormat.fitsIn16Bits {
      notes.append("samples are rounded from \(layout.sampleFormat.rawValue) to 16 bits")
    }
    info = SourceInfo(
      backend: origin.backend(isFile: input.isFile), name: origin.argument,
      description: input.name, format: layout.format,
      native: SourceInfo.Native(
        channelCount: layout.format.channelCount, sampleRate: layout.format.sampleRate,
        sampleFormat: layout.sampleFormat.rawValue),
      ears: ChannelPair(left: 0, right: layout.format.channelCount > 1 ? 1 : 0),
      isLive: false, notes: notes)
    sampleFormat = layout.sampleFormat
    channelCount = layout.format.channelCount
    frameBytes = channelCount * sampleFormat.byteCount
    if let promised = layout.dataBytes {
      held.keepFirst(promised)
      remaining = promised - held.count
    }
    input.events?.sampleRate = layout.format.sampleRate
    self.held = held
    self.input = input
  }

  /// What a user should know that showed while reading.
  package var closingNotes: [String] { endNotes + (input.events?.notes(input.name) ?? []) }

  /// What the program behind the stream warns of.
  package mutating func takeWarnings() -> [String] { input.events?.takeWarnings() ?? [] }

  /// Reads what is there; see ``CaptureSource/read(into:)``.
  ///
  /// - Throws: ``SplitcapError`` of kind `sourceLost` if the program behind the stream failed, else
  ///   `backend`.
  package mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    precondition(buffer.count >= channelCount, "no room for a frame")
    if let gap = nextGap() { return gap }
    if input.events?.takeNews() == true { return .nothing }
    switch stage {
    case .sound:
      if held.count >= frameBytes { return .frames(takeHeld(into: &buffer)) }
      if remaining == 0 {
        endSound(next: input.isFile ? .program : .trailer)
        return .nothing
      }
      return try readSound(into: &buffer)
    case .trailer:
      held.keepFirst(0)
      if case .end = try held.fill(from: &input, limit: .max) { stage = .program }
      return .nothing
    case .program:
      let kind = delivered > 0 ? SplitcapError.Kind.sourceLost : .sourceUnavailable
      guard try input.hasEnded(failingAs: kind) else { return .nothing }
      if let gap = nextGap() { return gap }
      stage = .over
      return .end
    case .over:
      return .end
    }
  }

  /// The gap that stands in front of the next frame, if there is one.
  private mutating func nextGap() -> ReadResult? {
    guard stage != .over, let frames = input.events?.takeGap(at: delivered) else { return nil }
    return .gap(Gap(frames: frames, cause: .source))
  }

  private mutating func readSound(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    // What a program may tell of gaps in it is held, so that it can be parted.
    if sampleFormat == .s16le && input.events == nil { return try readStraight(into: &buffer) }
    let result = try held.fill(from: &input, limit: remaining ?? .max)
    guard bytesRead(result) > 0, held.count >= frameBytes else { return .nothing }
    if let gap = nextGap() { return gap }
    return .frames(takeHeld(into: &buffer))
  }

  /// Reads samples that need no conversion to where they are wanted.
  private mutating func readStraight(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    let room = buffer.count / channelCount * frameBytes
    var bytes = unsafe buffer.mutableBytes
    // The start of a frame, whose rest is still to come.
    let start = held.count
    held.copy(to: &bytes)
    var part = bytes._mutatingExtracting(start..<(start + min(room - start, remaining ?? .max)))
    let count = bytesRead(try input.read(into: &part))
    guard count > 0 else { return .nothing }
    let (frames, rest) = (start + count).quotientAndRemainder(dividingBy: frameBytes)
    held.replace(with: bytes.bytes.extracting((frames * frameBytes)...).extracting(first: rest))
    delivered += frames
    return frames > 0 ? .frames(frames) : .nothing
  }

  /// Counts what was read, and notes the end.
  private mutating func bytesRead(_ result: StreamInput.Result) -> Int {
    switch result {
    case .bytes(let count):
      remaining? -= count
      return count
    case .nothing: return 0
    case .end:
      endSound(next: .program)
      return 0
    }
  }

  /// Delivers whole frames that were read before.
  private mutating func takeHeld(into buffer: inout MutableSpan<Int16>) -> Int {
    let next = input.events?.nextGap ?? .max
    let frames = min(held.count / frameBytes, buffer.count / channelCount, next - delivered)
    held.take(samples: frames * channelCount, of: sampleFormat, into: &buffer)
    delivered += frames
    return frames
  }

  private mutating func endSound(next: Stage) {
    stage = next
    if held.count > 0 {
      endNotes.append(
        "\(input.name) ends in the middle of a frame; its last bytes, \(held.count) of "
          + "\(frameBytes), were dropped")
    }
    if let remaining, remaining >= frameBytes {
      endNotes.append(
        "\(input.name) ends \(remaining / frameBytes) frames before the length in its header")
    }
  }
}

extension StreamSource.Origin {
  /// What opens the stream again, as an argument of `--input`.
  var argument: String {
    switch self {
    case .file(let path): path
    case .standardInput: "-"
    case .program(let command): "exec:" + command
    }
  }

  /// What the stream is called in messages.
  var name: String {
    switch self {
    case .file(let path): "'\(path)'"
    case .standardInput: "standard input"
    case .program(let command): "program '\(command)'"
    }
  }

  /// What opening it is called in messages.
  var verb: String {
    if case .program = self { "start" } else { "read" }
  }

  func backend(isFile: Bool) -> SourceInfo.Backend {
    switch self {
    case .file: isFile ? .file : .pipe
    case .standardInput: .pipe
    case .program: .program
    }
  }
}
