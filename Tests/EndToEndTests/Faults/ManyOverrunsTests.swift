import Foundation
import Lab
import Testing

extension Live {
  @Suite("L43, L44: a device that overruns again and again is recorded to the end")
  struct ManyOverrunsTests {
    @Test("thirty overruns, each silence of its length in its place", arguments: [16_000, 44_100])
    func many(rate: Int) throws {
      var headset = VirtualHeadset("headset", rates: [rate])
      headset.faults = (0..<30).map { .overrun(at: 0.5 + 0.3 * Double($0), for: 0.15) }
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "10s")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == 10 * rate)
      let silences = try Ramp.checkWithGaps(left: left, right: right, tolerance: rate / 50)
      // A program that is held up for long may see several as one.
      #expect((1...30).contains(silences.count))
      #expect(outcome.lines.filter { $0.contains("lost at") }.count >= silences.count)
      let lost = silences.map(\.frames).reduce(0, +)
      let seconds = String(format: "%.3f", Double(lost) / Double(rate))
      #expect(outcome.errors.contains(" gaps, \(seconds) s of them"), "\(outcome.errors)")
      // Errors must not add up: the last frame stands where the device's clock says.
      #expect(abs(silences.map(\.shift).reduce(0, +)) <= rate / 50, "\(silences)")
    }

    @Test("a device that overruns all the time: what it gives stands in its place")
    func always() throws {
      var headset = VirtualHeadset("headset")
      headset.maximumBufferFrames = 640
      headset.faults = (1..<200).map { .overrun(at: 0.05 * Double($0), for: 0.04) }
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "6s")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == 96_000)
      try Ramp.checkWithGaps(left: left, right: right, tolerance: 320)
    }
  }
}
