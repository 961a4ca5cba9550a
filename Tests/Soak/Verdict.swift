import Foundation
import Lab

/// Compares what a recording told with what it wrote and what it held.
struct Verdict {
  /// Frames that were asked for.
  let frames: Int
  /// Frames per second, in hertz.
  let rate: Int
  /// By how many frames a gap may be wrong.
  let limit: Int
  let outcome: Program.Outcome
  let recorded: Recorded
  let watch: ProcessWatch
  /// What the slow reader found; `nil` if it left no word.
  let reader: SlowReader.Report?

  /// What is wrong, in sentences; says what was measured as it goes.
  var complaints: [String] {
    recorded.complaints + endComplaints + gapComplaints + readerComplaints + holdingComplaints
  }

  private var endComplaints: [String] {
    print("events: \(recorded.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    print("\(recorded.segments) segments, \(recorded.ears.frames) frames")
    var complaints: [String] = []
    // Frames were lost, and told: that is what it is for.
    if outcome.status != .exited(1) { complaints.append("it ended with \(outcome.status)") }
    if recorded.end?["frames"] as? Int != frames || recorded.ears.frames != frames {
      complaints.append(
        "\(frames) frames were asked for, \(recorded.end?["frames"] ?? "none") told of, "
          + "\(recorded.ears.frames) written")
    }
    if !complaints.isEmpty { complaints.append("it said: \(outcome.errors)") }
    return complaints
  }

  /// Silence stands where a gap was told, nowhere else, and is as long as what was lost.
  private var gapComplaints: [String] {
    let silences = merged(recorded.ears.silences.map { $0.first..<$0.first + $0.frames })
    let gaps = merged(recorded.gaps)
    let lost = gaps.reduce(0) { $0 + $1.count }
    let farthest = recorded.ears.silences.map { abs($0.shift) }.max() ?? 0
    let total = recorded.ears.silences.reduce(0) { $0 + $1.shift }
    print(
      "\(gaps.count) gaps of \(lost) frames; the longest error of one is \(milliseconds(farthest)), "
        + "of all together \(milliseconds(abs(total))); \(recorded.ears.misplacedFrames) frames "
        + "stand on the wrong side of one")
    var complaints: [String] = []
    if let odd = Set(silences).symmetricDifference(gaps).min(by: { $0.lowerBound < $1.lowerBound })
    {
      complaints.append("frames \(odd) are \(gaps.contains(odd) ? "a gap" : "silence") only")
    }
    if farthest > limit {
      complaints.append("a gap is \(milliseconds(farthest)) off, more than \(milliseconds(limit))")
    }
    return complaints
  }

  private var readerComplaints: [String] {
    let outputs = recorded.end?["outputs"] as? [[String: Any]] ?? []
    let told = outputs.first { $0["feed"] as? String == "stereo" } ?? [:]
    guard let reader else { return ["the slow reader left no word: \(told)"] }
    print(
      "the slow reader: \(reader.frames) frames, \(reader.silentFrames) of them silence, "
        + "\(told["dropped_frames"] ?? "?") dropped")
    var complaints = [reader.complaint].compactMap { $0.map { "the slow reader: \($0)" } }
    if told["frames"] as? Int != reader.frames || reader.frames != frames
      || told["silent_frames"] as? Int != reader.silentFrames
    {
      complaints.append("the slow reader has \(reader), and was told of as \(told)")
    }
    return complaints
  }

  /// The last hour holds what the first one held.
  private var holdingComplaints: [String] {
    let hours = watch.medians
    for (number, hour) in hours.enumerated() {
      print(
        "hour \(number + 1): \(hour.residentKiB) KiB, \(hour.descriptors) descriptors, "
          + "\(hour.threads) threads")
    }
    guard let first = hours.first, let last = hours.last, hours.count > 1 else {
      return ["it was not watched for two hours"]
    }
    var complaints: [String] = []
    if abs(last.residentKiB - first.residentKiB) > 1_024 { complaints.append("memory is not flat") }
    if last.descriptors != first.descriptors { complaints.append("descriptors leak") }
    if last.threads != first.threads { complaints.append("threads leak") }
    return complaints
  }

  private func milliseconds(_ frames: Int) -> String { "\(frames * 1_000 / rate) ms" }
}
