private import Pipes
internal import SoundFiles
internal import SplitcapCore

extension PlannedSink {
  /// The sink as the recording opens it, once frames flow.
  ///
  /// `files` is what all segments of the recording have in common.
  fileprivate func request(
    _ plan: RecordPlan, _ files: SegmentFiles, _ merged: MergedLines?, rate: Int
  ) -> SinkRequest {
    let options = plan.options
    return switch target {
    case .file(let path, let container):
      .file(
        feed, path: path, container: container, noClobber: options.noClobber,
        maximumBytes: options.maximumFileBytes, syncInterval: options.sync)
    case .segments(let name, let container):
      .segments(
        feed, name: name, container: container, maximumBytes: options.maximumFileBytes,
        syncInterval: options.sync, files: files)
    case .standardOutput(let format): .standardOutput(feed, as: format)
    case .descriptor(let number, let format): .descriptor(feed, number: number, as: format)
    case .fifo(let path, let format): .fifo(feed, path: path, as: format)
    case .encodedFIFO(let path, let container):
      .encodedFIFO(feed, path: path, container: container)
    case .characterDevice(let path, let format): .characterDevice(feed, path: path, as: format)
    case .program(let command, let format):
      .program(
        feed, command: command, as: format, stdoutToStderr: plan.usesStandardOutput,
        onLine: merged?.listener(feed, command, rate: rate))
    }
  }
}

extension RecordPlan {
  /// What all segments of a recording have in common.
  func segmentFiles() -> SegmentFiles {
    SegmentFiles(noClobber: options.noClobber, protected: protected)
  }

  /// All sinks, as the recording opens them.
  ///
  /// - Parameters:
  ///   - files: What all segments have in common.
  ///   - merged: Takes what programs print, if that is wanted.
  ///   - rate: Of the recording, in hertz.
  /// - Returns: Requests in the order of the plan.
  func sinkRequests(
    _ files: SegmentFiles, _ merged: MergedLines?, rate: Int
  ) -> [SinkRequest] {
    sinks.map { $0.request(self, files, merged, rate: rate) }
  }

  /// Whether sound, events or a transcript go to standard output, so that a program's words must not.
  var usesStandardOutput: Bool {
    [events, merged, transcript].contains { $0?.target == .descriptor(1) }
      || sinks.contains { sink in
        switch sink.target {
        case .standardOutput, .descriptor(1, _): true
        default: false
        }
      }
  }
}
