import Testing

@testable import SplitcapCore

@Suite("What an overrun lost, by the clock")
struct StreamClockTests {
  /// Reads 10 ms blocks for an hour from a device whose clock is off, with looks that are late by
  /// up to 90 ms, and then loses half a second.
  @Test(
    "is right to 5 ms after an hour, though looks are late and the device's clock drifts",
    arguments: [-200.0, 0, 200])
  func drift(ppm: Double) {
    let rate = 16_000
    let trueRate = Double(rate) * (1 + ppm / 1e6)
    let start: Int64 = 5_000_000_000
    func time(atFrame frame: Int) -> Int64 { start + Int64(Double(frame) / trueRate * 1e9) }

    var clock = StreamClock(sampleRate: rate)
    for block in 0..<360_000 {
      let late = Int64(block * 7_919 % 1_000) * 90_000
      clock.observe(available: 160, at: time(atFrame: (block + 1) * 160) + late)
      clock.advance(by: 160)
    }
    let lost = 8_000
    let now = time(atFrame: clock.position + lost + 160)
    #expect(abs(clock.missing(available: 160, at: now) - lost) <= 80)
  }

  @Test("is measured from the first look on")
  func slowStart() {
    var clock = StreamClock(sampleRate: 1_000)
    clock.observe(available: 10, at: 500_000_000)
    clock.advance(by: 10)
    #expect(clock.missing(available: 5, at: 600_000_000) == 95)
  }

  @Test(
    "drift is told to 20 ppm after two minutes of late looks; 2000 ppm can be no clock",
    arguments: [(-200.0, false), (0, false), (200, false), (2_000, true), (-2_000, true)])
  func driftEstimate(ppm: Double, isExcess: Bool) throws {
    let rate = 16_000
    let trueRate = Double(rate) * (1 + ppm / 1e6)
    var clock = StreamClock(sampleRate: rate)
    for block in 0..<13_000 {
      let late = Int64(block * 7_919 % 1_000) * 20_000
      clock.advance(by: 160)
      clock.observe(at: 5_000_000_000 + Int64(Double(clock.position) / trueRate * 1e9) + late)
    }
    let estimate = try #require(clock.drift.partsPerMillion)
    #expect(abs(estimate - ppm) <= 20, "\(estimate)")
    #expect((clock.drift.excess != nil) == isExcess)
  }

  @Test("a loss whose length is known to milliseconds only is no drift")
  func driftAcrossLoss() throws {
    var clock = StreamClock(sampleRate: 1_000)
    for second in 1...200 {
      if second % 20 == 0 { clock.skip(15) }
      clock.advance(by: 1_000)
      clock.observe(at: Int64(clock.position) * 1_000_000 - Int64(second / 20) * 15_000_000)
    }
    #expect(clock.drift.excess == nil)
  }

  @Test("is nothing for who comes in time")
  func nothing() {
    var clock = StreamClock(sampleRate: 1_000)
    clock.observe(available: 10, at: 10_000_000)
    #expect(clock.missing(available: 10, at: 10_000_000) == 0)
    clock.advance(by: 10)
    #expect(clock.lateness(at: 10_000_000) == 0)
    #expect(clock.lateness(at: 15_000_000) == 5_000_000)
  }
}
