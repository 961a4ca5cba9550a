import Lab

@testable import SplitcapCore

extension FuzzTarget {
  /// `repair`: what comes out needs no repair, and has all of the sound that went in.
  static let waveRepair = FuzzTarget(
    "wave-repair",
    seeds: WaveSeeds.streams + WaveSeeds.streams.map { Array($0.dropLast(7)) },
    words: WaveSeeds.words + ["JUNK", "fact", "id3 ", "TAG"].map { Array($0.utf8) }
  ) { bytes in
    let formats = SampleFormat.allCases.filter(WaveRepair.canHold)
    let format = StreamFormat(sampleRate: 16_000, channelCount: 1 + bytes.count % 3)
    let layout = WaveLayout(
      format: format, sampleFormat: formats[bytes.count % formats.count], dataBytes: nil)
    if !bytes.isEmpty {
      try check(WaveRepair(headerless: layout, byteCount: bytes.count), sound: bytes, of: bytes)
    }
    if let (map, plan) = try plan(for: bytes) {
      try check(plan, sound: Array(bytes[map.sound]), of: bytes)
    }
  }

  /// What is to be done about a file; `nil` if it is refused.
  private static func plan(for bytes: [UInt8]) throws -> (WaveFileMap, WaveRepair)? {
    var bytesRead = 0
    do throws(WaveFileMap.Refusal) {
      let map = try WaveFileMap(byteCount: bytes.count) { offset, count in
        bytesRead += count
        return offset <= bytes.count ? Array(bytes[offset...].prefix(count)) : []
      }
      guard bytesRead < 200_000 else { throw .init("makes it read \(bytesRead) bytes\n") }
      return (map, try WaveRepair(map))
    } catch {
      try promise(isPlain(error.reason) && !error.reason.isEmpty, "it '\(error.reason)'")
      return nil
    }
  }

  private static func check(_ plan: WaveRepair, sound: [UInt8], of bytes: [UInt8]) throws {
    try promise(plan.problems.isEmpty == plan.edits.isEmpty, "\(plan.problems): \(plan.edits)")
    try promise(plan.soundBytes == sound.count, "\(plan.soundBytes) bytes of \(sound.count)")
    var repaired: [UInt8] = []
    var offset = 0
    for edit in plan.edits {
      try promise(
        offset <= edit.range.lowerBound && edit.range.upperBound <= bytes.count,
        "\(edit.range) of \(bytes.count) follows \(offset)")
      repaired += bytes[offset..<edit.range.lowerBound] + edit.bytes
      offset = edit.range.upperBound
    }
    repaired += bytes[offset...]
    try promise(
      repaired.count == plan.repairedByteCount,
      "\(repaired.count) bytes, not \(plan.repairedByteCount)")
    guard let (map, again) = try Self.plan(for: repaired) else {
      throw BrokenPromise(description: "what was repaired is refused: \(plan.problems)")
    }
    try promise(again.problems.isEmpty, "\(plan.problems), and then \(again.problems)")
    try promise(again.frames == plan.frames, "\(plan.frames ?? -1) frames, \(again.frames ?? -1)")
    let start = repaired[map.sound].prefix(sound.count)
    try promise(start.elementsEqual(sound), "the sound is another")
  }
}
