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
      var program = try ChildProcess(
        shell: Self.fill(text, segment), environment: Self.environment(segment, format),
        input: .nothing, output: output)
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

  /// `command` with `{left}`, `{right}`, `{stereo}` and `{index}` replaced.
  private static func fill(_ command: String, _ segment: RecordingSegment) -> String {
    var values = ["index": String(segment.index)]
    for feed in [Feed.left, .right, .stereo] {
      values[feed.rawValue] = segment.path(of: feed) ?? ""
    }
    return ShellCommand.filling(command, with: values)
  }

  private static func environment(
    _ segment: RecordingSegment, _ format: StreamFormat
  ) -> [String: String] {
    var variables = [
      "SPLITCAP_SEGMENT": String(segment.index),
      "SPLITCAP_FIRST_FRAME": String(segment.firstFrame),
      "SPLITCAP_FRAMES": String(segment.frames),
      "SPLITCAP_START": Timestamp.rfc3339(nanoseconds: segment.startNanoseconds),
      "SPLITCAP_RATE": String(format.sampleRate),
    ]
    for feed in [Feed.left, .right, .stereo] {
      variables["SPLITCAP_" + feed.rawValue.uppercased()] = segment.path(of: feed)
    }
    return variables
  }
}
