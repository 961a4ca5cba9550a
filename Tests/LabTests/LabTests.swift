import Foundation
import Lab
import Testing

@Suite("Lab: programs")
struct ProgramTests {
  @Test("a program's output, errors and status arrive whole, however much there is")
  func large() throws {
    let bytes = [UInt8](repeating: 7, count: 3_000_000)
    let outcome = try Program("sh", ["-c", "tee /dev/stderr; exit 3"], input: .bytes(bytes)).wait()
    #expect(outcome.status == .exited(3))
    #expect(outcome.output == bytes)
    #expect(outcome.errors.utf8.count == bytes.count)
  }

  @Test("what a program has written is seen while it runs")
  func soFar() throws {
    let program = try Program("sh", ["-c", "echo one; echo two >&2; exec cat"], input: .held)
    try waitUntil("it has written") {
      program.outputSoFar == Array("one\n".utf8) && program.errorsSoFar == "two\n"
    }
    #expect(program.isRunning)
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
  }

  @Test("a terminal shows what a person would see, and nothing is lost at the end")
  func terminal() throws {
    let terminal = try PseudoTerminal(columns: 10)
    let program = try Program(
      "printf", ["a meter\\n-12345\\r\\033[1A\\033[Kone\\n\\033[31m+\\033[0m\\n0123456789X"],
      output: terminal.output, errors: terminal.output)
    #expect(try program.wait().status == .exited(0))
    try terminal.finish()
    #expect(terminal.screen == ["one", "+12345", "0123456789", "X"])
    #expect(terminal.written.hasPrefix("a meter\r\n"))
  }

  @Test("a program that hangs is killed, and that is an error")
  func hang() throws {
    let program = try Program("sleep", ["1000"])
    #expect(throws: LabError.self) { try program.wait(within: .milliseconds(200)) }
    #expect(try program.wait().status == .killed(SIGKILL))
  }

  @Test("signals arrive, and the environment is what was asked for")
  func environment() throws {
    let program = try Program("sleep", ["1000"])
    program.signal(SIGINT)
    #expect(try program.wait().status == .killed(SIGINT))
    let text = try Program.output(
      of: "sh", ["-c", "echo $LAB; echo ${HOME-none}"], environment: ["LAB": "a b", "HOME": nil])
    #expect(text == "a b\nnone\n")
  }

  @Test("the processor time of a program grows while it works, and does not while it waits")
  func processorTime() throws {
    let program = try Program("sh", ["-c", "read line; while :; do :; done"], input: .held)
    var used = 0.0
    try waitUntil("it waits") {
      used = try program.processorSeconds
      pause(milliseconds: 200)
      return try used > 0 && program.processorSeconds == used
    }
    program.closeInput()
    try waitUntil("it works") { try program.processorSeconds > used + 0.1 }
  }

  @Test("a program gets the descriptors it is given and no other")
  func descriptors() throws {
    let tube = try Tube()
    let program = try Program(
      "sh", ["-c", "echo five >&5; ls /proc/self/fd"],
      descriptors: [5: tube.writing.fileDescriptor])
    let outcome = try program.wait()
    try tube.writing.close()
    #expect(try tube.reading.readToEnd() == Data("five\n".utf8))
    // `ls` itself has descriptor 3 for the folder that it lists.
    #expect(outcome.text == "0\n1\n2\n3\n5\n")
  }
}

@Suite("Lab: sound that can be checked")
struct RampTests {
  @Test("the checker sees lost, repeated, swapped and altered samples")
  func faults() throws {
    let good = [Int16](repeating: 0, count: 10) + Ramp.stereo(frames: 32_700..<33_000)
    #expect(try Ramp.check(stereo: good) == Ramp.Piece(start: 5, first: 32_701, count: 300))
    var lost = good
    lost.removeSubrange(100..<102)
    #expect(throws: LabError.self) { try Ramp.check(stereo: lost) }
    var altered = good
    altered[101] += 1
    #expect(throws: LabError.self) { try Ramp.check(stereo: altered) }
    let (left, right) = deinterleave(good)
    #expect(throws: LabError.self) { try Ramp.check(left: right, right: left) }
    #expect(throws: LabError.self) { try Ramp.check(left: left, right: [0] + right) }
    var hole = good
    hole[200] = 0
    hole[201] = 0
    #expect(throws: LabError.self) { try Ramp.check(stereo: hole) }
  }

