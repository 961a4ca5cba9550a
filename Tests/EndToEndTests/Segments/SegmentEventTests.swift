import Foundation
import Lab
import Testing

@Suite("Segments, as they are told")
struct SegmentEventTests {
  private func events(_ folder: TemporaryFolder, _ name: String) throws -> [[String: Any]] {
    try folder.text(of: "events.jsonl").split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }.filter { $0["event"] as? String == name }
  }

  @Test("an event for each segment, in order, when its files are whole; its counts are theirs")
  func events() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --segment 4s -l l-%i.wav -r r-%i.raw --events events.jsonl",
      expecting: 0)
    let segments = try events(shop.folder, "segment")
    #expect(segments.map { $0["segment"] as? Int } == [1, 2, 3])
    #expect(segments.map { $0["first_frame"] as? Int } == [0, 64_000, 128_000])
    #expect(segments.map { $0["frames"] as? Int } == [64_000, 64_000, 22_001])
    #expect(segments.map { $0["frame"] as? Int } == [64_000, 128_000, 150_001])
    for segment in segments {
      let files = try #require(segment["files"] as? [[String: Any]])
      #expect(files.map { $0["feed"] as? String } == ["left", "right"])
      for file in files {
        let path = try #require(file["path"] as? String)
        #expect(file["bytes"] as? Int == shop.size(path))
        #expect(file["frames"] as? Int == segment["frames"] as? Int)
      }
    }
    let starts = try segments.map { try #require($0["start_time_ns"] as? Int) }
    #expect(starts.map { $0 - starts[0] } == [0, 4_000_000_000, 8_000_000_000])
    #expect(try events(shop.folder, "start").first?["start_time_ns"] as? Int == starts[0])
    let outputs = try #require(
      try events(shop.folder, "end").first?["outputs"] as? [[String: Any]])
    #expect(outputs.map { $0["files"] as? Int } == [3, 3])
    #expect(outputs.map { $0["frames"] as? Int } == [150_001, 150_001])
  }

  @Test("a gap that is too long to be filled begins a segment with its own time, without silence")
  func unfilled() throws {
    let studio = try Studio(VirtualHeadset("headset"))
    let program = try studio.start(
      "-D", "headset", "--segment", "1h", "--wait", "500ms", "-l", "l-%i.wav", "-r", "r-%i.wav",
      "--events", "events.jsonl")
    try studio.waitForSound(in: "l-0001.wav.part", frames: 8_000, of: program)
    program.signal(SIGSTOP)
    // Longer than any device keeps its sound for.
    pause(milliseconds: 4_000)
    program.signal(SIGCONT)
    try waitUntil("a segment begins") {
      try studio.folder.contents().contains("l-0002.wav.part")
    }
    try studio.waitForSound(in: "l-0002.wav.part", frames: 8_000, of: program)
    let outcome = try program.end()
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    #expect(outcome.errors.contains("they are left out, and new files begin there"))
    let gaps = try events(studio.folder, "gap")
    let segments = try events(studio.folder, "segment")
    #expect(gaps.count == 1 && gaps[0]["filled"] as? Bool == false)
    #expect(segments.count == 2 && segments[1]["first_frame"] as? Int == gaps[0]["frame"] as? Int)
    let lost = try #require(gaps[0]["frames"] as? Int)
    let frames = try #require(segments[0]["frames"] as? Int)
    let starts = try segments.map { try #require($0["start_time_ns"] as? Int) }
    let step = Double(starts[1] - starts[0]) * 16_000 / 1e9
    #expect(abs(step - Double(frames + lost)) < 1, "\(step) \(frames) \(lost)")
    for number in 1...2 {
      let left = try studio.wave("l-000\(number).wav").samples
      try Ramp.check(left: left, right: studio.wave("r-000\(number).wav").samples)
      #expect(!left.contains(0))
      #expect(left.count == segments[number - 1]["frames"] as? Int)
    }
  }
}
