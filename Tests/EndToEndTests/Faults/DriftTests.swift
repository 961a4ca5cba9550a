import Lab
import Testing

extension Live {
  @Suite("A device's clock that is off")
  struct DriftTests {
    @Test(
      "is told in the summary and never filled; by more than a clock can be it is loss, status 1",
      arguments: [(150.0, Int32(0)), (2_000, 1)])
    func drift(ppm: Double, status: Int32) throws {
      var headset = VirtualHeadset("headset")
      headset.driftPPM = ppm
      let studio = try Studio(headset)
      let outcome = try studio.start(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "85s"
      ).wait(within: .seconds(180))
      #expect(outcome.status == .exited(status), "\(outcome.errors)")
      #expect(outcome.errors.contains("no gaps"), "\(outcome.errors)")
      let words = try #require(outcome.errors.firstMatch(of: /is (\d+) ppm faster/))
      #expect(abs((Double(words.output.1) ?? 0) - ppm) <= 100, "\(outcome.errors)")
      let warnings = outcome.lines.filter { $0.hasPrefix("splitcap: warning: the device's clock") }
      #expect(warnings.count == Int(status))
      let piece = try Ramp.check(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples)
      #expect(piece.count == 85 * 16_000)
    }
  }
}
