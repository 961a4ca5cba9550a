private import Pipes
private import SoundFiles
internal import SplitcapCore

extension PlannedSink {
  /// The sink as the recording opens it, once frames flow.
  func request(_ plan: RecordPlan) -> SinkRequest {
    switch target {
    case .file(let path, let container):
      .file(feed, path: path, container: container, noClobber: plan.options.noClobber)
    case .standardOutput(let format): .standardOutput(feed, as: format)
    case .descriptor(let number, let format): .descriptor(feed, number: number, as: format)
    case .fifo(let path, let format): .fifo(feed, path: path, as: format)
    case .encodedFIFO(let path, let container):
      .encodedFIFO(feed, path: path, container: container)
    case .characterDevice(let path, let format): .characterDevice(feed, path: path, as: format)
    case .program(let command, let format):
      .program(feed, command: command, as: format, stdoutToStderr: plan.usesStandardOutput)
    }
  }
}

extension RecordPlan {
  /// Whether sound or events go to standard output, so that a program's words must not.
  var usesStandardOutput: Bool {
    events?.target == .descriptor(1)
      || sinks.contains { sink in
        switch sink.target {
        case .standardOutput, .descriptor(1, _): true
        default: false
        }
      }
  }
}
