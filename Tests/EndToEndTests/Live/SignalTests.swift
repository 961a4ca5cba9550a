import Glibc
import Lab
import Testing

extension Live {
  @Suite("Signals: what was captured before is written, then the program leaves")
  struct SignalTests {
    @Test(
      "all that an ALSA device had captured is in the files, status 0",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func device(signal: Int32) throws {
      var headset = VirtualHeadset("headset")
      headset.pattern = .time
      let studio = try Studio(headset)
      let program = try studio.start("-D", "headset", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      let signalled = now()
      let outcome = try program.end(by: signal)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(!outcome.errors.contains("error") && !outcome.errors.contains("Interrupted"))
      for name in ["l.wav", "r.wav"] {
        #expect(isAfter(try lastTime(in: studio.wave(name).samples), signalled))
      }
    }

    @Test("so it is after the program was held up, with a second of sound on its way")
    func backlog() throws {
      var headset = VirtualHeadset("headset")
      headset.pattern = .time
      let studio = try Studio(headset)
      let program = try studio.start("-D", "headset", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      program.signal(SIGSTOP)
      pause(milliseconds: 1_000)
      let signalled = now()
      program.signal(SIGINT)
      program.signal(SIGCONT)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(isAfter(try lastTime(in: studio.wave("r.wav").samples), signalled))
    }

    @Test(
      "all that a Pulse server had taken is in the files", arguments: [SIGINT, SIGTERM, SIGHUP])
    func server(signal: Int32) throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start("-D", "ears", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      let (outcome, fed) = try microphone.whileStalled {
        let fed = try microphone.waitUntilTaken()
        return (try program.end(by: signal), fed)
      }
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let piece = try Ramp.check(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples)
      #expect(piece.first - 1 + piece.count == fed)
    }

    @Test("so it is after the program was held up, with a second of sound in the server")
    func serverBacklog() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start("-D", "ears", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      program.signal(SIGSTOP)
      pause(milliseconds: 1_000)
      let (outcome, fed) = try microphone.whileStalled {
        let fed = try microphone.waitUntilTaken()
        program.signal(SIGINT)
        program.signal(SIGCONT)
        return (try program.wait(), fed)
      }
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let piece = try Ramp.check(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples)
      #expect(piece.first - 1 + piece.count == fed)
    }

    @Test("a signal before the first sound makes nothing, status 0", arguments: [SIGINT, SIGTERM])
    func beforeSound(signal: Int32) throws {
      let server = try PrivatePulseServer()
      // A pipe that nobody writes to.
      try server.load(
        "module-pipe-source", "source_name=dead", "file=\(server.folder("dead.fifo"))",
        "format=s16le", "rate=16000", "channels=2")
      let studio = try Studio(server: server)
      let program = try studio.start("-D", "dead", "-l", "l.wav", "-r", "r.wav", "-l", "-")
      try waitUntil("it records") { program.errorsSoFar.contains("recording") }
      let outcome = try program.end(by: signal)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("of waiting for 'dead'") && outcome.output == [])
      #expect(try studio.folder.contents() == [])
    }

    @Test("started in the background by a script, with SIGINT ignored, it still hears SIGINT")
    func background() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        shell: "trap '' INT; exec \"$0\" \"$@\"", "-D", "headset", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try studio.wave("l.wav").samples.count == studio.wave("r.wav").samples.count)
    }

    @Test("under nohup the end of the session does not end the recording")
    func nohup() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        shell: "exec nohup \"$0\" \"$@\"", "-D", "headset", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      program.signal(SIGHUP)
      let frames = studio.size(of: "r.wav") / 2
      try studio.waitForSound(in: "r.wav", frames: frames + 8_000, of: program)
      let outcome = try program.end(by: SIGTERM)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try Ramp.check(studio.wave("l.wav").samples).count > frames)
    }

    @Test("a second Ctrl-C leaves at once, with valid files, and ends the program that hangs")
    func second() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-l", "l.wav", "-r",
        "exec:echo $$ >pid; cat >/dev/null; : >done; exec sleep 1000")
      try studio.waitForSound(in: "l.wav", frames: 1_000, of: program)
      program.signal(SIGINT)
      // It took all its sound and works on: for that it is waited for, however long.
      try waitUntil("the program has all sound") { try studio.folder.contents().contains("done") }
      #expect(program.isRunning)
      // Two signals in less than a tenth of a second are one wish, as `timeout` sends them.
      pause(milliseconds: 200)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("without waiting"))
      let samples = try studio.wave("l.wav").samples
      #expect(try Ramp.check(samples).count == samples.count)
      let text = String(decoding: try studio.folder.bytes(of: "pid"), as: UTF8.self)
      let pid = try #require(pid_t(text.dropLast()))
      try waitUntil("the program is gone") { kill(pid, 0) != 0 }
    }

    /// CLOCK_MONOTONIC in microseconds, as the headset writes it into its samples.
    private func now() -> Int {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return (time.tv_sec * 1_000_000 + time.tv_nsec / 1_000) & 0x3fff_ffff
    }

    /// When the last pair of frames was captured.
    private func lastTime(in samples: [Int16]) throws -> Int {
      let last = try #require(samples.last)
      let end = last < 0 ? samples.count : samples.count - 1
      return VirtualHeadset.time(even: samples[end - 2], odd: samples[end - 1])
    }

    /// Whether a time is after another, or less than a pair of frames before it.
    private func isAfter(_ time: Int, _ other: Int) -> Bool {
      (time + 125 * 2 - other) & 0x3fff_ffff < 0x2000_0000
    }
  }
}
