private import Glibc
internal import SplitcapCore

/// Reads an events file, recording by recording, and keeps the one that two files are of.
struct EventFile: Sendable {
  /// Whether the last line is not whole, since its writer was killed.
  private(set) var isCut = false

  private let path: String
  private let wanted: EventRun.Wanted
  private var line = 0
  /// The recording that is being told of.
  private var run: EventRun
  private var runCount = 0
  /// The only recording, if there is one.
  private var only: EventRun?
  /// The recording that has both files, by the closest names.
  private var best: EventRun?
  /// Whether another one has files that are as close.
  private var isAmbiguous = false

  private static let lineLimit = 1 << 20

  /// Reads the file at `path`, line by line, in memory that does not grow with its recordings.
  ///
  /// - Parameters:
  ///   - path: The events.
  ///   - wanted: The files of both ears.
  /// - Throws: ``SplitcapError`` of a kind that means status 3 if it can't be read or is no such
  ///   file.
  init(path: String, wanted: EventRun.Wanted) throws(SplitcapError) {
    self.path = path
    self.wanted = wanted
    run = EventRun(wanted)
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
    if !pending.isEmpty { isCut = take(pending) != nil }
    endRun()
  }

  /// The recording that both files are of.
  ///
  /// One that is alone in its file, and was never cut, needs no names: files are moved and renamed.
  ///
  /// - Throws: ``SplitcapError`` of a kind that means status 3 if that can't be told.
  func recording() throws(SplitcapError) -> EventRun {
    let files = "\(wanted.left.path.quoted) and \(wanted.right.path.quoted)"
    guard !isAmbiguous else {
      throw refusal(
        "tells of more than one pair of files that \(files) may be",
        hint: "name the files as the recording did, from the folder that it ran in")
    }
    if let best { return best }
    guard let only else {
      guard runCount > 0 else { throw refusal("tells of no recording", hint: Self.hint) }
      throw refusal(
        "tells of \(runCount) recordings, and of none that wrote both \(files)",
        hint: "put the lines of their recording, from its 'start' to its 'end', into a file of "
          + "their own")
    }
    guard !only.isSegmented else {
      throw refusal(
        "tells of a recording in several files, and \(files) are not among them",
        hint: "name files that its 'segment' events tell of, or leave out --events")
    }
    return only
  }

  // MARK: Lines

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
    guard let event = fields.text("event") else { return "no event is named" }
    // Of a recording that was killed there is no end.
    if event == "start" || run.hasEnded { endRun() }
    return run.take(event, fields)
  }

  // MARK: Recordings

  private mutating func endRun() {
    defer { run = EventRun(wanted) }
    guard run.isTold else { return }
    runCount += 1
    only = runCount == 1 ? run : nil
    guard let fit = run.fit else { return }
    var isAmbiguous = run.isAmbiguous
    if let best, let bestFit = best.fit {
      guard fit >= bestFit else { return }
      if fit == bestFit {
        isAmbiguous = isAmbiguous || self.isAmbiguous || !fit.isSure && !best.hasFiles(of: run)
      }
    }
    // Of recordings to the same files, the last one overwrote them.
    best = run
    self.isAmbiguous = isAmbiguous
  }

  // MARK: Refusals

  private static let hint = "it is what 'splitcap record --events FILE' writes, an object a line"

  private func wrong(_ reason: String) -> SplitcapError {
    SplitcapError(
      .unsupportedFormat, "\(path.quoted) is no events file: line \(line): \(reason)",
      hint: Self.hint)
  }

  private func refusal(_ reason: String, hint: String) -> SplitcapError {
    SplitcapError(.unsupportedFormat, "\(path.quoted) \(reason)", hint: hint)
  }
}
