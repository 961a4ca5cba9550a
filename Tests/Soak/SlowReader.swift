import Foundation
import Lab

/// Reads both ears from standard input as a recogniser that is slow now and then, and checks them.
struct SlowReader {
  private let path: String
  /// Frames until it pauses no more, so that it is done when the recording is.
  private let busyFrames: Int
  // Where gaps are, the files tell exactly.
  private var reader = RampReader(tolerance: .max, misplacement: .max)
  /// The start of a frame whose rest is still to come.
  private var rest: [UInt8] = []

  init(reportingTo path: String, busyFrames: Int) {
    self.path = path
    self.busyFrames = busyFrames
  }

  /// What a reader found.
  struct Report: Codable {
    /// Frames that it read.
    var frames = 0
    /// Frames of silence among them.
    var silentFrames = 0
    /// The first thing that was wrong.
    var complaint: String?
  }

  mutating func run() throws {
    var random = SplitMix64(seed: 1)
    var complaint: String?
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var nextPause = 1_000_000
    while true {
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      guard count > 0 else { break }
      do {
        try take(bytes.prefix(count))
      } catch {
        complaint = complaint ?? "\(error)"
      }
      guard reader.frames > nextPause, reader.frames < busyFrames else { continue }
      nextPause = reader.frames + Int.random(in: 5_000_000...20_000_000, using: &random)
      try report(complaint)
      // Longer than the queue, about every other time.
      pause(milliseconds: Int.random(in: 5_000...120_000, using: &random))
    }
    try report(complaint)
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) throws {
    let bytes = rest + bytes
    let whole = bytes.count / 4 * 4
    rest = Array(bytes[whole...])
    for place in stride(from: 0, to: whole, by: 4) {
      func sample(_ i: Int) -> Int16 {
        Int16(bitPattern: UInt16(bytes[place + i]) | UInt16(bytes[place + i + 1]) << 8)
      }
      try reader.take(sample(0), sample(2))
    }
  }

  private func report(_ complaint: String?) throws {
    let report = Report(
      frames: reader.frames, silentFrames: reader.silences.reduce(0) { $0 + $1.frames },
      complaint: complaint)
    try JSONEncoder().encode(report).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
