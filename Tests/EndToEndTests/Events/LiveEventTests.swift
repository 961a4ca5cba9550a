import Foundation
import Lab
import Testing

extension Live {
  @Suite("Events of a device")
  struct LiveEventTests {
    @Test("each gap stands at its frame, and the counts are those of the files")
    func gaps() throws {
      var headset = VirtualHeadset("headset", channels: [4])
      headset.maximumBufferFrames = 3_200
      let studio = try Studio(headset)
      let program = try studio.start(
        "-q", "-D", "headset", "--channels", "4,3", "-l", "l.wav", "-r", "r.wav", "--events", "log")
      for _ in 0..<2 {
        let frames = studio.size(of: "r.wav") / 2
        try studio.waitForSound(in: "r.wav", frames: frames + 16_000, of: program)
        program.signal(SIGSTOP)
        pause(milliseconds: 600)
        program.signal(SIGCONT)
      }
      let frames = studio.size(of: "r.wav") / 2
      try studio.waitForSound(in: "r.wav", frames: frames + 16_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")

      let events = try EventLine.all(in: studio.folder.text(of: "log"))
      let (start, end) = try events.ends()
      let source = try #require(start.object("source"))
      #expect(source.text("backend") == "alsa" && source.text("name") == "headset")
      #expect(source.object("native")?.number("channels") == 4)
      #expect(start.members["ears"] as? [Int] == [4, 3])

      let gaps = events.named("gap")
      #expect(gaps.count >= 2)
      let left = try studio.wave("l.wav").samples
      for (samples, output) in zip(
        [left, try studio.wave("r.wav").samples], end.objects("outputs"))
      {
        // No sample of the headset is 0: silence is what was filled in.
        let silence = samples.indices.filter { samples[$0] == 0 }
        #expect(silence == gaps.flatMap { $0.frame..<$0.frame + ($0.number("frames") ?? 0) })
        #expect(output.number("frames") == samples.count)
        #expect(output.number("silent_frames") == silence.count)
        #expect(output.number("dropped_frames") == 0)
      }
      #expect(end.frame == left.count && end.number("gap_count") == gaps.count)
      #expect(end.number("gap_frames") == gaps.reduce(0) { $0 + ($1.number("frames") ?? 0) })
      #expect(gaps.allSatisfy { $0.text("cause") == "overrun" })
      #expect(gaps.allSatisfy { $0.members["filled"] as? Bool == true })
      #expect(end.text("ending") == "stopped" && end.number("exit_status") == 1)
    }

    @Test("a dead ear is a warning, at a frame after which it was dead for so long")
    func warning() throws {
      let studio = try Studio()
      let (rate, seconds) = (8_000, 5)
      let stereo = (0..<rate * seconds).flatMap { frame -> [Int16] in [Ramp.left(frame), 0] }
      try studio.folder.write(WaveBytes.pcm(stereo, rate: rate), to: "in.wav")
      let outcome = try studio.run(
        "-q", "-i", "in.wav", "-l", "l.wav", "-r", "r.wav", "--events", "-")
      #expect(outcome.status == .exited(0))
      let events = try EventLine.all(in: outcome.text)
      #expect(events.names == ["start", "warning", "end"])
      #expect(events[1].text("finding") == "right-silent")
      #expect(events[1].text("message")?.contains("right ear") == true)
      #expect(events[1].text("hint")?.isEmpty == false)
      #expect((3 * rate...rate * seconds).contains(events[1].frame))
      #expect(events[2].object("right")?.isNull("peak_dbfs") == true)
    }

    @Test("frame 0 has its time by the clock that counts on while the program waits")
    func startTime() throws {
      var headset = VirtualHeadset("headset")
      headset.pattern = .time
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-q", "-D", "headset", "-l", "l.wav", "--frames", "8000", "--events", "-")
      let (start, _) = try EventLine.all(in: outcome.text).ends()
      let samples = try studio.wave("l.wav").samples
      // Of each two samples, that of the even frame is not negative.
      let even = samples[0] >= 0 ? 0 : 1
      let captured =
        VirtualHeadset.time(even: samples[even], odd: samples[even + 1]) - even * 1_000_000 / 16_000
      let told = try #require(start.number("start_monotonic_ns")) / 1_000
      // The time in the samples has 30 bits.
      let late = (told - captured) & 0x3FFF_FFFF
      #expect(late < 5_000_000 || late > 0x3FFF_FFFF - 1_000, "\(late) µs after it was captured")
    }

    @Test("a device that goes away and comes back: lost, back with what it is now, and the gap")
    func comesBack() throws {
      var headset = VirtualHeadset("headset")
      headset.faults = [.gone(at: 1, for: 1.5, channels: [4])]
      let studio = try Studio(headset)
      let outcome = try studio.run(
        "-q", "-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "6", "--events", "log")
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let events = try EventLine.all(in: studio.folder.text(of: "log"))
      #expect(events.names == ["start", "lost", "back", "gap", "end"])
      let samples = try studio.wave("r.wav").samples
      let silence = samples.indices.filter { samples[$0] == 0 }
      #expect(events[1].object("error")?.text("kind") == "source-lost")
      #expect(events[1].frame == silence.first)
      let now = events[2].object("source")
      #expect(now?.text("name") == "headset" && now?.object("native")?.number("channels") == 4)
      #expect(events[3].text("cause") == "away" && events[3].frame == silence.first)
      #expect(events[3].number("frames") == silence.count)
      #expect(events[4].text("ending") == "limit" && events[4].frame == 96_000)
    }

    @Test("a device that is waited for at the start is lost at frame 0, before the start")
    func absentAtStart() throws {
      let server = try PrivatePulseServer()
      let studio = try Studio(server: server)
      func start() throws -> Program {
        try studio.start(
          ["-q", "-D", "ears", "--wait", "1h", "-l", "l.wav", "--events", "log"])
      }
      let given = try start()
      try waitUntil("it waits") { studio.size(of: "log") > 0 }
      #expect(try given.end().status == .exited(0))
      var events = try EventLine.all(in: studio.folder.text(of: "log"))
      #expect(events.names == ["lost", "end"])
      #expect(events[0].frame == 0)
      #expect(events[0].object("error")?.text("kind") == "source-unavailable")
      #expect(events[1].text("ending") == "stopped" && events[1].number("exit_status") == 0)
      #expect(try studio.folder.contents() == ["log"])

      try FileManager.default.removeItem(atPath: studio.folder("log"))
      let program = try start()
      try waitUntil("it waits") { studio.size(of: "log") > 0 }
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      try studio.waitForSound(in: "l.wav", frames: 3_000, of: program)
      #expect(try program.end().status == .exited(0))
      events = try EventLine.all(in: studio.folder.text(of: "log"))
      #expect(events.names == ["lost", "start", "end"])
      withExtendedLifetime(microphone) {}
    }

    @Test("a source that goes away is told with its error in the end")
    func loss() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start(
        "-q", "-D", "ears", "--on-lost", "stop", "-l", "l.wav", "-r", "r.wav", "--events", "log")
      try studio.waitForSound(in: "r.wav", frames: 3_000, of: program)
      try server.unload(microphone.module)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      let (_, end) = try EventLine.all(in: studio.folder.text(of: "log")).ends()
      #expect(end.text("ending") == "source-failed" && end.number("exit_status") == 4)
      #expect(end.object("error")?.text("kind") == "source-lost")
      #expect(try end.number("frames") == studio.wave("l.wav").samples.count)
    }
  }
}
