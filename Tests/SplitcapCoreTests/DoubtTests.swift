import Testing

@testable import SplitcapCore

@Suite("Doubt")
struct DoubtTests {
  private static let ms: Int64 = 1_000_000
  private static let latency = 10 * ms

  /// A device that delivers every 10 ms, and the doubt that its frames cause.
  private struct Device {
    var now: Int64 = 0
    /// Time that its frames are behind, since some are missing or still wait.
    var late: Int64 = 0
    var frame = 0
    private(set) var doubt: Doubt?

    /// Reads 10 ms of sound, which took `time`; the last of it may have been captured `late` before.
    mutating func read(
      taking time: Int64 = 10 * ms, late more: Int64 = 0, cause: Gap.Cause = .splice
    ) -> Doubt.Verdict? {
      late += more
      let arrival = Doubt.Arrival(
        start: now, end: now + time, length: 10 * ms, origin: late, firstFrame: frame, cause: cause)
      now += time
      frame += 1
      guard doubt != nil else {
        if late > Doubt.limit(latency: latency) {
          doubt = Doubt(arrival, origin: 0, latency: latency)
        }
        return nil
      }
      return doubt!.add(arrival)
    }

    /// Reads at the device's pace until it is decided.
    mutating func decide() -> (verdict: Doubt.Verdict, reads: Int) {
      for reads in 1...200 {
        if let verdict = read(), verdict != .open { return (verdict, reads) }
      }
      return (.open, 200)
    }
  }

  @Test("frames that come at once after a hold-up were never lost")
  func hiccup() {
    var device = Device()
    for _ in 0..<10 { #expect(device.read() == nil) }
    #expect(device.read(taking: 310 * Self.ms, late: 300 * Self.ms) == nil)
    var verdict: Doubt.Verdict?
    // What waited comes in no time.
    repeat { verdict = device.read(taking: 0, late: -10 * Self.ms) } while verdict == .open
    #expect(verdict == .inTime)
    #expect(device.late <= 15 * Self.ms)
  }

  @Test("frames that go on late at the device's pace are behind a loss of that length")
  func loss() {
    var device = Device()
    for _ in 0..<10 { #expect(device.read() == nil) }
    _ = device.read(taking: 310 * Self.ms, late: 300 * Self.ms, cause: .stall)
    let (verdict, reads) = device.decide()
    guard case .missing(let losses) = verdict, losses.count == 1 else {
      Issue.record("\(verdict)")
      return
    }
    #expect(losses[0].length == 300 * Self.ms && losses[0].cause == .stall)
    #expect(losses[0].firstFrame == 10)
    // 100 ms after the start, less what is missing.
    #expect(losses[0].place == -200 * Self.ms)
    #expect(reads == 50)
  }

  @Test("a second loss before the first is decided is one of its own")
  func twoLosses() {
    var device = Device()
    _ = device.read()
    _ = device.read(taking: 210 * Self.ms, late: 200 * Self.ms)
    for _ in 0..<20 { #expect(device.read() == .open) }
    #expect(device.read(taking: 110 * Self.ms, late: 100 * Self.ms) == .open)
    guard case .missing(let losses) = device.decide().verdict, losses.count == 2 else {
      Issue.record("no two losses")
      return
    }
    #expect(losses.map(\.length) == [200 * Self.ms, 100 * Self.ms])
    #expect(losses.map(\.firstFrame) == [1, 22])
  }

  @Test("a hold-up while a loss is not decided yet is no second loss, nor a part of the first")
  func hiccupInDoubt() {
    var device = Device()
    _ = device.read()
    _ = device.read(taking: 210 * Self.ms, late: 200 * Self.ms)
    for _ in 0..<20 { #expect(device.read() == .open) }
    #expect(device.read(taking: 110 * Self.ms, late: 100 * Self.ms) == .open)
    for _ in 0..<10 { #expect(device.read(taking: 0, late: -10 * Self.ms) == .open) }
    guard case .missing(let losses) = device.decide().verdict else {
      Issue.record("no loss")
      return
    }
    #expect(losses.map(\.length) == [200 * Self.ms])
  }

  @Test("frames that never have to be waited for are behind no loss, however slowly they are read")
  func starved() {
    var device = Device()
    _ = device.read()
    _ = device.read(taking: 310 * Self.ms, late: 300 * Self.ms)
    for _ in 0..<100 {
      #expect(device.read(taking: 0) == .open)
      device.now += 10 * Self.ms
    }
    #expect(device.doubt?.losses(nothingWaits: false) == [])
  }

  @Test("what is known when something else happens is kept, and what is not known is not made up")
  func cutShort() {
    var device = Device()
    _ = device.read()
    _ = device.read(taking: 210 * Self.ms, late: 200 * Self.ms)
    #expect(device.doubt?.losses(nothingWaits: false) == [])
    #expect(device.doubt?.losses(nothingWaits: true).map(\.length) == [200 * Self.ms])
    for _ in 0..<5 { _ = device.read() }
    #expect(device.doubt?.losses(nothingWaits: false).map(\.length) == [200 * Self.ms])

    var held = Device()
    _ = held.read()
    _ = held.read(taking: 1_010 * Self.ms, late: 1_000 * Self.ms)
    for _ in 0..<50 { _ = held.read(taking: Self.ms, late: -9 * Self.ms) }
    #expect(held.doubt?.losses(nothingWaits: false) == [])
  }
}
