internal import SplitcapCore

/// What a meter shows, as text: a bar for each ear, and counts.
struct MeterLines {
  /// The level at the left end of a bar, in dBFS.
  private static let floor = -60.0
  /// How many drawings a peak is held for: 2 s.
  private static let holdDrawings = 20

  private let isColored: Bool
  private var held = [Hold(), Hold()]
  private var clippedCounts = [0, 0]

  private struct Hold {
    var decibels = -Double.infinity
    var age = 0
  }

  /// Starts with no peak held.
  init(isColored: Bool) { self.isColored = isColored }

  /// The lines for both ears; no wider than `width` columns.
  mutating func render(
    _ progress: RecordingProgress, _ format: StreamFormat, width: Int
  ) -> (left: String, right: String) {
    let counts = "gaps \(progress.gapCount)  queue \(seconds(progress.queuedFrames, format)) s"
    return (
      line("L", 0, progress.left, elapsed(progress.frames, format), width),
      line("R", 1, progress.right, counts, width)
    )
  }

  private mutating func line(
    _ name: String, _ ear: Int, _ level: BlockLevel, _ counts: String, _ width: Int
  ) -> String {
    let peak = level.peakDecibels
    held[ear].age += 1
    if peak >= held[ear].decibels || held[ear].age > Self.holdDrawings {
      held[ear] = Hold(decibels: peak)
    }
    clippedCounts[ear] += level.clippedCount
    let clip = clippedCounts[ear] > 0 ? "  CLIP \(clippedCounts[ear])" : ""
    let levels = " \(peak.decibels) dBFS  peak \(held[ear].decibels.decibels)"
    let figures = "\(levels)\(clip)  \(counts)"
    // One column stays free: a full line would wrap on some terminals.
    let barWidth = min(40, width - 1 - figures.count - 4)
    guard barWidth >= 5 else { return String("\(name)\(figures)".prefix(max(0, width - 1))) }
    let warning = isColored && !clip.isEmpty ? "\u{1B}[31m\(clip)\u{1B}[0m" : clip
    return "\(name) [\(bar(peak, held[ear].decibels, barWidth))]\(levels)\(warning)  \(counts)"
  }

  private func bar(_ peak: Double, _ hold: Double, _ width: Int) -> String {
    let full = column(peak, width)
    let mark = column(hold, width) - 1
    var text = ""
    for column in 0..<width {
      text += column == mark && mark >= full ? "|" : column < full ? "#" : "-"
    }
    return text
  }

  private func column(_ decibels: Double, _ width: Int) -> Int {
    let share = max(0, min(1, (decibels - Self.floor) / -Self.floor))
    return Int((share * Double(width)).rounded())
  }

  private func elapsed(_ frames: Int, _ format: StreamFormat) -> String {
    let total = frames / format.sampleRate
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
  }

  private func seconds(_ frames: Int, _ format: StreamFormat) -> String {
    Numbers.fixed(format.seconds(frames: frames), decimals: 1)
  }
}
