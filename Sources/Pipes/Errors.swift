package import SplitcapCore

extension SplitcapError {
  /// A system call on a sink failed.
  init(sink name: String, cannot action: String, _ errno: Errno) {
    self.init(.sinkFailed, "cannot \(action) \(name): \(errno)")
  }

  /// A stream's header says what can't be read.
  init(refused source: String, because reason: String) {
    self.init(
      .unsupportedFormat, "the WAV stream of \(source) \(reason)",
      hint: "convert it first, as with 'ffmpeg -i IN -c:a pcm_s16le -f wav -'")
  }
}

extension ChildProcess.Ending {
  /// The exit status as a shell gives it: above 128 for a signal; `nil` if nobody knows.
  var status: Int? {
    switch self {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    case .unknown: nil
    }
  }

  /// What went wrong, as the end of a sentence; `nil` after a good end.
  package var failure: String? {
    switch self {
    case .exited(0): nil
    case .exited(126): "exited with status 126: the command is not executable"
    case .exited(127): "exited with status 127: the command was not found"
    case .exited(let status): "exited with status \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    case .unknown: "ended, and its status was taken by someone else"
    }
  }

  /// What to try after a failure.
  var hint: String? {
    switch self {
    case .exited(0): nil
    default: "run the command by hand in 'sh'"
    }
  }
}
