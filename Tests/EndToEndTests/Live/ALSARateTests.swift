import Foundation
import Lab
import Testing

extension Live {
  @Suite("ALSA: the rate is one that the device has, and is told truly")
  struct ALSARateTests {
    @Test(
      "the first listed rate that the device has: in the header, the file and a program's ears",
      arguments: [
        ([16_000], 16_000), ([11_025], 11_025), ([22_050], 22_050), ([44_100], 44_100),
        ([22_050, 48_000], 22_050), ([11_025, 44_100], 11_025), ([8_000, 16_000, 48_000], 16_000),
      ])
    func listed(has rates: [Int], takes rate: Int) throws {
      let studio = try Studio(VirtualHeadset("headset", rates: rates))
      let count = rate / 5
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "200ms", "-l",
        "exec:cat >heard; echo $SPLITCAP_RATE $SPLITCAP_EAR $SPLITCAP_FORMAT {rate} >told")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("'Virtual headset headset' (headset), \(rate) Hz"))
      #expect(!outcome.errors.contains("resampled"))
      let (left, right) = try (studio.wave("l.wav"), studio.wave("r.wav"))
      #expect(left.rate == rate && right.rate == rate)
      #expect(try Ramp.check(left: left.samples, right: right.samples).count == count)
      #expect(try studio.folder.bytes(of: "heard") == bytes(of: left.samples))
      let told = String(decoding: try studio.folder.bytes(of: "told"), as: UTF8.self)
      #expect(told == "\(rate) left s16le \(rate)\n")
    }

    @Test("--rate gives another list, and its order decides")
    func order() throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [11_025, 44_100, 48_000]))
      let outcome = try studio.run(
        "-D", "headset", "--rate", "32000,48000,11025", "-l", "l.wav", "--frames", "4800")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try studio.wave("l.wav").rate == 48_000)
      #expect(try Ramp.check(studio.wave("l.wav").samples).count == 4_800)
    }

    @Test("a device with none of the list is resampled to the first, which one line says")
    func ownRate() throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [48_000]))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "250ms", "-l",
        "exec:cat >/dev/null; echo $SPLITCAP_RATE >told")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let lines = outcome.lines.filter { $0.contains("48000") }
      #expect(
        lines == [
          "splitcap: resampled 48000 to 16000: the device has none of 16000, 11025, 22050, 44100 Hz"
        ])
      #expect(try studio.folder.bytes(of: "told") == Array("16000\n".utf8))
      // Counted after the rate is known: a quarter of a second at the rate of the files.
      let (left, right) = try (studio.wave("l.wav"), studio.wave("r.wav"))
      #expect(left.rate == 16_000 && right.rate == 16_000)
      #expect(left.samples.count == 4_000 && right.samples.count == 4_000)
      // One sample in three of the ramp; at the start the filter still sees the silence before.
      for i in 600..<3_400 {
        let step = Int(left.samples[i + 1]) - Int(left.samples[i])
        guard abs(step - 3) <= 1, abs(Int(left.samples[i]) + Int(right.samples[i])) <= 1 else {
          Issue.record("sample \(i): \(left.samples[i]) \(right.samples[i]), step \(step)")
          return
        }
      }
    }

    @Test("--resample never makes that an error that lists what the device can do")
    func never() throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [32_000, 48_000]))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--resample", "never")
      #expect(
        outcome.isRefusal(
          3, saying: "'headset'", "none of the rates 16000, 11025, 22050, 44100",
          hint: "32000, 48000 Hz, 2 channels, S16_LE"), "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
    }

    @Test("--resample never changes nothing for a device that has a listed rate")
    func neverNeeded() throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [22_050, 48_000]))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "--resample", "never", "--frames", "1000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try studio.wave("l.wav").rate == 22_050)
      #expect(try Ramp.check(studio.wave("l.wav").samples).count == 1_000)
    }

    @Test(
      "--resample sets the rate of all outputs, and --frames counts theirs",
      arguments: [(16_000, 8_000), (44_100, 48_000), (48_000, 22_050)])
    func outputs(from own: Int, to rate: Int) throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [own]))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "--stereo", "both.wav", "-r", "fd:1", "--resample",
        "\(rate)", "--frames", "3000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("resampled \(own) to \(rate)"))
      #expect(try studio.wave("l.wav").rate == rate)
      #expect(try studio.wave("l.wav").samples.count == 3_000)
      #expect(try studio.wave("both.wav").rate == rate)
      #expect(try studio.wave("both.wav").samples.count == 6_000)
      #expect(outcome.output.count == 6_000)
    }
  }
}
