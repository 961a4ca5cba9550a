internal import SplitcapCore

/// What became of one file, and the words for it.
struct RepairedFile: Sendable {
  enum Outcome: Sendable {
    case healthy
    case repaired(as: String)
    /// Nothing was written, since that was asked for.
    case needsRepair
    case failed(SplitcapError)
  }

  let path: String
  /// What was found; `nil` if the file could not be read or is beyond repair.
  var plan: WaveRepair?
  var outcome = Outcome.healthy

  init(path: String) { self.path = path }

  /// What the exit status says of this file.
  var status: ExitStatus {
    switch outcome {
    case .healthy, .repaired: .success
    case .needsRepair: .incomplete
    // It could be read, and nothing can be done.
    case .failed(let error): error.kind == .unsupportedFormat ? .incomplete : ExitStatus(error)
    }
  }

  /// Says on standard output what became of the file, and what is wrong on standard error.
  func show(isQuiet: Bool) throws(SplitcapError) {
    let result: String
    switch outcome {
    case .healthy: result = "healthy"
    case .repaired(let name):
      result = name == path ? "repaired in place" : "repaired as \(name.quoted)"
    case .needsRepair: result = "needs a repair"
    case .failed(let error):
      Console.fail(error)
      return
    }
    guard !isQuiet else { return }
    var text = "\(path.printable): \(result), \(contents)\n"
    for problem in plan?.problems ?? [] { text += "  \(problem.text)\n" }
    if let plan, plan.needsLargeSizes, !plan.problems.isEmpty {
      text += "  longer than 4 GiB, so its header is RF64, which not every program reads\n"
    }
    try Console.answer(text)
  }

  /// Rate, channels, format and length.
  private var contents: String {
    guard let plan else { return "" }
    var parts: [String] = []
    if let format = plan.format {
      let count = format.channelCount
      parts += ["\(format.sampleRate) Hz", Numbers.count(count, "channel")]
      if let sampleFormat = plan.sampleFormat { parts.append(sampleFormat.rawValue) }
      if let frames = plan.frames {
        let seconds = Numbers.seconds(format.seconds(frames: frames))
        parts += [Numbers.count(frames, "frame"), "\(seconds) s"]
      }
    }
    if plan.frames == nil { parts.append("\(plan.soundBytes) bytes of sound") }
    return parts.joined(separator: ", ")
  }
}

extension WaveRepair.Problem {
  /// What is wrong, for a person.
  var text: String {
    switch self {
    case .noHeader: "it has no header"
    case .soundSize(let stated, let actual):
      "its header states \(stated) bytes of sound; there are \(actual)"
    case .fileSize(let stated, let actual):
      "its header states a file of \(stated.addingReportingOverflow(8).partialValue) bytes; it has "
        + "\(actual + 8)"
    case .partFrame(let bytes, let missing):
      "its last frame is cut off after \(Numbers.count(bytes, "byte")); \(missing) of silence "
        + "complete\(missing == 1 ? "s" : "") it"
    case .frameCount(let stated, let actual):
      "its chunk 'fact' states \(stated) frames; there are \(actual)"
    case .cutChunk(let name):
      "its last chunk, \(name.quoted), is cut off; it is no sound, and what is there is kept"
    }
  }

  /// A word for programs.
  var code: String {
    switch self {
    case .noHeader: "no-header"
    case .soundSize: "sound-size"
    case .fileSize: "file-size"
    case .partFrame: "part-frame"
    case .frameCount: "frame-count"
    case .cutChunk: "cut-chunk"
    }
  }
}