  @Test("silence for what was lost is found, and must be as long as the loss")
  func gaps() throws {
    func recording(_ pieces: [(silence: Int, ramp: Range<Int>)]) -> (left: [Int16], right: [Int16])
    {
      deinterleave(
        pieces.flatMap {
          [Int16](repeating: 0, count: 2 * $0.silence) + Ramp.stereo(frames: $0.ramp)
        })
    }
    let exact = recording([(5, 100..<200), (50, 250..<33_000), (7, 33_007..<33_008)])
    let silences = try Ramp.checkWithGaps(left: exact.left, right: exact.right)
    #expect(
      silences == [
        Ramp.Silence(first: 0, frames: 5, shift: 0), Ramp.Silence(first: 105, frames: 50, shift: 0),
        Ramp.Silence(first: 32_905, frames: 7, shift: 0),
      ])
    for (next, shift) in [(253, 3), (247, -3)] {
      let off = recording([(0, 100..<200), (50, next..<300)])
      #expect(throws: LabError.self) {
        try Ramp.checkWithGaps(left: off.left, right: off.right, tolerance: 2)
      }
      #expect(
        try Ramp.checkWithGaps(left: off.left, right: off.right, tolerance: 3)
          == [Ramp.Silence(first: 100, frames: 50, shift: shift)])
    }
    let splice = recording([(0, 100..<200), (0, 201..<300)])
    #expect(throws: LabError.self) {
      try Ramp.checkWithGaps(left: splice.left, right: splice.right, tolerance: 10)
    }
    var torn = exact
    torn.right[160] = 0
    #expect(throws: LabError.self) { try Ramp.checkWithGaps(left: torn.left, right: torn.right) }
    torn.right[160] = exact.right[160]
    torn.left[170] = 1
    #expect(throws: LabError.self) { try Ramp.checkWithGaps(left: torn.left, right: torn.right) }
  }
}

@Suite("Lab: private sound servers")
struct ServerTests {
  @Test("PulseAudio's microphone delivers its ramp from the first frame on")
  func microphone() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 44_100)
    let recorder = try Program(
      "parec",
      ["--raw", "--latency-msec=10", "--rate=44100", "--channels=2", "--device=headset"],
      environment: server.environment)
    try waitUntil("half a second is recorded") { recorder.outputSoFar.count > 88_200 }
    recorder.signal(SIGTERM)
    let outcome = try recorder.wait()
    let whole = outcome.output.count / 4 * 4
    let piece = try Ramp.check(stereo: samples(of: outcome.output[..<whole]))
    #expect(piece.start == 0 && piece.first == 1)
    withExtendedLifetime(microphone) {}
  }

  @Test(
    "a ramp played into a null sink comes out of its monitor unchanged", arguments: [true, false])
  func monitor(isPipeWire: Bool) throws {
    let server: any SoundServer =
      isPipeWire ? try PrivatePipeWireServer() : try PrivatePulseServer()
    try server.addNullSink("ears", rate: 48_000)
    let milliseconds = isPipeWire ? 100 : 10
    let awake = try server.keepAwake("ears", milliseconds: milliseconds)
    let recorder = try Program(
      "parec",
      [
        "--raw", "--latency-msec=\(milliseconds)", "--rate=48000", "--channels=2",
        "--device=ears.monitor",
      ],
      environment: server.environment)
    try waitUntil("it records") { !recorder.outputSoFar.isEmpty }
    let ramp = Ramp.stereo(frames: 0..<24_000)
    #expect(try server.play(ramp, into: "ears", rate: 48_000).wait().status == .exited(0))
    try waitUntil("the end of the ramp has come") {
      recorder.outputSoFar.suffix(400).allSatisfy { $0 == 0 }
        && recorder.outputSoFar.contains { $0 != 0 }
    }
    recorder.signal(SIGTERM)
    let recorded = try recorder.wait().output
    let piece = try Ramp.check(stereo: samples(of: recorded[..<(recorded.count / 4 * 4)]))
    #expect(piece == Ramp.Piece(start: piece.start, first: 1, count: 24_000))
    awake.terminate()
  }
}
