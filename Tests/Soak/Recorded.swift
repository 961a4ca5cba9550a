import Foundation
import Lab

/// What a recording has told and written so far: its events are read as they come, its segments
/// checked and removed as they are done.
struct Recorded {
  /// Both ears, over all segments.
  private(set) var ears: RampReader
  /// Segments that were checked.
  private(set) var segments = 0
  /// The gaps that were told, in their order.
  private(set) var gaps: [Range<Int>] = []
  /// How often each event came.
  private(set) var counts: [String: Int] = [:]
  /// The event that ends all, once it is there.
  private(set) var end: [String: Any]?
  /// What was wrong.
  private(set) var complaints: [String] = []

  private let folder: TemporaryFolder
  private let events: FileHandle
  private var pending = Data()

  /// `misplacement` is how many frames right behind a silence may belong before it.
  init(in folder: TemporaryFolder, misplacement: Int) throws {
    self.folder = folder
    ears = RampReader(tolerance: .max, misplacement: misplacement)
    events = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: folder.write("", to: "events.jsonl")))
  }

  /// Takes what is new.
  mutating func takeNews() throws {
    pending += try events.readToEnd() ?? Data()
    while let newline = pending.firstIndex(of: 10) {
      let line = pending[..<newline]
      guard let event = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
        throw LabError("an event is \(String(decoding: line, as: UTF8.self))")
      }
      pending = Data(pending[(newline + 1)...])
      try take(event)
    }
  }

  private mutating func take(_ event: [String: Any]) throws {
    guard let name = event["event"] as? String, let frame = event["frame"] as? Int else {
      throw LabError("an event is \(event)")
    }
    counts[name, default: 0] += 1
    switch name {
    case "gap":
      guard let frames = event["frames"] as? Int, event["filled"] as? Bool == true else {
        throw LabError("a gap is not filled: \(event)")
      }
      gaps.append(frame..<frame + frames)
    case "segment": try takeSegment(event)
    case "end": end = event
    case "warning", "sink-failed", "reader-left", "drift":
      complaints.append("an event that should not come: \(event)")
    default: break
    }
  }

  private mutating func takeSegment(_ event: [String: Any]) throws {
    guard let first = event["first_frame"] as? Int, let frames = event["frames"] as? Int,
      let files = event["files"] as? [[String: Any]]
    else { throw LabError("a segment is \(event)") }
    segments += 1
    func samples(_ feed: String) throws -> [Int16] {
      guard let file = files.first(where: { $0["feed"] as? String == feed }),
        let path = file["path"] as? String
      else { throw LabError("no \(feed) ear in \(event)") }
      let whole = path.hasPrefix("/") ? path : folder(path)
      defer { try? FileManager.default.removeItem(atPath: whole) }
      return try WaveFile([UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))).samples
    }
    let (left, right) = (try samples("left"), try samples("right"))
    guard first == ears.frames, left.count == frames, right.count == frames else {
      throw LabError(
        "the ears have \(left.count) and \(right.count) frames from \(ears.frames) on: \(event)")
    }
    for index in left.indices { try ears.take(left[index], right[index]) }
  }
}

/// Ranges of frames, each as long as can be.
func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
  ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
    if let last = merged.last, range.lowerBound <= last.upperBound {
      merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      merged.append(range)
    }
  }
}
