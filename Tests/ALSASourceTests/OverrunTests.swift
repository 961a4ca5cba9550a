import ALSASource
import Foundation
import Lab
import SplitcapCore
import Testing

@Suite("A reader that comes too late")
struct OverrunTests {
  /// How far a gap may be from the truth.
  private static let toleranceSeconds = 0.020

  @Test(
    "what an overrun lost is measured: frames and gap agree with the device's own count",
    arguments: [16_000, 48_000])
  func gap(rate: Int) throws {
    var source = try Devices.open("short", rates: [rate])
    var recording = try source.record(4_000)
    for _ in 0..<3 {
      // The buffer lasts 0.2 s at 16 kHz, 0.07 s at 48 kHz.
      Thread.sleep(forTimeInterval: 0.4)
      try source.record(4_000, into: &recording)
    }
    #expect(recording.gaps.count >= 3)
    check(recording, rate: rate)
  }

  @Test("an overrun right after the first read is measured too")
  func earlyGap() throws {
    var source = try Devices.open("short")
    var recording = try source.record(1)
    Thread.sleep(forTimeInterval: 0.5)
    try source.record(4_000, into: &recording)
    #expect(!recording.gaps.isEmpty)
    check(recording, rate: 16_000)
  }

  @Test("the buffer takes a stall of 1 s, and is not so long as to hide one of 2.5 s")
  func bufferLength() throws {
    var source = try Devices.open("stereo")
    var recording = try source.record(1_600)
    Thread.sleep(forTimeInterval: 1)
    try source.record(20_000, into: &recording)
    #expect(recording.gaps.isEmpty)
    #expect(recording.channel(0) == recording.ramp(channel: 0))
    Thread.sleep(forTimeInterval: 2.5)
    try source.record(4_000, into: &recording)
    #expect(!recording.gaps.isEmpty)
    check(recording, rate: 16_000)
  }

  @Test("twenty overruns do not end a recording")
  func neverByCount() throws {
    var source = try Devices.open("short", rates: [48_000])
    var recording = try source.record(480)
    for _ in 0..<20 {
      Thread.sleep(forTimeInterval: 0.08)
      try source.record(480, into: &recording)
    }
    #expect(recording.gaps.count >= 20)
    check(recording, rate: 48_000)
  }

  /// Checks that each stretch is a ramp, and that it begins where frames and gaps before it say.
  private func check(_ recording: Recording, rate: Int) {
    let left = recording.channel(0)
    let starts = [0] + recording.gaps.map(\.after)
    let ends = recording.gaps.map(\.after) + [left.count]
    var lost = 0
    for (stretch, range) in zip(starts, ends).enumerated() {
      if stretch > 0 {
        #expect(recording.gaps[stretch - 1].gap.cause == .overrun)
        lost += recording.gaps[stretch - 1].gap.frames
      }
      let (start, end) = range
      let first = VirtualHeadset.frame(ofLeft: left[start])
      #expect(
        Array(left[start..<end])
          == (0..<(end - start)).map { VirtualHeadset.sample(channel: 0, frame: first + $0) })
      // The ramp tells the frame modulo its length; the error is far below half of that.
      let error = (start + lost - first + 16_383) % 32_767 - 16_383
      #expect(
        abs(Double(error)) <= Self.toleranceSeconds * Double(rate),
        "off by \(error) frames after \(stretch) gaps")
    }
  }
}
