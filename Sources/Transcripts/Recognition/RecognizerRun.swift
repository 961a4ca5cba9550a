private import Glibc
internal import Pipes
internal import SplitcapCore

/// One run of a recogniser, on one utterance.
enum RecognizerRun {
  /// The most bytes of text that are kept; the rest is read and dropped.
  private static let textLimit = 65_536

  /// Runs it, and waits for its words.
  ///
  /// - Parameters:
  ///   - rules: The command.
  ///   - file: The utterance.
  ///   - isCancelled: Whether to end it.
  /// - Returns: The words, on one line.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` or `cancelled`.
  static func text(
    _ rules: RecognizerRules, of file: borrowing UtteranceFile, isCancelled: () -> Bool
  ) throws(SplitcapError) -> String {
    let deadline = SystemClock.monotonic + rules.timeout.nanoseconds
    var isLate: Bool { SystemClock.monotonic >= deadline }
    var program: ChildProcess
    do throws(Errno) {
      program = try start(rules, file)
    } catch {
      throw SplitcapError(
        .sinkFailed, "cannot start \(rules.name): \(error)",
        hint: "see the limits with 'ulimit -u' and 'ulimit -n'")
    }
    let words = read(&program) { isLate || isCancelled() }
    let ending = program.wait { isLate || isCancelled() }
    guard let ending else {
      _ = program.terminate()
      if isCancelled() {
        throw SplitcapError(.cancelled, "\(rules.name) was still at work and was ended")
      }
      throw SplitcapError(
        .sinkFailed, "\(rules.name) was still at work after \(rules.timeout) and was ended",
        hint: "--timeout TIME gives it longer")
    }
    if let failure = ending.failure {
      throw SplitcapError(
        .sinkFailed, "\(rules.name) \(failure)", hint: "run the command by hand in 'sh'")
    }
    return words
  }

  private static func start(
    _ rules: RecognizerRules, _ file: borrowing UtteranceFile
  ) throws(Errno) -> ChildProcess {
    let command = file.facts.fill(rules.command)
    let environment = file.facts.environment
    if rules.readsFile {
      return try ChildProcess(
        shell: command, environment: environment, input: .nothing, output: .pipe)
    }
    // The file itself is its input: nobody has to feed it.
    let sound = try Descriptor(opening: file.path, O_RDONLY)
    if rules.pipeFormat == .raw { _ = lseek(sound.raw, off_t(WaveHeader.byteCount), SEEK_SET) }
    return try ChildProcess(
      shell: command, environment: environment, input: .descriptor(sound.raw), output: .pipe)
  }

  /// Reads what it prints, until it closes its output or has ended.
  private static func read(_ program: inout ChildProcess, until isOver: () -> Bool) -> String {
    guard let output = program.output.take() else { return "" }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while !isOver() {
      // What it started may hold its output open for longer than it lives itself.
      let isReady = (try? output.wait(for: .reading, milliseconds: 50)) ?? true
      if !isReady {
        if program.hasEnded() { break }
        continue
      }
      var span = block.mutableSpan
      var room = unsafe span.mutableBytes
      guard let count = try? output.read(into: &room), count > 0 else { break }
      text += block.prefix(min(count, textLimit - text.count))
    }
    return line(text)
  }

  /// Any text as words on one line, with a space between them.
  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).unicodeScalars
      .split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
      .map { String(String.UnicodeScalarView($0)) }
      .joined(separator: " ")
  }
}
