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
    let left = row("L", 0, progress.left, elapsed(progress.frames, format))
    let right = row("R", 1, progress.right, counts)
    // Bars of one width, so that the ears can be compared by eye. One column stays free: a full line
    // would wrap on some terminals.
    let figures = max(left.figures.count, right.figures.count)
    let barWidth = min(40, width - 1 - figures - 4)
    return (text(left, barWidth, width), text(right, barWidth, width))
  }

  /// One ear's part of a drawing.
  private struct Row {
    let name: String
    let peak: Double
    let hold: Double
    let levels: String
    let clip: String
    let counts: String

    var figures: String { "\(levels)\(clip)  \(counts)" }
  }

  private mutating func row(
    _ name: String, _ ear: Int, _ level: BlockLevel, _ counts: String
  ) -> Row {
    let peak = level.peakDecibels
    held[ear].age += 1
    if peak >= held[ear].decibels || held[ear].age > Self.holdDrawings {
      held[ear] = Hold(decibels: peak)
    }
    clippedCounts[ear] += level.clippedCount
    let hold = held[ear].decibels
    return Row(
      name: name, peak: peak, hold: hold,
      levels: " \(peak.decibels) dBFS  peak \(hold.decibels)",
      clip: clippedCounts[ear] > 0 ? "  CLIP \(clippedCounts[ear])" : "", counts: counts)
  }

  private func text(_ row: Row, _ barWidth: Int, _ width: Int) -> String {
    guard barWidth >= 5 else {
      return String("\(row.name)\(row.figures)".prefix(max(0, width - 1)))
    }
    let clip = isColored && !row.clip.isEmpty ? "\u{1B}[31m\(row.clip)\u{1B}[0m" : row.clip
    return "\(row.name) [\(bar(row.peak, row.hold, barWidth))]\(row.levels)\(clip)  \(row.counts)"
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
