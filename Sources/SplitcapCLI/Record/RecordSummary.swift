internal import SplitcapCore

extension RecordingSummary {
  /// What the exit status says of this recording.
  var status: ExitStatus {
    if !sinks.isEmpty && sinks.allSatisfy({ $0.error != nil }) { return .noSinkLeft }
    if case .sourceFailed = ending { return .sourceLost }
    let areSinksWhole = sinks.allSatisfy { sink in
      sink.error == nil && sink.droppedFrames == 0 && sink.missedFrames == 0
    }
    let isWhole = gapCount == 0 && !isClockOff && areSinksWhole
    return isWhole ? .success : .incomplete
  }

  /// What was recorded in all, for a person.
  var headline: String {
    guard startNanoseconds != nil else { return "no sound was recorded" }
    let rate = source.format.sampleRate
    return "\(Numbers.count(frames, "frame")), \(seconds(frames)) s at \(rate) Hz, \(gaps)"
  }

  /// A line for each ear and each output, for a person.
  var details: [String] {
    guard startNanoseconds != nil else { return [] }
    let ears = [("left ", left), ("right", right)].map { ear, level in
      "  \(ear)  peak \(level.peakDecibels.decibels) dBFS, mean \(level.meanDecibels.decibels) dBFS"
        + (level.clippedCount > 0
          ? ", \(Numbers.count(level.clippedCount, "sample")) clipped" : "")
    }
    return ears + clock + sinks.map { "  " + line($0) }
  }

  private var clock: [String] {
    guard let drift else { return [] }
    let speed = drift < 0 ? "slower" : "faster"
    let amount = Int(abs(drift).rounded())
    return ["  clock  the device's is \(amount) ppm \(speed) than this machine's"]
  }

  private var gaps: String {
    switch gapCount {
    case 0: "no gaps"
    case _ where gapFrames == 0: "\(Numbers.count(gapCount, "gap")) left out"
    case 1: "1 gap of \(seconds(gapFrames)) s, filled with silence"
    default: "\(gapCount) gaps, \(seconds(gapFrames)) s of them filled with silence"
    }
  }

  private func line(_ sink: SinkSummary) -> String {
    var parts = [(sink.error == nil ? "" : "failed after ") + Numbers.count(sink.frames, "frame")]
    if let report = sink.report {
      let files = report.fileCount > 1 ? " in \(report.fileCount) files" : ""
      parts.append("\(report.bytes) bytes\(files)")
    }
    if sink.error == nil && sink.hasReaderLeft {
      parts.append("its reader left at \(seconds(sink.endFrame)) s")
    }
    if sink.droppedFrames > 0 && sink.frames > 0 {
      parts.append("too slow for \(Numbers.count(sink.droppedFrames, "frame"))")
    }
    if sink.restarts > 0 {
      parts.append(
        "started again \(sink.restarts == 1 ? "once" : "\(sink.restarts) times"), "
          + "\(Numbers.count(sink.missedFrames, "frame")) missed")
    }
    parts += sink.report?.notes ?? []
    return "\(sink.name): \(sink.feed), " + parts.joined(separator: ", ")
  }

  private func seconds(_ frames: Int) -> String {
    Numbers.seconds(source.format.seconds(frames: frames))
  }
}

extension Double {
  /// A level with one decimal, in a column; minus infinity is `-inf`.
  var decibels: String {
    let text = self == -.infinity ? "-inf" : Numbers.fixed(self, decimals: 1)
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}
