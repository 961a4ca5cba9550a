internal import Pipes
internal import SplitcapCore

/// What the programs behind outputs print, merged into one stream of JSON Lines.
///
/// `docs/transcripts.md` describes the lines. May be used from any thread.
final class MergedLines: Sendable {
  /// Where they go.
  let writer: LineWriter

  init(_ lines: PlannedLines, stdoutToStderr: Bool, wake: @escaping @Sendable () -> Void) {
    writer = LineWriter(lines, .transcript, stdoutToStderr: stdoutToStderr, wake: wake)
  }

  /// What takes the lines of the program `command`, which gets `feed` at `rate` hertz.
  func listener(
    _ feed: Feed, _ command: String, rate: Int
  ) -> @Sendable (ProgramLine) -> Void {
    let format = StreamFormat(sampleRate: rate, channelCount: 1)
    return { [writer] line in
      let text = Self.text(line, feed, command, format)
      writer.add { _ in text }
    }
  }

  private static func text(
    _ line: ProgramLine, _ feed: Feed, _ command: String, _ format: StreamFormat
  ) -> String {
    JSON.object([
      ("ear", .string(feed.rawValue)),
      ("time", .number((format.seconds(frames: line.frame) * 1000).rounded() / 1000)),
      ("frame", .integer(line.frame)),
      ("clock", .string(Timestamp.rfc3339(nanoseconds: line.nanoseconds))),
      ("program", .string(command)),
      ("line", .string(line.text)),
    ]).text
  }
}
