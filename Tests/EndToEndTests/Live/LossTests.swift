import Glibc
import Lab
import Testing

extension Live {
  @Suite("Lost frames and lost outputs cost the exit status, never the timeline")
  struct LossTests {
    @Test("an overrun becomes silence of its length in both ears, a warning and status 1")
    func overrun() throws {
      var headset = VirtualHeadset("headset")
      headset.maximumBufferFrames = 3_200
      let studio = try Studio(headset)
      let program = try studio.start("-D", "headset", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      program.signal(SIGSTOP)
      pause(milliseconds: 600)
      program.signal(SIGCONT)
      let frames = studio.size(of: "r.wav") / 2
      try studio.waitForSound(in: "r.wav", frames: frames + 16_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("lost at") && outcome.errors.contains("filled with silence"))

      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == right.count)
      let silence = left.indices.filter { left[$0] == 0 }
      #expect(silence == right.indices.filter { right[$0] == 0 })
      let (start, end) = try (#require(silence.first), #require(silence.last) + 1)
      #expect(end - start == silence.count, "more than one gap")
      let before = try Ramp.check(left: Array(left[..<start]), right: Array(right[..<start]))
      let after = try Ramp.check(left: Array(left[end...]), right: Array(right[end...]))
      // The ramp went on while nobody read: what it has moved is what was lost, within 20 ms.
      let lost = (after.first - before.first - before.count + 32_767) % 32_767
      #expect(abs(lost - silence.count) <= 320, "lost \(lost), silent \(silence.count)")
    }

    @Test("one output that fails is told once and costs status 1; the other is whole")
    func oneOutput() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "-q", "-D", "headset", "-l", "l.wav", "-r", "exec:exit 7", "--frames", "8000")
      #expect(outcome.status == .exited(1))
      #expect(outcome.lines.filter { $0.contains("exit 7") }.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("program 'exit 7' exited with status 7"))
      #expect(try Ramp.check(studio.wave("l.wav").samples).count == 8_000)
    }

    @Test("with all outputs failed the recording ends by itself, status 5")
    func allOutputs() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run("-D", "headset", "-l", "exec:exit 7", "-r", "exec:exit 8")
      #expect(outcome.status == .exited(5), "\(outcome.errors)")
      for status in [7, 8] {
        #expect(
          outcome.lines.filter {
            $0.hasPrefix("splitcap: error: ") && $0.contains("exited with status \(status)")
          }.count == 1)
      }
    }
  }
}
