internal import SplitcapCore

/// What is said of outputs that fall behind, that nobody reads, or whose program ended.
struct SlowOutputMessages {
  private let rule: SlowRule
  private let queue: String

  /// Prepares to speak of outputs as `options` have them treated.
  init(_ options: RecordOptions) {
    rule = options.slowRule
    let (seconds, rest) = options.queue.components
    queue = rest == 0 ? "\(seconds) s" : options.queue.timeText
  }

  /// Says what has happened; `seconds` is the text of so many frames.
  func show(_ event: RecordingEvent, _ seconds: (Int) -> String) {
    switch event {
    case .slow(let place):
      Console.warn(
        "\(place.name.quoted) does not keep up: its queue of \(queue) is full at "
          + "\(seconds(place.frame)) s; what does not fit \(fate)",
        hint: "--queue TIME keeps more")
    case .caughtUp(let place, let droppedFrames):
      Console.warn(
        "\(place.name.quoted) takes sound again from \(seconds(place.frame)) s on; "
          + "\(Numbers.count(droppedFrames, "frame")) (\(seconds(droppedFrames)) s) before that "
          + past)
    case .unread(let place):
      Console.warn(
        "nobody reads FIFO \(place.name.quoted) yet; "
          + (rule == .block ? "the input waits for it" : "\(queue) are kept for it"))
    case .programEnded(let place, let error, let wait):
      Console.warn(
        (error?.message ?? "\(place.name.quoted) ended at \(seconds(place.frame)) s")
          + "; it is started again in \(wait.components.seconds) s")
    case .restarted(let place, let missedFrames):
      Console.warn(
        "\(place.name.quoted) runs again, from \(seconds(place.frame)) s on; "
          + (missedFrames == 0
            ? "nothing has passed it" : "\(seconds(missedFrames)) s have passed it"))
    default: break
    }
  }

  /// What an output has lost in all, for the end; `nil` if nothing.
  func words(of sink: SinkSummary, _ seconds: (Int) -> String) -> String? {
    // Its failure says all of one that never took anything.
    if sink.error != nil && sink.frames == 0 { return nil }
    var parts: [String] = []
    if sink.droppedFrames > 0 {
      parts.append("was too slow: \(seconds(sink.droppedFrames)) s of it \(past)")
    }
    if sink.missedFrames > 0 {
      parts.append("missed \(seconds(sink.missedFrames)) s while its program was away")
    }
    return parts.isEmpty ? nil : "\(sink.name.quoted) \(parts.joined(separator: ", and "))"
  }

  private var fate: String { rule == .skip ? "is left out" : "becomes silence" }
  private var past: String { rule == .skip ? "were left out" : "are silence" }
}
