internal import SplitcapCore

/// How long a source is waited for, in words.
struct WaitingWords: Sendable {
  private let longest: Duration
  private let source: String
  private let start = SystemClock.monotonic

  /// Begins to count the time.
  init(_ options: RecordOptions) {
    longest = options.rules.longestGap
    source =
      switch options.input {
      case .file(let path): path.quoted
      case .standardInput: "standard input"
      case .program(let command): command.quoted
      case nil: options.device?.quoted ?? "a device"
      }
  }

  /// `waiting up to 10m for it`.
  var limit: String { "waiting up to \(longest.timeText) for it" }

  /// `stopped after 2h3m of waiting for 'headset'`.
  var stopped: String {
    let milliseconds = (SystemClock.monotonic - start) / 1_000_000
    let time: Duration =
      milliseconds < 1000 ? .milliseconds(milliseconds) : .seconds(milliseconds / 1000)
    return "stopped after \(time.timeText) of waiting for \(source)"
  }
}
