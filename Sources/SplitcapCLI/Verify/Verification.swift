internal import SplitcapCore

/// What a comparison of two ears has found.
struct Verification: Sendable {
  /// One ear's file.
  struct EarFacts: Sendable {
    let path: String
    let format: StreamFormat
    /// One word for what its samples are: a ``SampleFormat``'s, or that of a codec.
    let formatWord: String
    let frames: Int
    /// Peak of what was compared, in dBFS.
    let peakDecibels: Double
    /// What is wrong with the file.
    let damages: [String]
  }

  /// Something that is not as it should be.
  enum Finding: Sendable, Equatable {
    case rate
    case format
    case length
    case damaged(Ear)
    case deadEar(Ear)
    case identicalEars
    /// A gap that was told of, and is not in the files.
    case gapMissing(EarComparison.Claim)
    /// The events tell of another rate or length than the files have, or of other first frames.
    case eventsDiffer(String)
    /// Events were left out when they were written.
    case eventsMissing
  }

  let left: EarFacts
  let right: EarFacts
  let comparison: EarComparison
  /// `nil` if none were given.
  let events: EventAccount?

  /// How long zeros in both ears must last to be taken for a gap.
  static let silenceLimit = Duration.milliseconds(20)

  /// Reads both files to their ends.
  ///
  /// - Throws: ``SplitcapError`` if one can't be read, or is no ear's.
  init(_ options: VerifyOptions) throws(SplitcapError) {
    let events: EventAccount? =
      if let path = options.events {
        try EventAccount(path: path, left: options.left, right: options.right)
      } else {
        nil
      }
    var left = try EarFile(options.left)
    var right = try EarFile(options.right)
    let limit = left.info.format.frames(in: Self.silenceLimit)
    var comparison = EarComparison(silenceFrames: limit + 1, claims: events?.gaps ?? [])
    while true {
      try left.readBlock()
      try right.readBlock()
      let count = min(left.count, right.count)
      comparison.add(
        left: left.samples.span.extracting(first: count),
        right: right.samples.span.extracting(first: count))
      guard left.count == EarFile.blockFrames, right.count == EarFile.blockFrames else { break }
    }
    comparison.finish()
    // The longer one goes on alone.
    while !left.isOver { try left.readBlock() }
    while !right.isOver { try right.readBlock() }
    self.left = EarFacts(left, comparison.levels.left)
    self.right = EarFacts(right, comparison.levels.right)
    self.comparison = comparison
    self.events = events
  }

  /// What is not as it should be, the worst first.
  var findings: [Finding] {
    var findings: [Finding] = []
    if left.format.sampleRate != right.format.sampleRate { findings.append(.rate) }
    if left.frames != right.frames { findings.append(.length) }
    if let one = left.sampleFormat, let other = right.sampleFormat, !one.holdsSame(as: other) {
      findings.append(.format)
    }
    if !left.damages.isEmpty { findings.append(.damaged(.left)) }
    if !right.damages.isEmpty { findings.append(.damaged(.right)) }
    if !isAllGap { findings += comparison.deadEars.map(Finding.deadEar) }
    if comparison.isIdentical && comparison.deadEars.isEmpty && comparison.frames > 0 {
      findings.append(.identicalEars)
    }
    return findings + eventFindings
  }

  /// Where the files are not as the events tell.
  private var eventFindings: [Finding] {
    guard let events else { return [] }
    var findings: [Finding] = []
    if events.lacksEvents { findings.append(.eventsMissing) }
    if !events.isAligned {
      findings.append(
        .eventsDiffer(
          "the left ear's file begins at frame \(events.left.firstFrame) of the recording, the "
            + "right ear's at \(events.right.firstFrame)"))
    }
    // What a codec loses need not be exact zeros, nor keep the length.
    guard isExact else { return findings }
    if let rate = events.rate, rate != left.format.sampleRate {
      findings.append(.eventsDiffer("the events are those of a recording of \(rate) Hz"))
    }
    for (ear, facts, told) in [(Ear.left, left, events.left), (.right, right, events.right)] {
      guard let frames = told.frames, facts.frames != frames else { continue }
      findings.append(
        .eventsDiffer("the events tell of \(frames) frames, the \(ear) ear has \(facts.frames)"))
    }
    return findings + comparison.claims.filter { !$0.isTrue }.map(Finding.gapMissing)
  }

  /// Whether both files hold the samples that were recorded, not what a codec made of them.
  var isExact: Bool { left.sampleFormat != nil && right.sampleFormat != nil }

  /// Whether the events tell of no frame that was heard.
  private var isAllGap: Bool { events != nil && gapFrames >= comparison.frames }

  /// How many gaps there are, or stretches of zeros in both ears that look like them.
  var gapCount: Int { events == nil ? comparison.silences.count : comparison.claims.count }

  /// Hertz of the frames that gaps are counted in; an encoder may have changed the files' own.
  var gapRate: Int {
    guard let rate = events?.rate, rate > 0 else { return left.format.sampleRate }
    return rate
  }

  /// Frames of all gaps.
  var gapFrames: Int {
    events == nil
      ? comparison.silences.frames : comparison.claims.reduce(0) { $0 &+ $1.range.count }
  }
}

extension Verification.EarFacts {
  /// The format of plain samples, whatever container they are in; `nil` for what a codec decodes.
  var sampleFormat: SampleFormat? { SampleFormat(rawValue: formatWord) }

  fileprivate init(_ file: borrowing EarFile, _ level: BlockLevel) {
    path = file.path
    format = file.info.format
    formatWord = file.info.native?.sampleFormat ?? "unknown"
    frames = file.frames
    peakDecibels = level.peakDecibels
    damages = file.damages
  }
}

extension SampleFormat {
  /// Whether both hold the same values; the order of bytes, and where zero lies, is a container's
  /// matter.
  fileprivate func holdsSame(as other: SampleFormat) -> Bool {
    byteCount == other.byteCount && isFloat == other.isFloat
  }
}
