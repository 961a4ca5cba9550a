private import Glibc
internal import SplitcapCore

/// Outputs of text that no line may be lost of: a transcript, what programs print.
///
/// Used by the main thread.
struct TextOutputs {
  /// One of them.
  struct Output: Sendable {
    /// What it is, for messages: `the transcript`.
    let what: String
    /// Where it goes, as the user typed it.
    let name: String
    let writer: LineWriter
  }

  /// Whether something of one is missing.
  private(set) var isIncomplete = false

  /// Says what there is to say of outputs.
  ///
  /// - Parameters:
  ///   - outputs: Those that nobody else speaks of.
  ///   - clear: Called before a message.
  mutating func check(_ outputs: [Output], clear: () -> Void = {}) {
    for output in outputs {
      if output.writer.takeUnread() {
        clear()
        Console.warn(
          "nobody reads \(output.what) from FIFO \(output.name.quoted) yet; it waits for a reader")
      }
      guard output.writer.hasFailed, let error = output.writer.takeFailure() else { continue }
      clear()
      isIncomplete = true
      Console.fail(
        SplitcapError(
          error.kind, "\(output.what) is no longer written: \(error.message)", hint: error.hint))
    }
  }

  /// Waits for their readers, once nothing more comes; not for one that takes nothing, nor after a
  /// second Ctrl-C.
  mutating func finish(
    _ outputs: [Output], _ signals: borrowing StopSignals, _ stops: inout StopCount
  ) {
    let limit: Int64 = 5_000_000_000
    for output in outputs {
      let writer = output.writer
      writer.hurry()
      var progress = (written: writer.written, time: SystemClock.monotonic)
      while !writer.isOver {
        let now = SystemClock.monotonic
        if writer.written != progress.written { progress = (writer.written, now) }
        if signals.wait(milliseconds: 100) == .stop { stops.add(at: now) }
        if stops.count >= 2 || now - progress.time > limit {
          isIncomplete = true
          writer.abandon()
          Console.warn("\(output.what) is incomplete: its reader took nothing")
          break
        }
      }
      let leftOut = writer.totalLeftOut
      if leftOut > 0 {
        isIncomplete = true
        Console.warn("the reader of \(output.what) was too slow; \(leftOut) lines were left out")
      }
    }
    check(outputs)
  }
}
