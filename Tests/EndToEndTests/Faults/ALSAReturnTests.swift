import Foundation
import Lab
import Testing

extension Live {
  @Suite("ALSA: what the world loses is silence of the same length in both ears")
  struct ALSAReturnTests {
    /// Records a device with one fault until well behind it; the ears are checked frame by frame.
    private func record(
      _ faults: VirtualHeadset.Fault..., seconds: Double, buffer: Int = 16_000,
      misplacement: Int = 0,
      _ more: String..., variables: [String: String?] = [:]
    ) throws -> (outcome: Program.Outcome, silences: [Ramp.Silence], frames: Int) {
      var headset = VirtualHeadset("headset")
      headset.maximumBufferFrames = buffer
      headset.faults = faults
      let studio = try Studio(headset)
      let program = try studio.start(
        ["-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "\(seconds)"] + more,
        variables: variables)
      let outcome = try program.wait()
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      do {
        let silences = try Ramp.checkWithGaps(
          left: left, right: right, tolerance: 320, misplacement: misplacement)
        return (outcome, silences, left.count)
      } catch {
        throw LabError("\(error); it said: \(outcome.errors)")
      }
    }

    @Test(
      "a gap stands where it was, within 20 ms of its true length, and costs status 1",
      arguments: [
        (VirtualHeadset.Fault.overrun(at: 1, for: 0.3), "the device's buffer ran over"),
        (.loss(at: 1, for: 0.3), "dropped it without a word"),
        (.loss(at: 1.0077, for: 0.3), "dropped it without a word"),
        (.gone(at: 1, for: 1.5), "the source was away"),
        (.gone(at: 1, for: 1.5, channels: [4]), "the source was away"),
      ])
    func gap(fault: VirtualHeadset.Fault, cause: String) throws {
      let (outcome, silences, frames) = try record(fault, seconds: 6)
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains(cause), "\(outcome.errors)")
      #expect(frames == 96_000)
      #expect(silences.count == 1, "\(silences) \(outcome.errors)")
    }

    // A card says that it can't be resumed yet; a plug-in says that it was, and is still suspended.
    // What is captured while the program asks, a moment of a millisecond, can't be told apart.
    @Test(
      "what was captured before a suspend stands before the gap, and nothing else does",
      arguments: [true, false])
    func suspended(isCard: Bool) throws {
      let (outcome, silences, frames) = try record(
        .suspended(at: 1, for: 0.5), seconds: 4, misplacement: 16,
        variables: isCard ? VirtualHeadsets.resumeEnvironment : [:])
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(frames == 64_000 && silences.count == 1, "\(silences) \(outcome.errors)")
    }

