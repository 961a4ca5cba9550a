import Lab
import Testing

extension Live {
  @Suite("The capture thread only captures: no allocation, no lock, no input or output of ours")
  struct CaptureThreadTests {
    /// What is recorded into: files, or pipes that are handed each block at once.
    private static let outputs = [
      ["-l", "l.wav", "-r", "r.flac", "--stereo", "both.raw"],
      ["-l", "exec:cat >l.raw", "-r", "exec:cat >r.raw"],
    ]

    private func expectPeace(_ studio: Studio, _ arguments: [String]) throws {
      let allocationGuard = try AllocationGuard()
      let program = try studio.start(arguments, variables: allocationGuard.environment)
      try waitUntil("it was watched for a while; it said: \(program.errorsSoFar)") {
        try !program.isRunning || allocationGuard.watchedReads >= 200
      }
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try allocationGuard.watchedReads >= 200)
    }

    @Test(
      "on ALSA, with and without resampling", arguments: outputs, [[], ["--resample", "48000"]])
    func alsa(outputs: [String], more: [String]) throws {
      try expectPeace(Studio(VirtualHeadset("headset")), ["-D", "headset"] + outputs + more)
    }

    @Test("on PulseAudio", arguments: outputs)
    func pulse(outputs: [String]) throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      try expectPeace(Studio(server: server), ["-D", "ears"] + outputs)
      withExtendedLifetime(microphone) {}
    }

    @Test("what the guard looks for is found", arguments: AllocationGuard.Violation.allCases)
    func provoked(violation: AllocationGuard.Violation) throws {
      let allocationGuard = try AllocationGuard(provoking: violation)
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", variables: allocationGuard.environment)
      #expect(outcome.status == .killed(6))
      let name = violation == .lock ? "pthread_mutex_lock" : violation.rawValue
      #expect(outcome.errors.contains("capture thread called \(name) between"))
    }
  }
}
