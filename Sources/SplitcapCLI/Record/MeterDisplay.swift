private import Glibc
internal import SplitcapCore

/// The two-ear meter on the terminal: two lines that are drawn over and over.
struct MeterDisplay {
  /// Time between two drawings.
  static let milliseconds = 100

  /// Whether there is a terminal to draw on, and a meter is wanted.
  let isShown: Bool

  private var lines: MeterLines
  private var isDrawn = false

  /// Looks at the terminal; draws nothing yet.
  init(_ plan: RecordPlan) {
    let options = plan.options
    let terminal = unsafe getenv("TERM").map { unsafe String(cString: $0) }
    isShown =
      options.meter && options.verbosity != .quiet && isatty(STDERR_FILENO) == 1
      && terminal != "dumb" && plan.events?.isTerminal != true
      && plan.transcript?.isTerminal != true
    let isPlain = unsafe getenv("NO_COLOR").map { unsafe $0.pointee != 0 } ?? false
    lines = MeterLines(isColored: options.color == .always || options.color == .auto && !isPlain)
  }

  /// Draws what has happened since the last drawing.
  mutating func draw(_ progress: RecordingProgress?) {
    guard isShown, let progress, let format = progress.format else { return }
    let (left, right) = lines.render(
      progress, format, width: Terminal.columns(of: STDERR_FILENO) ?? 80)
    // Over the last drawing: the cursor stands at the end of its second line.
    Console.draw("\(isDrawn ? "\r\u{1B}[1A" : "")\(left)\u{1B}[K\n\(right)\u{1B}[K")
    isDrawn = true
  }

  /// Takes the meter away, so that a message can stand there.
  mutating func clear() {
    guard isDrawn else { return }
    Console.draw("\r\u{1B}[K\u{1B}[1A\r\u{1B}[K")
    isDrawn = false
  }
}
