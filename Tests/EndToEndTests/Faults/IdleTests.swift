import Foundation
import Lab
import Testing

extension Live {
  @Suite("P37: while nothing arrives it takes under 2 % of a core, whatever is wrong")
  struct IdleTests {
    /// Checks a program that gets nothing from now on.
    private func expectIdle(_ program: Program) throws {
      // Of processor time, so that a busy machine changes nothing.
      let clock = ContinuousClock()
      let (start, used) = (clock.now, try program.processorSeconds)
      pause(milliseconds: 4_000)
      let share = try (program.processorSeconds - used) / ((clock.now - start) / .seconds(1))
      #expect(share < 0.02, "\(share); it said: \(program.errorsSoFar)")
      _ = try program.end()
    }

    @Test(
      "ALSA: a device that hangs, is gone, suspended, silent behind an overrun",
      arguments: [
        (VirtualHeadset.Fault.hang(at: 1), [:]), (.gone(at: 1, for: 60), [:]),
        (.overrun(at: 1, for: 60), [:]), (.loss(at: 1, for: 60), [:]),
        (.suspended(at: 1, for: 60), [:]),
        (.suspended(at: 1, for: 60), VirtualHeadsets.resumeEnvironment),
      ])
    func device(fault: VirtualHeadset.Fault, variables: [String: String]) throws {
      var headset = VirtualHeadset("headset")
      headset.faults = [fault]
      let studio = try Studio(headset)
      let program = try studio.start(
        "-D", "headset", "-l", "l.raw", "-r", "r.raw", variables: variables)
      try waitUntil("the fault is reached; it said: \(program.errorsSoFar)") {
        studio.size(of: "l.raw") >= 2 * 8_000
      }
      pause(milliseconds: 1_000)
      try expectIdle(program)
    }

    @Test("ALSA: a device that is waited for, and one that gives no first frame")
    func start() throws {
      for (fault, isThere) in [
        (VirtualHeadset.Fault.gone(at: 0, for: 60), false), (.stall(at: 0, for: 60), true),
      ] {
        var headset = VirtualHeadset("headset")
        headset.faults = [fault]
        let studio = try Studio(headset)
        let program = try studio.start("-D", "headset", "-l", "l.raw", "--wait", "60s")
        try waitUntil("it has looked for the device") {
          program.errorsSoFar.contains(
            isThere ? "recording 'Virtual headset" : "waiting up to 1m for it")
        }
        try expectIdle(program)
        #expect(try studio.folder.contents() == [])
      }
    }

    @Test(
      "PulseAudio: a source that stalls, one that is removed, and a server that is killed",
      arguments: ["stalled", "removed", "killed"])
    func pulse(fault: String) throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start("-D", "ears", "-l", "l.raw", "-r", "r.raw")
      try waitUntil("it records") { studio.size(of: "l.raw") > 0 }
      if fault == "stalled" { return try microphone.whileStalled { try expectIdle(program) } }
      if fault == "removed" { try server.unload(microphone.module) }
      if fault == "killed" { server.program.signal(SIGKILL) }
      try waitUntil("it has noticed") { program.errorsSoFar.contains("waiting up to 1m for it") }
      try expectIdle(program)
    }
  }
}
