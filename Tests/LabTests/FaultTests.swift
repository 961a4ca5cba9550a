import Foundation
import Lab
import Testing

/// Where the frames of a stereo recording belong on the ramp.
private func places(_ bytes: [UInt8]) throws -> [Int] {
  let (left, right) = try deinterleave(samples(of: Array(bytes[..<(bytes.count / 4 * 4)])))
  #expect(left == right.map { 0 - $0 })
  return left.map { VirtualHeadset.frame(ofLeft: $0) }
}

/// Where a recording leaves its ramp: the last place before, and the first after it.
private func jumps(_ places: [Int]) -> [(last: Int, next: Int)] {
  zip(places, places.dropFirst()).filter { $1 != $0 + 1 }.map { ($0, $1) }
}

@Suite("Lab: a virtual headset does what its fault script says")
struct FaultTests {
  /// A recording by `arecord`, and the headsets it was made from.
  private struct Bench {
    let headsets: VirtualHeadsets

    init(_ faults: [VirtualHeadset.Fault], _ change: (inout VirtualHeadset) -> Void = { _ in })
      throws
    {
      var headset = VirtualHeadset("headset")
      headset.faults = faults
      change(&headset)
      headsets = try VirtualHeadsets([headset])
    }

    func start(
      frames: Int = 16_000, rate: Int = 16_000, channels: Int = 2, buffer: Int = 8_000,
      environment: [String: String] = [:]
    ) throws -> Program {
      try Program(
        "arecord",
        [
          "-q", "-t", "raw", "-D", "headset", "-f", "S16_LE", "-r", "\(rate)", "-c", "\(channels)",
          "--buffer-size", "\(buffer)", "--period-size", "160", "-s", "\(frames)",
        ], environment: headsets.environment.merging(environment) { $1 })
    }

    func record(frames: Int = 16_000, buffer: Int = 8_000) throws -> [Int] {
      let outcome = try start(frames: frames, buffer: buffer).wait()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      return try places(outcome.output)
    }
  }

  @Test("a script without faults changes nothing")
  func none() throws {
    #expect(try jumps(Bench([]) { $0.keepsTimeline = true }.record()).isEmpty)
  }

  @Test("an overrun costs its length, and at most what was not read yet")
  func overrun() throws {
    let jumps = try jumps(Bench([.overrun(at: 0.25, for: 0.25)]).record())
    #expect(jumps.count == 1)
    // A machine that is busy may read late and start late, never early.
    let jump = try #require(jumps.first)
    #expect(jump.last < 4_000 && jump.next >= 8_000, "\(jump)")
  }

  @Test("a loss is a splice of exactly its length, at its place")
  func loss() throws {
    let jumps = try jumps(
      Bench([.loss(at: 0.25, for: 0.1), .loss(at: 0.5, for: 0.2)]).record())
    #expect(jumps.map(\.last) == [3_999, 7_999] && jumps.map(\.next) == [5_600, 11_200])
  }

  @Test("a stall within the buffer loses nothing; one beyond it is an overrun")
  func stall() throws {
    #expect(try jumps(Bench([.stall(at: 0.25, for: 0.3)]).record(buffer: 16_000)).isEmpty)
    let jumps = try jumps(Bench([.stall(at: 0.25, for: 0.6)]).record(buffer: 1_600))
    let jump = try #require(jumps.first)
    #expect(jump.last < 4_000 && jump.next >= 13_600, "\(jump)")
  }

  @Test("a device that hangs gives what it had before, and then nothing, for ever")
  func hang() throws {
    let bench = try Bench([.hang(at: 0.25)])
    let recorder = try bench.start()
    try waitUntil("all is there that comes") { recorder.outputSoFar.count >= 4 * 3_840 }
    pause(milliseconds: 500)
    #expect(recorder.isRunning)
    #expect(recorder.outputSoFar.count <= 4 * 4_000 && recorder.errorsSoFar.isEmpty)
  }

