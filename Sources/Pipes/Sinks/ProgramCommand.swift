internal import SplitcapCore

/// What a program behind a sink is told about the sound that it gets.
struct ProgramCommand {
  private let facts: [(name: String, value: String)]

  init(_ context: SinkContext, as format: PipeFormat) {
    facts = [
      ("ear", context.feed.rawValue),
      ("rate", String(context.format.sampleRate)),
      ("format", format == .raw ? SampleFormat.s16le.rawValue : format.rawValue),
      ("channels", String(context.format.channelCount)),
      ("start", Timestamp.rfc3339(nanoseconds: context.startNanoseconds)),
      ("first_frame", String(context.firstFrame)),
    ]
  }

  /// Variables of its environment: `SPLITCAP_RATE` and so on.
  var environment: [String: String] {
    Dictionary(uniqueKeysWithValues: facts.map { ("SPLITCAP_" + $0.name.uppercased(), $0.value) })
  }

  /// `command` with `{rate}` and so on replaced.
  func fill(_ command: String) -> String {
    ShellCommand.filling(command, with: Dictionary(uniqueKeysWithValues: facts.map { ($0, $1) }))
  }
}
