internal import SplitcapCore

/// How the sound of a stream lies in it, found by a look at its start.
struct StreamHeader {
  var layout: WaveLayout
  /// Whether the stream says so itself.
  var isWave: Bool

  /// Reads up to the first byte of sound; what was read too much stays in `held`.
  ///
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat`, `sourceUnavailable` if nothing comes,
  ///   `cancelled`, or what a read throws.
  static func find(
    in input: inout StreamInput, held: inout HeldBytes, headerless: HeaderlessFormat?,
    isCancelled: () -> Bool
  ) throws(SplitcapError) -> StreamHeader {
    var parser = WaveHeaderParser()
    var isAtEnd = false
    while parser.outcome == .incomplete && !isAtEnd {
      switch try held.fill(from: &input, limit: .max) {
      case .bytes: held.feed(&parser)
      case .nothing: break
      case .end: isAtEnd = true
      }
      if isCancelled() { throw SplitcapError(.cancelled, "gave up waiting for \(input.name)") }
    }
    switch parser.outcome {
    case .complete(let layout):
      return StreamHeader(layout: layout, isWave: true)
    case .refused(let reason):
      throw SplitcapError(refused: input.name, because: reason)
    case .incomplete where parser.isWave:
      try waitForEnd(of: &input, isCancelled)
      throw SplitcapError(refused: input.name, because: "ends before its sound starts")
    case .incomplete where parser.prefix.isEmpty:
      try waitForEnd(of: &input, isCancelled)
      throw SplitcapError(
        .sourceUnavailable, "\(input.name) is empty: no sound came from it",
        hint: "did what should have written it fail?")
    case .incomplete, .notWave:
      guard let headerless else {
        throw SplitcapError(
          .unsupportedFormat, "what comes from \(input.name) has no WAV header",
          hint: "give its rate with --input-rate HZ if it is sound without a header, "
            + "else convert it, as with 'ffmpeg -i IN -f wav -'")
      }
      held.insertFirst(parser.prefix)
      if let kind = held.fileKind {
        throw SplitcapError(
          .unsupportedFormat, "\(input.name) is a sound file (\(kind)), not sound without a header",
          hint: "leave out --input-rate to read such a file; convert such a stream, as with "
            + "'ffmpeg -i IN -f wav -'")
      }
      return StreamHeader(layout: headerless.layout, isWave: false)
    }
  }

  /// A program that failed has more to say than that its sound is missing.
  private static func waitForEnd(
    of input: inout StreamInput, _ isCancelled: () -> Bool
  ) throws(SplitcapError) {
    while !isCancelled() {
      if try input.hasEnded(failingAs: .sourceUnavailable) { return }
    }
  }
}

extension StreamSource {
  /// Whether the file at `path` is one that a stream source reads: WAV with samples that it knows.
  ///
  /// What can't be wound back, such as a FIFO, is left untouched; nothing else can read it.
  /// A file that can't be opened is none.
  package static func canRead(_ path: String) -> Bool {
    // To open a FIFO and to close it again would end its writer.
    guard let kind = try? Descriptor.kind(ofPath: path) else { return false }
    guard kind == .file else { return true }
    guard var input = try? StreamInput.open(.file(path)) else { return false }
    var parser = WaveHeaderParser()
    var held = HeldBytes(capacity: 1 << 16)
    // Far more than the pictures that some put before the sound.
    for _ in 0..<1024 {
      guard parser.outcome == .incomplete, case .bytes = try? held.fill(from: &input, limit: .max)
      else { break }
      held.feed(&parser)
    }
    switch parser.outcome {
    // No other reader is asked for the latter, so that what is said does not depend on the reader.
    case .complete, .refused(WaveHeaderParser.tooManyChunks): return true
    default: return false
    }
  }
}
