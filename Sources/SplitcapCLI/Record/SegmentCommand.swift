private import Pipes
internal import SplitcapCore

/// What the shell runs for each segment.
struct SegmentCommand: Sendable {
  let text: String
  /// Where it writes.
  let output: ChildProcess.Output

  /// Runs it for one segment, and waits for its end, or until there is no more patience.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed` if it fails, `cancelled` if it was ended.
  func run(
    _ segment: RecordingSegment, _ format: StreamFormat, _ patience: Patience
  ) throws(SplitcapError) {
    let name = "the command for segment \(segment.index), \(text.quoted),"
    let ending: ChildProcess.Ending?
    do throws(Errno) {
      let facts = ShellCommand.Facts(segment, format)
      var program = try ChildProcess(
        shell: facts.fill(text), environment: facts.environment, input: .nothing, output: output)
      ending = program.wait { patience.isOver(after: .zero) }
      if ending == nil { _ = program.terminate() }
    } catch {
      throw SplitcapError(.sinkFailed, "\(name) cannot be started: \(error)")
    }
    guard let ending else {
      throw SplitcapError(.cancelled, "\(name) was still at work and was ended")
    }
    if let failure = ending.failure { throw SplitcapError(.sinkFailed, "\(name) \(failure)") }
  }
}

extension ShellCommand.Facts {
  /// What is known of a segment.
  fileprivate init(_ segment: RecordingSegment, _ format: StreamFormat) {
    self.init(
      [
        ("segment", String(segment.index)),
        ("first_frame", String(segment.firstFrame)),
        ("frames", String(segment.frames)),
        ("start", Timestamp.rfc3339(nanoseconds: segment.startNanoseconds)),
        ("rate", String(format.sampleRate)),
      ] + [Feed.left, .right, .stereo].map { ($0.rawValue, segment.path(of: $0)) },
      synonyms: ["index": "segment"])
  }
}
