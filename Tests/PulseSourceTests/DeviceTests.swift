import Lab
import PulseSource
import SplitcapCore
import Testing

@Suite("PulseSource: devices")
struct DeviceTests {
  @Test("a list tells microphones from monitors, the default, mute, volume and the own rates")
  func list() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone(
      "headset", rate: 16_000,
      properties: "device.description=Buds device.bus=bluetooth bluetooth.protocol=bap_duplex")
    try server.addNullSink("ears", rate: 44_100)
    try server.pactl("set-default-source", "headset")
    try server.pactl("set-source-mute", "ears.monitor", "1")
    try server.pactl("set-source-volume", "headset", "100%", "0%")
    let list = try devices(of: server)
    #expect(list.map(\.name) == ["headset", "ears.monitor"])

    let headset = try #require(list.first)
    #expect(headset.backend == .pulse && headset.kind == .microphone && headset.isDefault)
    #expect(headset.description == "Buds")
    #expect(headset.native == .init(channelCount: 2, sampleRate: 16_000, sampleFormat: "s16le"))
    #expect(headset.ownRates == [16_000])
    #expect(headset.isMuted == false && headset.volumePercent == [100, 0])
    #expect(headset.bluetoothProfile == "bap_duplex")
    #expect(headset.notes.count == 1)
    #expect(headset.notes[0].hasPrefix("channel front-right of 'headset' is at 0 %"))

    let monitor = list[1]
    #expect(monitor.kind == .monitor && !monitor.isDefault && monitor.isMuted == true)
    #expect(monitor.ownRates == [44_100])
    #expect(monitor.notes[0].hasPrefix("a monitor"))
    #expect(monitor.notes[1].hasPrefix("'ears.monitor' is muted in the sound server"))
    withExtendedLifetime(microphone) {}
  }

  @Test("the server is named as people know it")
  func names() throws {
    let pulse = try PrivatePulseServer()
    let version = try Program.output(of: "pulseaudio", ["--version"]).split { $0.isWhitespace }
    let server = try PulseServer(address: pulse.address, timeout: .seconds(10))
    #expect(server.description == "PulseAudio \(version[1])")
    #expect(server.defaultSource == nil)
    let pipeWire = try PrivatePipeWireServer()
    let other = try PulseServer(address: pipeWire.address, timeout: .seconds(10))
    #expect(other.description.hasPrefix("PulseAudio (on PipeWire "))
  }

  @Test("a wrong name is refused, and near ones are listed")
  func wrongName() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    let error = try failure(on: server, CaptureRequest(device: "haedset"))
    #expect(error.kind == .sourceUnavailable)
    #expect(error.message.contains("'haedset'"))
    #expect(error.hint?.contains("'headset'") == true)
    withExtendedLifetime(microphone) {}
  }

  @Test("a part of a description is enough if it is unambiguous")
  func partOfDescription() throws {
    let server = try PrivatePulseServer()
    let one = try server.addMicrophone(
      "one", rate: 16_000, properties: "device.description=Galaxy")
    let two = try server.addMicrophone(
      "two", rate: 16_000, properties: "device.description=Galaxies")
    #expect(try open(server, CaptureRequest(device: "galaxies")).info.name == "two")
    #expect(try failure(on: server, CaptureRequest(device: "galax")).kind == .usage)
    withExtendedLifetime((one, two)) {}
  }

  @Test("without a name the server's default is recorded, and its name is told")
  func defaultSource() throws {
    let server = try PrivatePulseServer()
    try server.addNullSink("ears", rate: 44_100)
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    try server.pactl("set-default-source", "headset")
    let source = try open(server, CaptureRequest())
    #expect(source.info.name == "headset")
    withExtendedLifetime(microphone) {}
  }

  @Test("a server without any source is an error that says so")
  func noSource() throws {
    let server = try PrivatePulseServer()
    let error = try failure(on: server, CaptureRequest())
    #expect(error.kind == .sourceUnavailable)
    #expect(error.message.contains("has nothing to record"))
    #expect(error.hint != nil)
  }

  @Test("a muted source is recorded, and the note says what to type")
  func muted() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    try server.pactl("set-source-mute", "headset", "1")
    let source = try open(server, CaptureRequest(device: "headset", rates: [16_000]))
    #expect(
      source.info.notes
        == ["'headset' is muted in the sound server: 'pactl set-source-mute headset 0'"])
    withExtendedLifetime(microphone) {}
  }
}

