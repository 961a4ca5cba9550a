/// Makes stretches of speech out of hops, on one ear.
struct SpanTracker: Sendable {
  /// What has been found, in hops.
  enum Finding: Sendable, Equatable {
    /// Speech has begun, not before this hop.
    case began(Int)
    /// It is over.
    case ended(Range<Int>)
  }

  /// Hops of the last ten that must sound like an onset for speech to begin.
  private static let onsetHops = 6
  /// Hops that sound like an onset in the shortest utterance: a tap or a click has fewer.
  private static let shortestHops = 12
  /// Speech ends this many dB below the loudest of the last seconds: what is fainter is the room.
  private static let range: Float = 30
  private static let rangeHops = 300
  /// How far an onset is looked for behind the place where it was noticed, in hops.
  private static let reach = 40

  private struct Span {
    var start: Int
    var last: Int
    var onsets: Int
    var isTold = false
    /// From ``start`` on.
    var levels: [Float] = []
  }

  private let silence: Int
  private let longest: Int
  private var span: Span?
  /// Bits of the last hops, the newest lowest.
  private var onsets: UInt64 = 0
  private var sustained: UInt64 = 0
  private var levels: [Float] = []

  /// Makes a tracker.
  ///
  /// - Parameters:
  ///   - silence: Hops without speech that end a stretch.
  ///   - longest: Hops after which it is cut.
  init(silence: Int, longest: Int) {
    self.silence = silence
    self.longest = longest
  }

  /// The first hop that a stretch to come, or the one under way, may begin with.
  func earliest(at hop: Int) -> Int { span?.start ?? max(0, hop - Self.reach - 10) }

  /// Takes the next hop.
  ///
  /// - Parameters:
  ///   - hop: What is known of it.
  ///   - index: Its number.
  ///   - ahead: Hops behind it of which it is known that nothing goes on there.
  /// - Returns: What that tells.
  mutating func take(_ hop: EarListener.Hop, _ index: Int, ahead: Int) -> [Finding] {
    onsets = onsets << 1 | (hop.isOnset ? 1 : 0)
    sustained = sustained << 1 | (hop.isSustained ? 1 : 0)
    levels.append(hop.level)
    if levels.count > Self.reach + 10 { levels.removeFirst() }
    guard span != nil else {
      begin(index)
      return []
    }
    return goOn(hop, index, ahead: ahead)
  }

  /// The end of all sound.
  mutating func finish() -> [Finding] { end() }

  private mutating func begin(_ index: Int) {
    guard (onsets & 0x3FF).nonzeroBitCount >= Self.onsetHops else { return }
    // From the first of these ten that is loud enough, back to where that began.
    var back = 63 - (sustained & 0x3FF).leadingZeroBitCount
    while back < min(Self.reach, index) && sustained >> UInt64(back + 1) & 1 == 1 { back += 1 }
    back = min(back, index, levels.count - 1)
    span = Span(
      start: index - back, last: index, onsets: Self.onsetHops, levels: levels.suffix(back + 1))
  }

  private mutating func goOn(
    _ hop: EarListener.Hop, _ index: Int, ahead: Int
  ) -> [Finding] {
    var findings: [Finding] = []
    span!.levels.append(hop.level)
    if hop.isOnset { span!.onsets += 1 }
    let peak = span!.levels.suffix(Self.rangeHops).max() ?? 0
    // Not a single hop that noise made loud.
    if hop.isSustained && hop.level > peak - Self.range && (sustained & 0x1F).nonzeroBitCount >= 3 {
      span!.last = index
    }
    if !span!.isTold && span!.onsets >= Self.shortestHops {
      span!.isTold = true
      findings.append(.began(span!.start))
    }
    if index + ahead - span!.last >= silence {
      findings += end()
    } else if index - span!.start >= longest {
      // What is no speech after all this time will be none.
      if span!.isTold { findings += cut() } else { span = nil }
    }
    return findings
  }

  private mutating func end() -> [Finding] {
    guard let span = span.take(), span.isTold else { return [] }
    onsets = 0
    return [.ended(trimmed(span.levels, from: span.start)..<span.last + 1)]
  }

  /// Where it is first as loud as speech is beside its loudest; a room may be heard before that.
  private func trimmed(_ levels: [Float], from start: Int) -> Int {
    let limit = (levels.max() ?? 0) - Self.range
    return start + (levels.firstIndex { $0 > limit } ?? 0)
  }

  /// Ends it at its quietest place in its last third; it goes on from there.
  private mutating func cut() -> [Finding] {
    guard let long = span else { return [] }
    let third = long.levels.count / 3
    let places = (long.levels.count - third)..<(long.levels.count - 10)
    let place =
      places.min {
        long.levels[$0 - 5..<$0 + 5].reduce(0, +) < long.levels[$1 - 5..<$1 + 5].reduce(0, +)
      } ?? long.levels.count - 1
    let border = long.start + place
    var rest = Span(start: border, last: max(long.last, border), onsets: Self.shortestHops)
    rest.isTold = true
    rest.levels = Array(long.levels[place...])
    span = rest
    return [
      .ended(trimmed(Array(long.levels[..<place]), from: long.start)..<border), .began(border),
    ]
  }
}
