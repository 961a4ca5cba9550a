internal import SoundFiles
internal import SplitcapCore

/// A sink that can be opened once frames flow.
struct PlannedSink: Sendable, Equatable {
  /// What stands at the other end.
  enum Target: Sendable, Equatable {
    case file(path: String, Container)
    case segments(SegmentName, Container)
    case standardOutput(PipeFormat)
    case descriptor(Int32, PipeFormat)
    case fifo(path: String, PipeFormat)
    case encodedFIFO(path: String, Container)
    case characterDevice(path: String, PipeFormat)
    case program(command: String, PipeFormat)
  }

  /// What it gets.
  let feed: Feed
  /// What the user typed.
  let name: String
  /// What it is.
  let target: Target

  /// Whether it is a file, or a series of them.
  var isFile: Bool {
    switch target {
    case .file, .segments: true
    default: false
    }
  }
}