@Suite("PulseSource: one microphone is not two ears")
struct MonoTests {
  @Test("a mono source stays one channel, and its headset's profile is the reason")
  func headset() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone(
      "bluez_source.AA_BB_CC_DD_EE_01.handsfree_head_unit", rate: 16_000, channels: 1, map: "mono",
      properties: "device.description=FakeBuds device.bus=bluetooth"
        + " bluetooth.protocol=handsfree_head_unit bluetooth.codec=mSBC")
    let device = try #require(devices(of: server).first)
    #expect(device.kind == .microphone)
    #expect(device.bluetoothProfile == "handsfree_head_unit" && device.bluetoothCodec == "mSBC")
    var source = try open(server, CaptureRequest(device: "fakebuds", rates: [16_000]))
    #expect(source.info.format.channelCount == 1)
    #expect(source.info.ears == ChannelPair(left: 0, right: 0))
    #expect(source.info.monoReason == "its profile handsfree_head_unit sends one microphone")
    let samples = try read(1_600, from: &source)
    #expect(firstDifference(samples, Ramp.frames(0..<1_600, channels: 1)) == nil)
    withExtendedLifetime(microphone) {}
  }

  @Test("a plain mono source has one channel, and that is the reason")
  func plain() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("webcam", rate: 16_000, channels: 1, map: "mono")
    let source = try open(server, CaptureRequest(device: "webcam"))
    #expect(source.info.format.channelCount == 1)
    #expect(source.info.monoReason == "it has one channel")
    withExtendedLifetime(microphone) {}
  }

  @Test("a source of two channels that only copies a mono one is seen through, layer by layer")
  func remapped() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("webcam", rate: 16_000, channels: 1, map: "mono")
    try server.addRemapSource(
      "wide", over: "webcam", map: "front-left,front-right", masterMap: "mono,mono")
    try server.addRemapSource(
      "wider", over: "wide", map: "front-left,front-right", masterMap: "front-left,front-right")
    for name in ["wide", "wider"] {
      let source = try open(server, CaptureRequest(device: name, rates: [16_000]))
      #expect(source.info.format.channelCount == 2)
      #expect(source.info.native?.channelCount == 1)
      #expect(source.info.monoReason == "it copies the one channel of 'webcam' to 2")
    }
    let wide = try #require(devices(of: server).first { $0.name == "wide" })
    #expect(wide.kind == .virtual && wide.native?.channelCount == 1)
    withExtendedLifetime(microphone) {}
  }

  @Test("PipeWire's headset profile is told in its own spelling")
  func pipeWire() throws {
    let server = try PrivatePipeWireServer()
    let node = try server.addSource(
      "bluez_input.AA_BB_CC_DD_EE_01.0",
      properties: """
        audio.position=[MONO] audio.channels=1 audio.rate=16000 node.description=FakeBuds \
        device.bus=bluetooth device.api=bluez5 api.bluez5.profile=headset-head-unit \
        api.bluez5.codec=msbc
        """)
    let source = try open(server, CaptureRequest(device: "FakeBuds"))
    #expect(source.info.format.channelCount == 1)
    #expect(source.info.monoReason == "its profile headset-head-unit sends one microphone")
    let device = try #require(
      devices(of: server).first { $0.name.hasPrefix("bluez_input") })
    #expect(device.kind == .microphone)
    #expect(device.bluetoothProfile == "headset-head-unit" && device.bluetoothCodec == "msbc")
    withExtendedLifetime(node) {}
  }

  @Test("filters and loopbacks of PipeWire are seen through to the one microphone behind them")
  func pipeWireLoopback() throws {
    let server = try PrivatePipeWireServer()
    let node = try server.addSource(
      "bluez_input.AA_BB_CC_DD_EE_01.0",
      properties: """
        audio.position=[MONO] audio.channels=1 audio.rate=16000 node.description=FakeBuds \
        device.bus=bluetooth device.api=bluez5 api.bluez5.profile=headset-head-unit
        """)
    try server.addRemapSource(
      "wide", over: "bluez_input.AA_BB_CC_DD_EE_01.0", map: "front-left,front-right",
      masterMap: "mono,mono")
    let front = try Program(
      "pw-loopback",
      [
        "--capture-props={target.object=bluez_input.AA_BB_CC_DD_EE_01.0}",
        "--playback-props={node.name=front media.class=Audio/Source}",
      ], environment: server.environment)
    try server.waitForSource("front")
    for name in ["wide", "front"] {
      let source = try open(server, CaptureRequest(device: name))
      #expect(source.info.format.channelCount == 2)
      #expect(source.info.native?.channelCount == 1)
      #expect(source.info.monoReason == "its profile headset-head-unit sends one microphone")
      let device = try #require(devices(of: server).first { $0.name == name })
      #expect(device.kind == .virtual && device.bluetoothProfile == "headset-head-unit")
    }
    withExtendedLifetime((node, front)) {}
  }
}
