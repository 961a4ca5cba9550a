import Glibc
import Lab
import PulseSource
import SplitcapCore
import Testing

@Suite("PulseSource: a device that goes away")
struct LossTests {
  @Test("a source that is removed is lost, and nothing of another one is ever delivered")
  func removed() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    // The other one would be a welcome place to go on at: it is the default, and mono.
    try server.addNullSink("other", rate: 16_000)
    try server.pactl("set-default-source", "other.monitor")
    var source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    let before = try read(4_000, from: &source)
    try server.unload(microphone.module)
    let (error, rest) = try readToLoss(of: &source)
    #expect(error.kind == .sourceLost)
    #expect(error.message == "'headset' was removed from the sound server")
    let piece = try Ramp.check(stereo: before + rest)
    #expect(piece.start == 0 && piece.count == (before + rest).count / 2)
  }

  @Test("a source that PipeWire removes is lost, too")
  func removedOnPipeWire() throws {
    let server = try PrivatePipeWireServer()
    let module = try server.addNullSink("ears", rate: 48_000)
    try server.addNullSink("other", rate: 48_000)
    var source = try open(server, CaptureRequest(device: "ears.monitor", rates: [48_000]))
    _ = try read(4_800, from: &source)
    try server.unload(module)
    let (error, _) = try readToLoss(of: &source)
    #expect(error.kind == .sourceLost)
    #expect(error.message == "'ears.monitor' was removed from the sound server")
  }

  @Test("a recording is not moved to another source, even if someone tries")
  func moved() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    try server.addNullSink("other", rate: 16_000)
    var source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    var samples = try read(1_600, from: &source)
    let outputs = try server.pactl("list", "short", "source-outputs")
    let number = String(outputs.prefix { $0 != "\t" })
    let attempt = try Program.run(
      "pactl", ["move-source-output", number, "other.monitor"], environment: server.environment)
    #expect(attempt.status != .exited(0))
    samples += try read(8_000, from: &source)
    try Ramp.check(stereo: samples)
    withExtendedLifetime(microphone) {}
  }

  @Test(
    "a server that is killed is a lost source, and is named as the reason",
    arguments: [SIGKILL, SIGTERM])
  func killed(signal: Int32) throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    var source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    _ = try read(4_000, from: &source)
    server.program.signal(signal)
    let (error, _) = try readToLoss(of: &source)
    #expect(error.kind == .sourceLost)
    #expect(error.message.contains("'headset'"))
    withExtendedLifetime(microphone) {}
  }

  @Test("PipeWire's Pulse server killed is a lost source")
  func killedOnPipeWire() throws {
    let server = try PrivatePipeWireServer()
    try server.addNullSink("ears", rate: 48_000)
    var source = try open(server, CaptureRequest(device: "ears.monitor", rates: [48_000]))
    _ = try read(4_800, from: &source)
    server.programs.last?.signal(SIGKILL)
    let (error, _) = try readToLoss(of: &source)
    #expect(error.kind == .sourceLost)
    #expect(error.message.contains("went away while 'ears.monitor' was recorded"))
  }
}
