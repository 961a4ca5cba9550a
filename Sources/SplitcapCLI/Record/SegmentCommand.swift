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
      let facts = Self.facts(segment, format)
      var values = Dictionary(uniqueKeysWithValues: facts.map { ($0, $1 ?? "") })
      values["index"] = values["segment"]
      let variables = facts.compactMap { name, value in
        value.map { ("SPLITCAP_" + name.uppercased(), $0) }
      }
      var program = try ChildProcess(
        shell: ShellCommand.filling(text, with: values),
        environment: Dictionary(uniqueKeysWithValues: variables), input: .nothing, output: output)
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

  /// What is known of a segment, by the names that stand in braces in a command; `nil` is not there.
  private static func facts(
    _ segment: RecordingSegment, _ format: StreamFormat
  ) -> [(name: String, value: String?)] {
    [
      ("segment", String(segment.index)),
      ("first_frame", String(segment.firstFrame)),
      ("frames", String(segment.frames)),
      ("start", Timestamp.rfc3339(nanoseconds: segment.startNanoseconds)),
      ("rate", String(format.sampleRate)),
    ] + [Feed.left, .right, .stereo].map { ($0.rawValue, segment.path(of: $0)) }
  }
}
