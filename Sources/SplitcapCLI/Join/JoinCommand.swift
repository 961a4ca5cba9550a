private import SoundFiles
internal import SplitcapCore

/// `splitcap join`: two ears into one stereo file.
enum JoinCommand {
  /// Joins, and says what was made.
  static func run(_ options: JoinOptions) throws(SplitcapError) -> ExitStatus {
    let plan = try JoinPlan(options)
    var left = try EarFile(options.left)
    var right = try EarFile(options.right)
    let rate = left.info.format.sampleRate
    guard right.info.format.sampleRate == rate else {
      throw SplitcapError(
        .unsupportedFormat,
        "the rates differ: \(options.left.quoted) has \(rate) Hz, \(options.right.quoted) "
          + "\(right.info.format.sampleRate) Hz",
        hint:
          "resample one first: splitcap --input \(options.right.shellQuoted) --resample \(rate) "
          + "--left same-rate.wav")
    }
    for note in Set(left.info.notes + right.info.notes).sorted() {
      Console.warn("not bit-exact: \(note)")
    }

    let signals = StopSignals()
    let file = try unfinished(plan)
    let format = StreamFormat(sampleRate: rate, channelCount: 2)
    let request = SinkRequest.file(.stereo, path: file.temporaryPath, container: plan.container)
    let context = SinkContext(
      feed: .stereo, format: format, startNanoseconds: 0, firstFrame: 0, patience: Patience())
    var sink = try request.open(context)
    let frames = try copy(&left, &right, to: &sink, pads: options.pads) {
      signals.wait(milliseconds: 0) == .stop
    }
    let report = try sink.finish()
    do throws(Errno) {
      try file.finish(replacing: !options.noClobber)
    } catch {
      throw unwritable(options.output, error)
    }

    for damage in left.damages + right.damages { Console.warn(damage) }
    if !options.isQuiet {
      let padding = abs(left.frames - right.frames)
      let shorter = left.frames < right.frames ? "left" : "right"
      let seconds = Numbers.seconds(format.seconds(frames: frames))
      Console.say(
        "\(options.output): \(Numbers.count(frames, "frame")), \(seconds) s at \(rate) Hz, \(report.bytes) bytes",
        (padding > 0
          ? ["  the \(shorter) ear was shorter: \(padding) frames of silence behind it"] : [])
          + (plan.container.isLossless ? [] : ["  its format loses some of the sound"])
          + report.notes.map { "  \($0)" })
    }
    return left.damages.isEmpty && right.damages.isEmpty ? .success : .incomplete
  }

  private static func unfinished(_ plan: JoinPlan) throws(SplitcapError) -> UnfinishedFile {
    do throws(Errno) {
      return try UnfinishedFile(for: plan.path)
    } catch {
      throw unwritable(UnfinishedFile.temporaryPath(for: plan.path), error)
    }
  }

  private static func unwritable(_ path: String, _ reason: Errno) -> SplitcapError {
    if reason == .claimed { return SplitcapError(claimed: path) }
    return SplitcapError(
      .sinkFailed, "cannot write \(path.quoted): \(reason)",
      hint: reason == Errno.exists ? "remove it, or choose another name" : nil)
  }

  /// Copies both ears to their ends.
  ///
  /// - Returns: Frames written.
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat` also if one is shorter and not to be
  ///   padded.
  private static func copy(
    _ left: inout EarFile, _ right: inout EarFile, to sink: inout any Sink & ~Copyable, pads: Bool,
    isCancelled: () -> Bool
  ) throws(SplitcapError) -> Int {
    var both = [Int16](repeating: 0, count: 2 * EarFile.blockFrames)
    var frames = 0
    while true {
      try left.readBlock(isCancelled: isCancelled)
      try right.readBlock(isCancelled: isCancelled)
      guard left.count == right.count || pads else {
        while !left.isOver { try left.readBlock() }
        while !right.isOver { try right.readBlock() }
        throw Self.differ(left, right)
      }
      let count = max(left.count, right.count)
      var room = both.mutableSpan
      // What an ear has not is silence, as ``EarFile`` leaves it behind its block.
      Splitter.interleave(
        left: left.samples.span.extracting(first: count),
        right: right.samples.span.extracting(first: count), into: &room)
      if count > 0 {
        _ = try sink.write(both.span.extracting(first: 2 * count), firstFrame: frames)
      }
      frames += count
      if left.isOver && right.isOver { return frames }
    }
  }

  private static func differ(
    _ left: borrowing EarFile, _ right: borrowing EarFile
  ) -> SplitcapError {
    SplitcapError(
      .unsupportedFormat,
      "the lengths differ: \(left.path.quoted) has \(left.frames) frames, \(right.path.quoted) "
        + "\(right.frames)",
      hint: "'splitcap verify' tells what they are; --pad puts silence behind the shorter one")
  }
}
