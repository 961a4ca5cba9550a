internal import SplitcapCore

extension ShellCommand.Facts {
  /// What a program behind a sink is told about the sound that it gets.
  init(_ context: SinkContext, as format: PipeFormat) {
    self.init([
      ("ear", context.feed.rawValue),
      ("rate", String(context.format.sampleRate)),
      ("format", format == .raw ? SampleFormat.s16le.rawValue : format.rawValue),
      ("channels", String(context.format.channelCount)),
      ("start", Timestamp.rfc3339(nanoseconds: context.startNanoseconds)),
      ("first_frame", String(context.firstFrame)),
    ])
  }
}
