internal import SplitcapCore

/// Writes samples to the standard input of a program.
struct ProgramSink: ~Copyable, Sink {
  private let name: String
  private let format: PipeFormat
  private let stream: StreamFormat
  private let patience: Patience
  private var program: ChildProcess
  private var writer: PipeWriter?
  /// Whether the program was given up, so that its end is no news.
  private var isGivenUp = false
  /// What is known of its reading, and what it prints, where that is wanted.
  private var progress: ReadingProgress?
  private var lines: ProgramLines?

  private init(
    _ program: consuming ChildProcess, _ writer: consuming PipeWriter, as format: PipeFormat,
    _ context: SinkContext
  ) {
    name = writer.name
    self.program = program
    self.writer = consume writer
    self.format = format
    stream = context.format
    patience = context.patience
  }

  /// Starts `command`.
  static func start(
    _ command: String, as format: PipeFormat, output: ChildProcess.Output, _ context: SinkContext,
    onLine: (@Sendable (ProgramLine) -> Void)? = nil
  ) throws(SplitcapError) -> ProgramSink {
    var program: ChildProcess?
    let writer = try PipeWriter.program(
      command, told: ShellCommand.Facts(context, as: format), output: output, context.patience,
      into: &program)
    var sink = ProgramSink(program.take()!, writer, as: format, context)
    if let onLine { try sink.listen(context, onLine) }
    try sink.writer?.writeHeader(of: format, context.format)
    return sink
  }

  /// Hands on what it prints.
  private mutating func listen(
    _ context: SinkContext, _ onLine: @escaping @Sendable (ProgramLine) -> Void
  ) throws(SplitcapError) {
    guard let output = program.output.take() else { return }
    let progress = writer?.track(
      from: context.firstFrame, channelCount: context.format.channelCount)
    self.progress = progress
    lines = try ProgramLines(output) { text in
      let frame = progress?.frame ?? context.firstFrame
      onLine(
        ProgramLine(
          text: text, frame: frame,
          nanoseconds: context.startNanoseconds
            + context.format.nanoseconds(frames: frame - context.firstFrame)))
    }
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    progress?.begin(firstFrame, after: writer?.bytes ?? 0)
    do {
      return try unsafe writer?.write(samples.bytes) ?? .closed
    } catch {
      isGivenUp = true
      throw error
    }
  }

  mutating func finish() -> SinkReport {
    var failure: SplitcapError?
    if !isGivenUp {
      do { try writer?.waitUntilTaken() } catch {
        isGivenUp = true
        failure = error
      }
    }
    var report = writer?.report(of: format, stream) ?? SinkReport(bytes: 0)
    report.failure = failure
    progress?.close()
    writer = nil  // closes its standard input
    defer { lines?.finish() }

    let patience = patience
    if !isGivenUp, let ending = program.wait(until: { patience.isOver(after: .zero) }) {
      report.programStatus = ending.status
      report.failure = ending.failure.map {
        SplitcapError(.sinkFailed, "\(name) \($0)", hint: ending.hint)
      }
      return report
    }
    report.programStatus = program.terminate().status
    if !isGivenUp {
      report.failure = SplitcapError(.cancelled, "\(name) was still at work and was ended")
    }
    return report
  }
}
