internal import SplitcapCore

/// What the program's exit status says.
///
/// The meanings are shown in the help and in the man page.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case incomplete = 1
  case usage = 2
  case sourceUnavailable = 3
  case sourceLost = 4
  case noSinkLeft = 5

  /// The status for a run that an error ended.
  init(_ error: SplitcapError) {
    self =
      switch error.kind {
      case .usage: .usage
      case .sourceLost: .sourceLost
      case .sinkFailed: .noSinkLeft
      case .sourceUnavailable, .sourceBusy, .permissionDenied, .unsupportedFormat, .backend:
        .sourceUnavailable
      // Only a second Ctrl-C cancels: what was asked for was not all done.
      case .cancelled: .incomplete
      }
  }

  /// What it means, for people.
  var meaning: String {
    switch self {
    case .success:
      "All that was asked for was recorded. To be stopped by Ctrl-C is asked for, and so is a "
        + "reader that closes its pipe. A stop before the first sound is a warning: nothing was "
        + "recorded."
    case .incomplete:
      "Recorded, but frames were lost, or an output or a command of --on-segment failed."
    case .usage:
      "The command cannot be carried out as it stands. Nothing was opened, nothing was written."
    case .sourceUnavailable: "The source could not be opened."
    case .sourceLost: "The source went away while it was recorded, and stayed away."
    case .noSinkLeft: "All outputs failed."
    }
  }
}
