private import Glibc
package import SplitcapCore

extension SinkRequest {
  /// Writes to standard output, which is taken over: `/dev/null` takes its place.
  package static func standardOutput(_ feed: Feed, as format: PipeFormat) -> SinkRequest {
    descriptor(feed, number: STDOUT_FILENO, as: format, name: "-", spoken: "standard output")
  }

  /// Writes to an open descriptor, which is taken over: `/dev/null` takes its place.
  package static func descriptor(
    _ feed: Feed, number: Int32, as format: PipeFormat
  ) -> SinkRequest {
    descriptor(
      feed, number: number, as: format, name: "fd:\(number)", spoken: "descriptor \(number)")
  }

  private static func descriptor(
    _ feed: Feed, number: Int32, as format: PipeFormat, name: String, spoken: String
  ) -> SinkRequest {
    SinkRequest(feed: feed, name: name) { context throws(SplitcapError) in
      try PipeSink(
        .descriptor(number, name: spoken, context.patience), as: format, context)
    }
  }

  /// Writes to a FIFO; its reader may come before or after.
  package static func fifo(_ feed: Feed, path: String, as format: PipeFormat) -> SinkRequest {
    SinkRequest(feed: feed, name: path) { context throws(SplitcapError) in
      try PipeSink(
        .fifo(path, context.patience, noteUnread: context.noteUnread), as: format, context)
    }
  }

  /// Writes to a character device, such as `/dev/null`.
  package static func characterDevice(
    _ feed: Feed, path: String, as format: PipeFormat
  ) -> SinkRequest {
    SinkRequest(feed: feed, name: path) { context throws(SplitcapError) in
      try PipeSink(.device(path, context.patience), as: format, context)
    }
  }

  /// Writes to the standard input of a program, which `/bin/sh -c` runs.
  ///
  /// It may be restarted: it is told the frame from which it gets the timeline, and its time.
  ///
  /// The program finds `SPLITCAP_EAR` (`left`, `right` or `stereo`), `SPLITCAP_RATE` (hertz),
  /// `SPLITCAP_FORMAT` (`s16le` or `wav`), `SPLITCAP_CHANNELS`, `SPLITCAP_START` (RFC 3339, UTC) and
  /// `SPLITCAP_FIRST_FRAME` in its environment. `{ear}`, `{rate}`, `{format}`, `{channels}`,
  /// `{start}` and `{first_frame}` in the command are replaced by the same.
  ///
  /// - Parameters:
  ///   - feed: What it gets.
  ///   - command: For the shell.
  ///   - format: Whether a WAV header comes first.
  ///   - stdoutToStderr: Whether what it prints goes to standard error, since sound goes to
  ///     standard output.
  ///   - onLine: Takes each line that it prints, on a thread of its own, in place of our standard output.
  /// - Returns: A request that starts the program whenever it is opened.
  package static func program(
    _ feed: Feed, command: String, as format: PipeFormat, stdoutToStderr: Bool,
    onLine: (@Sendable (ProgramLine) -> Void)? = nil
  ) -> SinkRequest {
    SinkRequest(
      feed: feed, name: "exec:" + command, isRestartable: true
    ) { context throws(SplitcapError) in
      let output: ChildProcess.Output =
        onLine != nil ? .pipe : stdoutToStderr ? .standardError : .inherited
      return try ProgramSink.start(command, as: format, output: output, context, onLine: onLine)
    }
  }
}
