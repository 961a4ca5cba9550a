internal import SplitcapCore

/// What `verify` found, for a person.
struct VerifyReport {
  private let result: Verification
  private let limit = Verification.silenceLimit.timeText
  /// Gaps that are listed one by one.
  private static let listed = 20

  init(_ result: Verification) { self.result = result }

  /// The whole report.
  var text: String {
    var text = ear("left ", result.left) + ear("right", result.right)
    text += start + gaps
    return text + (result.findings.isEmpty ? "fine: the ears belong together\n" : findings)
  }

  /// What is not as it should be, a line each; empty if all is well.
  var findings: String {
    let findings = result.findings
    var text = ""
    for finding in findings.prefix(Self.listed) { text += "wrong: \(words(for: finding))\n" }
    if findings.count > Self.listed {
      text += "wrong: and \(findings.count - Self.listed) more\n"
    }
    return text
  }

  private func ear(_ name: String, _ ear: Verification.EarFacts) -> String {
    let seconds = Numbers.seconds(ear.format.seconds(frames: ear.frames))
    let peak =
      ear.peakDecibels == -.infinity ? "-inf" : Numbers.fixed(ear.peakDecibels, decimals: 1)
    return "\(name)  \(ear.path.printable): \(ear.format.sampleRate) Hz, "
      + "\(ear.formatWord.printable), \(ear.frames) frames, \(seconds) s, peak \(peak) dBFS\n"
  }

  private var start: String {
    guard let events = result.events, let start = events.start else { return "" }
    let first = events.left.firstFrame
    return "start  \(start.printable)" + (first > 0 ? ", frame \(first) of the recording\n" : "\n")
  }

  private var gaps: String {
    // There are none that both files could have at the same place.
    if let events = result.events, !events.isAligned { return "" }
    let isTold = result.events != nil
    let (count, frames) = (result.gapCount, result.gapFrames)
    var text =
      switch (isTold, count) {
      case (true, 0): "gaps   none, as the events say\n"
      case (true, _): "gaps   \(count), \(frames) frames, as the events say\n"
      case (false, 0): "gaps   none: no zeros in both ears for more than \(limit)\n"
      case (false, _):
        "zeros  \(count) in both ears for more than \(limit), \(frames) frames: lost, or a source "
          + "that was silent\n"
      }
    let ranges =
      isTold
      ? result.comparison.claims.prefix(Self.listed).map { ($0.range, ", \($0.cause.printable)") }
      : result.comparison.silences.first.prefix(Self.listed).map { ($0, "") }
    for (range, cause) in ranges { text += "       \(place(range))\(cause)\n" }
    if count > ranges.count { text += "       and \(count - ranges.count) more\n" }
    return text
  }

  /// Where a stretch of frames is.
  private func place(_ range: Range<Int>) -> String {
    func seconds(_ frames: Int) -> String {
      Numbers.seconds(Double(frames) / Double(result.gapRate))
    }
    return "frame \(range.lowerBound) (\(seconds(range.lowerBound)) s): \(range.count) frames "
      + "(\(seconds(range.count)) s)"
  }

  /// What a finding says.
  func words(for finding: Verification.Finding) -> String {
    let (left, right) = (result.left, result.right)
    switch finding {
    case .rate:
      return "the rates differ: \(left.format.sampleRate) and \(right.format.sampleRate) Hz"
    case .format:
      return "the sample formats differ: \(left.formatWord.printable) and "
        + "\(right.formatWord.printable)"
    case .length:
      let more = abs(left.frames - right.frames)
      return "the \(left.frames < right.frames ? "left" : "right") ear is \(more) "
        + "frame\(more == 1 ? "" : "s") shorter"
    case .damaged(let ear):
      let facts = ear == .left ? left : right
      return "\(facts.path.quoted) is damaged: "
        + facts.damages.map(\.printable).joined(separator: "; ")
    case .deadEar(let ear): return "the \(ear) ear is dead: nothing but zeros"
    case .identicalEars: return "both ears are the same, sample for sample"
    case .gapMissing(let gap):
      let missing = gap.range.count - gap.frames
      return "the gap at \(place(gap.range)) is not in the files: "
        + (gap.soundFrames > 0
          ? "\(gap.soundFrames) of its frames are not silent"
          : "\(missing) of its frames are behind the end")
    case .eventsDiffer(let why): return why
    case .eventsMissing:
      return "events were left out, since their reader was too slow: there may be more gaps"
    }
  }
}

extension Verification.Finding {
  /// A word for programs.
  var code: String {
    switch self {
    case .rate: "rate"
    case .format: "format"
    case .length: "length"
    case .damaged: "damaged"
    case .deadEar: "dead-ear"
    case .identicalEars: "identical-ears"
    case .gapMissing: "gap-missing"
    case .eventsDiffer: "events-differ"
    case .eventsMissing: "events-missing"
    }
  }
}
