import Lab
import PulseSource
import SplitcapCore
import Testing

@Suite("PulseSource: capture")
struct CaptureTests {
  @Test(
    "delivers both ears sample by sample, from the first frame on", arguments: [16_000, 44_100])
  func stereo(rate: Int) throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: rate)
    var source = try open(server, CaptureRequest(device: "headset", rates: [rate]))
    #expect(source.info.format == StreamFormat(sampleRate: rate, channelCount: 2))
    #expect(
      source.info.native
        == .init(channelCount: 2, sampleRate: rate, sampleFormat: "s16le"))
    #expect(source.info.ears == ChannelPair(left: 0, right: 1))
    #expect(source.info.isLive)
    // A fragment of the 10 ms asked for, and as much in the source.
    #expect(source.info.latencyFrames >= rate / 50)
    #expect(source.info.monoReason == nil)
    #expect(source.info.notes == [])
    let piece = try Ramp.check(stereo: read(rate, from: &source))
    #expect(piece == Ramp.Piece(start: 0, first: 1, count: rate))
    withExtendedLifetime(microphone) {}
  }

  @Test("delivers what PipeWire's Pulse server plays, sample by sample")
  func pipeWire() throws {
    let server = try PrivatePipeWireServer()
    try server.addNullSink("ears", rate: 48_000)
    // Long blocks, since PipeWire lets fail what a busy machine is late for.
    var source = try open(
      server,
      CaptureRequest(device: "ears.monitor", rates: [48_000], latency: .milliseconds(100)))
    _ = try read(4_800, from: &source)
    let player = try server.play(Ramp.stereo(frames: 0..<24_000), into: "ears", rate: 48_000)
    var recorded: [Int16] = []
    try waitUntil("the whole ramp has come") {
      recorded += try read(4_800, from: &source)
      return recorded.contains { $0 != 0 } && recorded.suffix(2_000).allSatisfy { $0 == 0 }
    }
    #expect(try player.wait().status == .exited(0))
    let piece = try Ramp.check(stereo: recorded)
    #expect(piece == Ramp.Piece(start: piece.start, first: 1, count: 24_000))
  }

  @Test("ears follow the names of the channels, not their places, and the note says so")
  func swapped() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone(
      "headset", rate: 16_000, map: "front-right,front-left")
    var source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    #expect(source.info.ears == ChannelPair(left: 1, right: 0))
    #expect(source.info.notes.contains { $0.contains("channel 2 (front-left) left") })
    // The frames themselves stay as the source has them.
    try Ramp.check(stereo: read(8_000, from: &source))
    withExtendedLifetime(microphone) {}
  }

  @Test("a remapped source exchanges the samples, and the ears follow its names")
  func remapped() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    try server.addRemapSource(
      "exchanged", over: "headset", map: "front-left,front-right",
      masterMap: "front-right,front-left")
    var source = try open(server, CaptureRequest(device: "exchanged", rates: [16_000]))
    #expect(source.info.ears == ChannelPair(left: 0, right: 1))
    #expect(source.info.monoReason == nil)
    let samples = try read(8_000, from: &source)
    let (first, second) = deinterleave(samples)
    try Ramp.check(left: second, right: first)
    withExtendedLifetime(microphone) {}
  }

  @Test("all channels of a device of four are delivered, the first two by name are the ears")
  func four() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone(
      "interface", rate: 48_000, channels: 4, map: "rear-left,rear-right,front-left,front-right")
    var source = try open(server, CaptureRequest(device: "interface", rates: [48_000]))
    #expect(source.info.format.channelCount == 4)
    #expect(source.info.ears == ChannelPair(left: 2, right: 3))
    let samples = try read(9_600, from: &source)
    #expect(firstDifference(samples, Ramp.frames(0..<9_600, channels: 4)) == nil)
    withExtendedLifetime(microphone) {}
  }

  @Test("channels without names are taken by number, and the note says so")
  func numbered() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("interface", rate: 48_000, map: "aux0,aux1")
    let source = try open(server, CaptureRequest(device: "interface", rates: [48_000]))
    #expect(source.info.ears == ChannelPair(left: 0, right: 1))
    #expect(source.info.notes == ["the server names no channel left or right: they are aux0,aux1"])
    withExtendedLifetime(microphone) {}
  }

  @Test("the server resamples to the first wanted rate, and the note says so")
  func resampled() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 48_000)
    var source = try open(server, CaptureRequest(device: "headset"))
    #expect(source.info.format == StreamFormat(sampleRate: 16_000, channelCount: 2))
    #expect(source.info.native?.sampleRate == 48_000)
    #expect(source.info.notes == ["pulse resamples 48000 to 16000"])
    // The ears stay what they were: left above 0, right below, and every third value.
    let (left, right) = try deinterleave(read(8_000, from: &source))
    #expect(left.dropFirst(1_000).allSatisfy { $0 > 0 })
    #expect(right.dropFirst(1_000).allSatisfy { $0 < 0 })
    withExtendedLifetime(microphone) {}
  }

  @Test("a headset that stalls gives nothing, and goes on where it stopped")
  func stalled() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    var source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    var samples = try read(4_000, from: &source)
    try microphone.whileStalled {
      var block = [Int16](repeating: 0, count: 4_096)
      try waitUntil("a read gives nothing") {
        var room = block.mutableSpan
        let result = try source.read(into: &room)
        if case .frames(let count) = result { samples += block.prefix(2 * count) }
        return result == .nothing
      }
    }
    samples += try read(4_000, from: &source)
    try Ramp.check(stereo: samples)
  }

  @Test("a suspended source gives nothing until it is resumed")
  func suspended() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    var source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    _ = try read(1_600, from: &source)
    try server.pactl("suspend-source", "headset", "1")
    var block = [Int16](repeating: 0, count: 4_096)
    try waitUntil("a read gives nothing") {
      var room = block.mutableSpan
      return try source.read(into: &room) == .nothing
    }
    try server.pactl("suspend-source", "headset", "0")
    try Ramp.check(stereo: read(1_600, from: &source))
    withExtendedLifetime(microphone) {}
  }
}
