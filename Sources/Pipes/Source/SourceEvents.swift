private import Glibc
internal import SplitcapCore

/// What a program behind a stream says about its sound on descriptor 3, one JSON object a line.
///
/// A gap is told before the sound behind it is written. Lines come from strangers: what is no event,
/// or too much of it, is counted and does nothing, and memory is bounded.
struct SourceEvents: ~Copyable, Sendable {
  /// Bytes of a line that are looked at.
  private static let lineLimit = 4_096
  /// Bytes that are read at once: no pipe of a usual user holds more, so that all is seen that was
  /// written before the sound that is there.
  private static let readLimit = 1 << 20
  /// Gaps that wait for their place.
  private static let pendingLimit = 1_000
  /// Warnings that are passed on in all, and characters of each.
  private static let warningLimit = 20
  private static let messageLimit = 300
  /// Gaps that are believed: some, and so many more for each second of sound.
  private static let (gapLimit, gapsPerSecond) = (1_000, 10)
  /// Seconds that a gap may last.
  private static let longestGap = 3_600

  private let descriptor: Descriptor
  private var isOpen = true
  private var buffer = [UInt8](repeating: 0, count: 1 << 12)
  private var line: [UInt8] = []
  private var isTooLong = false

  /// In the order of their frames.
  private var gaps: [(frame: Int, frames: Int)] = []
  private var gapCount = 0
  private var warnings: [String] = []
  private var warningCount = 0
  private var refused = 0
  private var late = 0
  /// Whether there are warnings that nobody was told of yet.
  private var hasNews = false

  /// Frames in a second of the stream; set once its header was read, before gaps are asked for.
  var sampleRate = 1

  /// Takes over the reading end of a pipe.
  init(_ descriptor: consuming Descriptor) throws(Errno) {
    self.descriptor = descriptor
    let raw = self.descriptor.raw
    _ = try Errno.check { fcntl(raw, F_SETFL, O_NONBLOCK) }
  }

  /// The descriptor to wait for; negative once nothing more will come.
  var number: Int32 { isOpen ? descriptor.raw : -1 }

  // MARK: Lines

  /// Takes in what has been written; waits for nothing.
  mutating func drain() {
    guard isOpen else { return }
    var total = 0
    while total < Self.readLimit {
      guard let count = Self.read(descriptor, into: &buffer) else { return }
      guard count > 0 else {
        isOpen = false
        endLine()
        return
      }
      total += count
      var rest = buffer[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        take(rest[..<end])
        endLine()
        rest = rest[(end + 1)...]
      }
      take(rest)
    }
  }

  /// Bytes read; 0 at the end, `nil` if there are none now.
  private static func read(_ descriptor: borrowing Descriptor, into buffer: inout [UInt8]) -> Int? {
    var span = buffer.mutableSpan
    var bytes = unsafe span.mutableBytes
    return try? descriptor.read(into: &bytes)
  }

  private mutating func take(_ part: ArraySlice<UInt8>) {
    let room = Self.lineLimit - line.count
    line += part.prefix(room)
    isTooLong = isTooLong || part.count > room
  }

  private mutating func endLine() {
    defer {
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    guard !line.isEmpty else { return }
    guard !isTooLong, let fields = try? JSONFields(line), take(fields) else {
      refused += 1
      return
    }
  }

  /// Takes an event; false if it is none.
  private mutating func take(_ fields: JSONFields) -> Bool {
    switch fields.text("event") {
    case "gap":
      guard let frame = fields.integer("frame"), let frames = fields.integer("frames") else {
        return false
      }
      return addGap(at: frame, frames)
    case "warning":
      guard let message = fields.text("message"), !message.isEmpty,
        warningCount < Self.warningLimit
      else { return false }
      warningCount += 1
      warnings.append(String(message.prefix(Self.messageLimit)))
      hasNews = true
      return true
    default: return false
    }
  }

  private mutating func addGap(at frame: Int, _ frames: Int) -> Bool {
    guard frame >= 0, frames > 0, gaps.count < Self.pendingLimit else { return false }
    let place = gaps.firstIndex { $0.frame > frame } ?? gaps.count
    gaps.insert((frame, frames), at: place)
    return true
  }

  // MARK: Events

  /// Frames that are missing in front of `frame` of the stream; `nil` for none.
  mutating func takeGap(at frame: Int) -> Int? {
    while let gap = gaps.first, gap.frame <= frame {
      gaps.removeFirst()
      guard gap.frames <= Self.longestGap * sampleRate,
        gapCount < Self.gapLimit + frame / sampleRate * Self.gapsPerSecond
      else {
        refused += 1
        continue
      }
      gapCount += 1
      if gap.frame < frame { late += 1 }
      return gap.frames
    }
    return nil
  }

  /// The frame of the stream that the next gap stands in front of.
  var nextGap: Int? { gaps.first?.frame }

  /// Whether there are new warnings, told once.
  mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  /// The warnings since the last call.
  mutating func takeWarnings() -> [String] {
    defer { warnings = [] }
    return warnings
  }

  /// What a user should know in the end of the program `name`.
  func notes(_ name: String) -> [String] {
    var notes: [String] = []
    let ignored = refused + gaps.count
    if ignored > 0 {
      notes.append(
        "\(ignored) line\(ignored == 1 ? "" : "s") of \(name) on descriptor 3 could not be used")
    }
    if late > 0 {
      notes.append(
        "\(name) told of \(late) gap\(late == 1 ? "" : "s") after the sound behind: the silence "
          + "stands too late")
    }
    return notes
  }
}
