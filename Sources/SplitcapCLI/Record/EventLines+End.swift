internal import SplitcapCore

// The last line: how a recording ended, and what each output holds.
extension EventLines {
  /// What the end tells.
  ///
  /// - Parameters:
  ///   - outcome: How the recording ended; `nil` if it was left before it had.
  ///   - status: The program's exit status.
  /// - Returns: The keys; fewer if no frame came.
  static func end(_ outcome: RecordSession.Outcome?, _ status: ExitStatus) -> Members {
    switch outcome {
    case .success(let summary): end(summary, status)
    case .failure(let failure):
      [
        ("ending", .string(failure.kind == .cancelled ? "stopped" : "source-failed")),
        ("error", error(failure.kind == .cancelled ? nil : failure)),
        ("exit_status", .integer(Int(status.rawValue))),
      ]
    case nil:
      [
        ("ending", .string("stopped")), ("error", .null),
        ("exit_status", .integer(Int(status.rawValue))),
      ]
    }
  }

  private static func end(_ summary: RecordingSummary, _ status: ExitStatus) -> Members {
    var failure: SplitcapError?
    if case .sourceFailed(let error) = summary.ending { failure = error }
    return [
      ("ending", .string(summary.ending.word)),
      ("error", error(failure)),
      ("exit_status", .integer(Int(status.rawValue))),
      ("frames", .integer(summary.frames)),
      ("gap_count", .integer(summary.gapCount)),
      ("gap_frames", .integer(summary.gapFrames)),
      ("drift_ppm", summary.drift.map { .number(rounded($0)) } ?? .null),
      ("left", level(summary.left)),
      ("right", level(summary.right)),
      ("outputs", .array(summary.sinks.map(output))),
      ("notes", .array(summary.notes.map(JSON.string))),
    ]
  }

  private static func output(_ sink: SinkSummary) -> JSON {
    .object(
      output(sink.feed, sink.name) + [
        ("frames", .integer(sink.frames)),
        ("silent_frames", .integer(sink.silentFrames)),
        ("dropped_frames", .integer(sink.droppedFrames)),
        ("missed_frames", .integer(sink.missedFrames)),
        ("restarts", .integer(sink.restarts)),
        ("bytes", .optional(sink.report?.bytes)),
        ("files", .integer(sink.report?.fileCount ?? 0)),
        ("reader_left", .bool(sink.hasReaderLeft && sink.error == nil)),
        ("program_status", .optional(sink.report?.programStatus)),
        ("error", error(sink.error)),
        ("notes", .array((sink.report?.notes ?? []).map(JSON.string))),
      ])
  }

  private static func level(_ level: BlockLevel) -> JSON {
    .object([
      ("peak_dbfs", .number(rounded(level.peakDecibels))),
      ("mean_dbfs", .number(rounded(level.meanDecibels))),
      ("clipped", .integer(level.clippedCount)),
    ])
  }

  /// Hundredths say all that matters; no zero has a sign.
  static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 + 0 }
}

extension RecordingSummary.Ending {
  fileprivate var word: String {
    switch self {
    case .limitReached: "limit"
    case .stopped: "stopped"
    case .sourceEnded: "source-ended"
    case .noSinkLeft: "no-output-left"
    case .sourceFailed: "source-failed"
    }
  }
}