    @Test("a device that comes back at another rate is resampled to that of the recording")
    func otherRate() throws {
      var headset = VirtualHeadset("headset")
      headset.faults = [.gone(at: 1, for: 1.5, rates: [44_100])]
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "6")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == 96_000 && right.count == 96_000)
      let start = try #require(
        left.indices.first { left[$0...].prefix(100).allSatisfy { $0 == 0 } })
      let end = try #require(left[start...].firstIndex { $0 != 0 })
      expectOnTime(left, right, end..<left.count, rate: 44_100)
    }

    @Test("frames that vanish from a device that is resampled: the gap is as exact, each time")
    func resampledLoss() throws {
      var headset = VirtualHeadset("headset", rates: [48_000])
      headset.faults = [.loss(at: 1, for: 0.2), .loss(at: 3, for: 0.05), .loss(at: 5, for: 0.1)]
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "7")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == 112_000 && right.count == 112_000)
      var start = 0
      for (first, frames) in [(16_000, 3_200), (48_000, 800), (80_000, 1_600)] {
        // A tenth of a gap is enough to find it; the filter rings beside its edges.
        let place = try #require(
          left.indices.dropFirst(start).first { left[$0...].prefix(80).allSatisfy { $0 == 0 } })
        let end = try #require(left[place...].firstIndex { $0 != 0 })
        #expect(abs(place - first) <= 320, "\(outcome.errors)")
        #expect(abs(end - place - frames) <= 320, "\(outcome.errors)")
        expectOnTime(left, right, start..<place - 320, rate: 48_000)
        start = end
      }
      expectOnTime(left, right, start..<left.count, rate: 48_000)
    }

    /// Expects the ramp of a device of `rate` hertz, resampled to 16 kHz; far from its jumps and from
    /// the edge of the filter, each sample tells when it was captured, modulo the ramp's length.
    private func expectOnTime(
      _ left: [Int16], _ right: [Int16], _ range: Range<Int>, rate: Double
    ) {
      for index in range.dropFirst(1_600) where (1_000...31_000).contains(left[index]) {
        #expect(abs(Int(left[index]) + Int(right[index])) <= 1)
        let slope = Double(left[index]) - Double(left[index - 1])
        let seconds = Double(left[index]) / rate - Double(index) / 16_000
        let period = 32_767 / rate
        let off = seconds - (seconds / period).rounded() * period
        guard abs(slope - rate / 16_000) <= 1.3 && abs(off) > 0.02 else { continue }
        Issue.record("frame \(index) is \(left[index]): \(off) s off")
        break
      }
    }

    @Test("what was lost twice is not counted twice: a splice, then an overrun, then an absence")
    func several() throws {
      let (outcome, silences, frames) = try record(
        .loss(at: 1, for: 0.4), .overrun(at: 3, for: 0.5), .gone(at: 5, for: 1), seconds: 8)
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(frames == 128_000)
      #expect(silences.count == 3, "\(silences) \(outcome.errors)")
    }

    @Test(
      "what comes before it is known what the last fault lost: each gap in its own place",
      arguments: [
        [VirtualHeadset.Fault.loss(at: 2, for: 0.3), .gone(at: 2.5, for: 1)],
        [.loss(at: 2, for: 0.3), .loss(at: 2.5, for: 0.2)],
        [.loss(at: 2, for: 0.3), .overrun(at: 2.5, for: 0.2)],
        [.loss(at: 2, for: 0.3), .overrun(at: 2.7, for: 0.2)],
        [.loss(at: 2, for: 0.3), .suspended(at: 2.6, for: 0.4)],
        [.gone(at: 2, for: 0.3), .loss(at: 2.7, for: 0.2)],
        [.gone(at: 2, for: 0.25), .gone(at: 2.7, for: 1.1)],
        [.overrun(at: 2, for: 0.3), .gone(at: 2.45, for: 0.5)],
      ], ["10ms", "50ms"])
    func overlapping(faults: [VirtualHeadset.Fault], latency: String) throws {
      let (outcome, silences, frames) = try record(
        faults[0], faults[1], seconds: 5, misplacement: 320, "--latency", latency)
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(frames == 80_000)
      #expect(silences.count == 2, "\(silences) \(outcome.errors)")
    }

    @Test("how late the first frames after a return were is no part of the next gap")
    func twiceGone() throws {
      let (outcome, silences, _) = try record(
        .gone(at: 2, for: 0.25), .gone(at: 2.7, for: 1.1), seconds: 5, "--latency", "150ms")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(silences.count == 2, "\(silences) \(outcome.errors)")
    }

    @Test("frames that vanish just after a return have a gap of their own")
    func lossAfterReturn() throws {
      let (outcome, silences, frames) = try record(
        .gone(at: 2, for: 0.3), .loss(at: 2.5, for: 0.3), seconds: 5, misplacement: 320)
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(frames == 80_000 && silences.count == 2, "\(silences) \(outcome.errors)")
    }

    @Test("frames that vanished before the device goes for good are counted; those behind are kept")
    func lostBeforeTheEnd() throws {
      for (option, value) in [("--wait", "2s"), ("--on-lost", "stop")] {
        let (outcome, silences, frames) = try record(
          .loss(at: 2, for: 0.3), .gone(at: 2.5), seconds: 20, option, value)
        #expect(outcome.status == .exited(4), "\(outcome.errors)")
        #expect(silences.count == 1, "\(silences) \(outcome.errors)")
        #expect(frames > 38_000, "\(outcome.errors)")
      }
    }

    @Test("a device that is away for longer than --wait is no normal end, nor is --duration then")
    func limitWhileAway() throws {
      for fault in [VirtualHeadset.Fault.hang(at: 2), .gone(at: 2)] {
        let (outcome, silences, frames) = try record(fault, seconds: 4.5, "--wait", "2s")
        #expect(outcome.status == .exited(4), "\(outcome.errors)")
        #expect(outcome.errors.contains("did not come back within 2 s"), "\(outcome.errors)")
        #expect(silences.isEmpty && frames <= 32_000)
        // What is missing at the end is less than that.
        let (ended, end, all) = try record(fault, seconds: 3.5, "--wait", "2s")
        #expect(ended.status == .exited(1), "\(ended.errors)")
        #expect(end.count == 1 && all == 56_000, "\(end) \(ended.errors)")
      }
    }

    @Test("a stall that the device's buffer survives loses nothing")
    func stall() throws {
      let (outcome, silences, frames) = try record(.stall(at: 1, for: 0.6), seconds: 3)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(frames == 48_000)
      #expect(silences.isEmpty, "\(silences) \(outcome.errors)")
    }

    @Test(
      "a device that stays away ends the recording with status 4, and nothing is made up",
      arguments: [
        VirtualHeadset.Fault.gone(at: 1), .gone(at: 1, for: 1, channels: [1]), .hang(at: 1),
      ])
    func gone(fault: VirtualHeadset.Fault) throws {
      let (outcome, silences, frames) = try record(fault, seconds: 20, "--wait", "3s")
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      #expect(outcome.errors.contains("did not come back within 3 s"), "\(outcome.errors)")
      #expect(silences.isEmpty && frames >= 15_000)
    }
  }
}
