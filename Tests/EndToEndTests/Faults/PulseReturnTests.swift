import Foundation
import Lab
import Testing

extension Live {
  @Suite("PulseAudio: a source that comes back goes on, with silence for what was missed")
  struct PulseReturnTests {
    private let server: PrivatePulseServer
    private let studio: Studio

    init() throws {
      server = try PrivatePulseServer()
      studio = try Studio(server: server)
    }

    private func startRecording(_ more: String...) throws -> Program {
      try studio.start(["-D", "ears", "-l", "l.wav", "-r", "r.wav"] + more)
    }

    private func waitForWords(_ words: String, of program: Program) throws {
      try waitUntil("it says '\(words)'; it said: \(program.errorsSoFar)") {
        program.errorsSoFar.contains(words)
      }
    }

    /// A second of sound after the source is back, both ears are two pieces of the ramp, each from its
    /// start on, with one silence between.
    private func checkReturn(of program: Program) throws {
      try waitForWords("is back", of: program)
      try studio.waitForSound(
        in: "r.wav", frames: studio.size(of: "r.wav") / 2 + 16_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("'ears' is back"))
      #expect(outcome.errors.contains("1 gap"), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      let start = try #require(left.firstIndex(of: 0))
      let end = try #require(left[start...].firstIndex { $0 != 0 })
      let before = try Ramp.check(left: Array(left[..<start]), right: Array(right[..<start]))
      let after = try Ramp.check(left: Array(left[end...]), right: Array(right[end...]))
      #expect(before.count == start && after.count == left.count - end)
      #expect(end - start >= 16_000, "\(end - start) frames for a second or more")
    }

    @Test("L39: unloaded and loaded again, while a tempting other source is the default")
    func reloaded() throws {
      try server.addNullSink("other", rate: 16_000)
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      try server.setDefaultSource("other.monitor")
      let program = try startRecording()
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      try server.unload(microphone.module)
      try waitForWords("was removed from the sound server", of: program)
      pause(milliseconds: 1_200)
      let next = try server.addMicrophone("ears", rate: 16_000)
      try checkReturn(of: program)
      withExtendedLifetime((microphone, next)) {}
    }

    @Test("L41: the server is killed and started again", arguments: [SIGKILL, SIGTERM])
    func restarted(signal: Int32) throws {
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let program = try startRecording()
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      server.program.signal(signal)
      try server.program.wait()
      try waitForWords("waiting up to 1m for it", of: program)
      pause(milliseconds: 1_200)
      try server.start()
      let next = try server.addMicrophone("ears", rate: 16_000)
      try checkReturn(of: program)
      withExtendedLifetime((microphone, next)) {}
    }

    @Test("Ctrl-C while it is away: the time until then is silence, status 1")
    func stopped() throws {
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let program = try startRecording()
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      try server.unload(microphone.module)
      try waitForWords("waiting up to 1m for it", of: program)
      pause(milliseconds: 1_500)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      let piece = try Ramp.check(left: left, right: right)
      #expect(piece.start == 0 && left.count - piece.count >= 16_000)
    }

    @Test("--duration ends while it is away, at its frame")
    func duration() throws {
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let program = try startRecording("--duration", "4")
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      try server.unload(microphone.module)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let (left, right) = try (studio.wave("l.wav").samples, studio.wave("r.wav").samples)
      #expect(left.count == 64_000)
      #expect(try Ramp.check(left: left, right: right).count < 64_000)
    }

    @Test("one that stays away for longer than --wait ends a recording in segments, too")
    func gone() throws {
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let program = try studio.start(
        "-D", "ears", "--segment", "1h", "--wait", "2s", "-l", "l-%i.wav", "-r", "r-%i.wav")
      try studio.waitForSound(in: "r-0001.wav.part", frames: 8_000, of: program)
      try server.unload(microphone.module)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(4), "\(outcome.errors)")
      #expect(outcome.errors.contains("did not come back within 2 s"), "\(outcome.errors)")
      #expect(try studio.folder.contents() == ["l-0001.wav", "r-0001.wav"])
      let left = try studio.wave("l-0001.wav").samples
      let piece = try Ramp.check(left: left, right: studio.wave("r-0001.wav").samples)
      #expect(piece.count == left.count)
    }

    @Test("with --wait, a source or a server that is not there yet is waited for")
    func absent() throws {
      let late = try PrivatePulseServer(isStarted: false)
      let studio = try Studio(server: late)
      let program = try studio.start(
        "--backend", "pulse", "-D", "ears", "--wait", "10m", "-l", "l.wav", "-r", "r.wav")
      try waitForWords("waiting up to 10m for it", of: program)
      #expect(try studio.folder.contents() == [])
      try late.start()
      pause(milliseconds: 500)
      let microphone = try late.addMicrophone("ears", rate: 16_000)
      try studio.waitForSound(in: "r.wav", frames: 8_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let piece = try Ramp.check(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples)
      #expect(piece.first == 1 && piece.start == 0)
      withExtendedLifetime(microphone) {}
    }

    @Test("waiting at the start ends with Ctrl-C, or in time with status 3, and makes nothing")
    func absentForGood() throws {
      let program = try startRecording("-q", "--wait", "1m30s")
      try waitForWords("waiting up to 1m30s for it", of: program)
      let stopped = try program.end()
      #expect(stopped.status == .exited(0))
      let words = "splitcap: warning: no sound was recorded, and no sound file made: stopped after "
      let last = try #require(stopped.lines.last)
      #expect(last.hasPrefix(words), "\(stopped.errors)")
      #expect(last.dropFirst(words.count).wholeMatch(of: /\d+m?s of waiting for 'ears'/) != nil)
      let outcome = try startRecording("--wait", "1s").wait()
      #expect(outcome.status == .exited(3), "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
    }

    @Test("L42: stopped for longer than the server's queue lasts: silence at the very frame")
    func stalled() throws {
      try server.addNullSink("sink", rate: 44_100)
      let awake = try server.keepAwake("sink")
      let program = try studio.start(
        "--rate", "44100", "-D", "sink.monitor", "-l", "l.wav", "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", of: program)
      let player = try server.play(
        Ramp.stereo(frames: 0..<40 * 44_100), into: "sink", rate: 44_100)
      try waitUntil("the ramp is recorded") {
        try studio.folder.bytes(of: "l.wav").suffix(20_000).contains { $0 != 0 }
      }
      program.signal(SIGSTOP)
      pause(milliseconds: 30_000)
      program.signal(SIGCONT)
      try player.wait()
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("this program was held up"), "\(outcome.errors)")
      let silences = try Ramp.checkWithGaps(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples, tolerance: 882)
      // Before the ramp, in it, and behind it.
      #expect(silences.count == 3, "\(silences) \(outcome.errors)")
      withExtendedLifetime(awake) {}
    }
  }
}