  @Test(
    "a suspended device says so, can't be resumed for that time, and goes on",
    arguments: [false, true])
  func suspended(isCard: Bool) throws {
    let bench = try Bench([.suspended(at: 0.25, for: 0.25)])
    let outcome = try bench.start(
      environment: isCard ? VirtualHeadsets.resumeEnvironment : [:]
    ).wait()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let jumps = try jumps(places(outcome.output))
    #expect(jumps.count == 1)
    let jump = try #require(jumps.first)
    #expect(jump.last == 3_999 && jump.next >= 8_000, "\(jump)")
  }

  @Test("a device that goes is ENODEV for all until it is back, at its true place")
  func gone() throws {
    let bench = try Bench([.gone(at: 0.25, for: 1)])
    let first = try bench.start().wait()
    #expect(first.errors.contains("No such device"), "\(first.errors)")
    #expect(try jumps(places(first.output)).isEmpty && first.output.count <= 4 * 4_000)
    #expect(try bench.start().wait().errors.contains("No such device"))
    var back: [Int] = []
    try waitUntil("it is back") {
      back = try places(bench.start(frames: 1_600).wait().output)
      return !back.isEmpty
    }
    #expect(back[0] >= 20_000 && jumps(back).isEmpty, "\(back[0])")
  }

  @Test("it may come back with another rate and other channels")
  func changed() throws {
    let bench = try Bench([.gone(at: 0.1, for: 0.1, rates: [44_100], channels: [1])])
    #expect(try bench.start().wait().errors.contains("No such device"))
    try waitUntil("it is back") {
      let outcome = try bench.start(frames: 100, rate: 44_100, channels: 1).wait()
      return outcome.status == .exited(0) && outcome.output.count == 200
    }
    #expect(try bench.start().wait().status == .exited(1))
  }

  @Test("gone at 0 is absent from the first look on, and then begins")
  func absentAtFirst() throws {
    let bench = try Bench([.gone(at: 0, for: 0.5)])
    #expect(try bench.start().wait().errors.contains("No such device"))
    try waitUntil("it is there") { try bench.start(frames: 100).wait().status == .exited(0) }
  }

  @Test("the plug can be pulled by hand, and put back")
  func plug() throws {
    let bench = try Bench([]) { $0.keepsTimeline = true }
    let recorder = try bench.start(frames: 16_000_000)
    try waitUntil("it records") { recorder.outputSoFar.count >= 4 * 1_600 }
    try bench.headsets.unplug("headset")
    let first = try recorder.wait()
    #expect(first.errors.contains("No such device"), "\(first.errors)")
    #expect(try bench.start().wait().errors.contains("No such device"))
    try bench.headsets.plugIn("headset")
    let places = try bench.record(frames: 100)
    #expect(places[0] >= first.output.count / 4)
  }

  @Test("drift and speed change how fast the timeline passes")
  func drift() throws {
    // Three times as fast as our clock; a script counts the seconds of the device.
    let places = try Bench([.loss(at: 2, for: 1)]) {
      $0.speed = 2
      $0.driftPPM = 500_000
    }.record(frames: 48_000)
    #expect(jumps(places).map(\.last) == [31_999])
  }

  @Test(
    "a script that means nothing is refused",
    arguments: [
      "{ kind gone }", "{ kind loss at 1 }", "{ kind late at 1 for 1 }", "{ at 1 for 1 }",
      "{ kind gone at 1 for 0 }", "{ kind gone at 1 until 2 }",
    ])
  func refused(script: String) throws {
    let headsets = try VirtualHeadsets(
      [], more: "pcm.headset { type virtual_headset faults [ \(script) ] }\n")
    let outcome = try Program.run(
      "arecord", ["-D", "headset", "/dev/null"], environment: headsets.environment)
    #expect(outcome.errors.contains("setting 'faults' is wrong"), "\(outcome.errors)")
  }
}
