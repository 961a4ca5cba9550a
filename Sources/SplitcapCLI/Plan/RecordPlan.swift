private import Glibc
internal import SoundFiles
internal import SplitcapCore
internal import Transcripts

/// A recording that may begin: every destination is known, can be written, and is its own.
struct RecordPlan: Sendable {
  /// What the user asked for.
  let options: RecordOptions
  /// Where the feeds go, in the user's order.
  let sinks: [PlannedSink]
  /// Where events go; `nil` for nowhere.
  let events: PlannedLines?
  /// Where what programs print goes, merged; `nil` for nowhere.
  let merged: PlannedLines?
  /// Where the transcript goes; `nil` for nowhere.
  let transcript: PlannedLines?
  /// What writes down utterances; `nil` for nothing, or for programs that listen all the time.
  let recognizer: RecognizerRules?
  /// What is read, and where messages and events go, so that no segment may take its place.
  let protected: Set<FileIdentity>

  /// Checks the whole command before any device is opened or file made.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ options: RecordOptions) throws(SplitcapError) {
    let resolver = SinkResolver(
      pipeFormat: options.pipeFormat, noClobber: options.noClobber,
      isSegmented: options.segment != nil)
    var taken = try Self.inputs(options.input)
    if let messages = Self.messages { taken.append(messages) }
    var protected = taken.map(\.identity)
    var sinks: [PlannedSink] = []
    for choice in options.sinks {
      let resolved = try resolver.resolve(choice.destination)
      let name = choice.destination.text
      if let identity = resolved.identity {
        let option = "--\(choice.feed.rawValue)"
        if let other = taken.first(where: { $0.identity == identity }) {
          throw Self.clash(other, option, name, resolved.target)
        }
        taken.append(Taken(identity: identity, use: .output(option: option, name: name)))
      }
      sinks.append(PlannedSink(feed: choice.feed, name: name, target: resolved.target))
    }
    events = try Self.events(options, taken)
    if let events, let identity = events.identity {
      protected.append(identity)
      taken.append(Taken(identity: identity, use: .lines(option: "--events", name: events.name)))
    }
    merged = try options.mergeOutput.map { (destination) throws(SplitcapError) in
      try Self.merged(destination, options, taken)
    }
    if let merged, let identity = merged.identity {
      protected.append(identity)
      taken.append(
        Taken(identity: identity, use: .lines(option: "--merge-output", name: merged.name)))
    }
    transcript = try Self.transcript(options, taken)
    if let identity = transcript?.identity { protected.append(identity) }
    self.protected = Set(protected)
    recognizer = try options.transcript?.recognizerRules(pipeFormat: options.pipeFormat)
    try Self.checkCuts(options, sinks)
    self.options = options
    self.sinks = sinks
    if options.sync != nil && !sinks.contains(where: \.isFile) {
      throw SplitcapError(
        .usage, "--sync is for files, and no output is one",
        hint: "leave it out, or record to a file: --left l.wav")
    }
  }

  /// A file that is used already.
  private struct Taken {
    enum Use {
      case input(String)
      case messages
      case output(option: String, name: String)
      case lines(option: String, name: String)
    }

    let identity: FileIdentity
    let use: Use
  }

  /// The file that is read, so that it is not overwritten.
  ///
  /// One that is not there is left to whoever opens it.
  private static func inputs(_ input: InputChoice?) throws(SplitcapError) -> [Taken] {
    switch input {
    case .file(let path):
      let status = try? FileStatus(path: path)
      guard let identity = status?.identityToCompare else { return [] }
      return [Taken(identity: identity, use: .input(path.quoted))]
    case .standardInput:
      let status: FileStatus
      do throws(Errno) {
        guard try FileStatus.access(to: STDIN_FILENO).isReadable else { throw Errno(EBADF) }
        status = try FileStatus(descriptor: STDIN_FILENO)
      } catch {
        throw SplitcapError(
          .usage, "standard input is not open", hint: "PROGRAM | splitcap --input - …")
      }
      guard status.kind != .terminal else {
        throw SplitcapError(
          .usage, "standard input is a terminal, and nobody types sound",
          hint: "PROGRAM | splitcap --input - …, or --input FILE")
      }
      guard let identity = status.identityToCompare else { return [] }
      return [Taken(identity: identity, use: .input("standard input"))]
    case .program, nil:
      return []
    }
  }

  /// Where the messages go, unless to a terminal or nowhere.
  private static var messages: Taken? {
    guard let status = try? FileStatus(descriptor: STDERR_FILENO), status.kind != .terminal,
      let identity = status.identityToCompare
    else { return nil }
    return Taken(identity: identity, use: .messages)
  }

  private static func events(
    _ options: RecordOptions, _ taken: [Taken]
  ) throws(SplitcapError) -> PlannedLines? {
    guard let destination = options.events else { return nil }
    let (option, example) = ("--events", "events.jsonl")
    let events = try PlannedLines(
      destination, option: option, example: example, noClobber: options.noClobber)
    try check(events, option: option, example: example, taken)
    return events
  }

  private static func merged(
    _ destination: Destination, _ options: RecordOptions, _ taken: [Taken]
  ) throws(SplitcapError) -> PlannedLines {
    let (option, example) = ("--merge-output", "lines.jsonl")
    let merged = try PlannedLines(
      destination, option: option, example: example, noClobber: options.noClobber)
    try check(merged, option: option, example: example, taken)
    return merged
  }

  private static func transcript(
    _ options: RecordOptions, _ taken: [Taken]
  ) throws(SplitcapError) -> PlannedLines? {
    guard let destination = options.transcript?.output else { return nil }
    let (option, example) = ("--output", "call.txt")
    let transcript = try PlannedLines(
      destination, option: option, example: example, noClobber: options.noClobber)
    // Words and messages may stand in one file, as a terminal shows them.
    let others = taken.filter { other in
      if case .messages = other.use { false } else { true }
    }
    try check(transcript, option: option, example: example, others)
    return transcript
  }

  private static func check(
    _ lines: PlannedLines, option: String, example: String, _ taken: [Taken]
  ) throws(SplitcapError) {
    guard let identity = lines.identity,
      let other = taken.first(where: { $0.identity == identity })
    else { return }
    let what =
      switch other.use {
      case .input(let input): "the input, \(input)"
      case .messages: "the messages"
      case .output(let option, let name): "the sound of \(option) \(name.quoted)"
      case .lines(let option, let name): "the lines of \(option) \(name.quoted)"
      }
    throw SplitcapError(
      .usage, "\(option) \(lines.name.quoted) and \(what) go to the same place",
      hint: "give each a file of its own: \(option) \(example)")
  }

  private static func clash(
    _ other: Taken, _ option: String, _ name: String, _ target: PlannedSink.Target
  ) -> SplitcapError {
    switch other.use {
    case .input(let input):
      return SplitcapError(
        .usage, "\(option) \(name.quoted) would overwrite the input, \(input)",
        hint: "give the output another name")
    case .messages:
      return SplitcapError(
        .usage,
        "\(option) \(name.quoted) and the messages go to the same place, so that words "
          + "would stand in the sound",
        hint: "send the messages elsewhere: splitcap … 2>splitcap.log")
    case .output(let otherOption, let otherName), .lines(let otherOption, let otherName):
      let outputs = "\(otherOption) \(otherName.quoted) and \(option) \(name.quoted)"
      if case .standardOutput = target, otherName == name {
        return SplitcapError(
          .usage, "\(outputs) are both standard output",
          hint: "--stereo - sends both ears interleaved; or another descriptor: "
            + "splitcap --left - --right fd:3 3>r.raw")
      }
      let names = (FilePath(otherName).name, FilePath(name).name)
      let isCase = names.0 != names.1 && names.0.lowercased() == names.1.lowercased()
      return SplitcapError(
        .usage,
        isCase
          ? "\(outputs) differ in upper and lower case only, which some file systems ignore"
          : "\(outputs) are the same file",
        hint: "name a file for each; --stereo FILE takes both ears in one")
    }
  }
}
