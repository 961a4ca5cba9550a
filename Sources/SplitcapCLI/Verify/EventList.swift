private import Glibc
internal import SplitcapCore

/// What an events file tells of a recording: its start and its gaps.
struct EventList: Sendable {
  /// Wall-clock time of frame 0, as the recording wrote it.
  private(set) var start: String?
  /// Frames per second, in hertz.
  private(set) var rate: Int?
  /// Frames of the whole recording; `nil` if its end was not told.
  private(set) var frames: Int?
  /// The gaps, in the order they were told.
  private(set) var gaps: [EarComparison.Claim] = []
  /// Whether the last line is not whole, since its writer was killed.
  private(set) var isCut = false

  private let path: String
  private var line = 0

  /// More than any sane recording has; what a hostile file may cost is bounded.
  private static let gapLimit = 1_000_000
  private static let lineLimit = 1 << 20

  /// Reads the file at `path`, line by line.
  ///
  /// - Throws: ``SplitcapError`` of a kind that means status 3 if it can't be read or is no such
  ///   file.
  init(path: String) throws(SplitcapError) {
    self.path = path
    let file = try Self.checked(path) { () throws(Errno) in
      try Descriptor(opening: path, O_RDONLY)
    }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var pending: [UInt8] = []
    while true {
      let count = try Self.checked(path) { () throws(Errno) in
        var room = block.mutableSpan
        var bytes = unsafe room.mutableBytes
        return try file.read(into: &bytes)
      }
      guard count > 0 else { break }
      pending += block[..<count]
      try takeLines(&pending)
    }
    guard !pending.isEmpty else { return }
    line += 1
    isCut = take(pending) != nil
  }

  private static func checked<Result: ~Copyable>(
    _ path: String, _ call: () throws(Errno) -> Result
  ) throws(SplitcapError) -> Result {
    do throws(Errno) {
      return try call()
    } catch {
      throw SplitcapError(cannot: "read", source: path.quoted, error)
    }
  }

  private mutating func takeLines(_ pending: inout [UInt8]) throws(SplitcapError) {
    var start = 0
    while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
      line += 1
      if let reason = take(Array(pending[start..<end])) { throw wrong(reason) }
      start = end + 1
    }
    pending.removeSubrange(..<start)
    guard pending.count <= Self.lineLimit else {
      line += 1
      throw wrong("it is longer than any event")
    }
  }

  /// Takes an event.
  ///
  /// - Returns: What is wrong with it; `nil` if nothing is.
  private mutating func take(_ bytes: [UInt8]) -> String? {
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0d }) else { return nil }
    let fields: JSONFields
    do throws(JSONFields.Failure) {
      fields = try JSONFields(bytes)
    } catch {
      return "\(error.reason) at byte \(error.offset + 1)"
    }
    switch fields.text("event") {
    case "start":
      start = start ?? fields.text("start_time")
      rate = rate ?? fields.integer("source", "recorded", "rate")
    case "end": frames = fields.integer("frames")
    case "gap":
      guard let frame = fields.integer("frame"), let frames = fields.integer("frames"),
        frame >= 0, frames > 0, frame <= Int.max - frames
      else { return "a gap without its frame and frames" }
      // One that was too long stands in no file.
      if fields["filled"] == .bool(false) { return nil }
      guard gaps.count < Self.gapLimit else { return "more than \(Self.gapLimit) gaps" }
      let cause = fields.text("cause") ?? "unknown"
      gaps.append(EarComparison.Claim(frame..<frame + frames, cause: cause))
    case nil: return "no event is named"
    default: break
    }
    return nil
  }

  private func wrong(_ reason: String) -> SplitcapError {
    SplitcapError(
      .unsupportedFormat, "\(path.quoted) is no events file: line \(line): \(reason)",
      hint: "it is what 'splitcap record --events FILE' writes, an object a line")
  }
}
