import ALSASource
import Lab
import SplitcapCore
import Testing

@Suite("How an ALSA device is captured")
struct NegotiationTests {
  @Test(
    "the first listed rate that the device has itself is taken",
    arguments: [
      ("only16000", 16_000), ("only11025", 11_025), ("only22050", 22_050), ("only44100", 44_100),
      ("22050+48000", 22_050), ("11025+44100", 11_025),
    ])
  func listed(device: String, rate: Int) throws {
    var source = try Devices.open(device)
    #expect(source.info.format.sampleRate == rate)
    #expect(source.info.native?.sampleRate == rate)
    #expect(source.info.notes.isEmpty)
    let recording = try source.record(rate / 10)
    #expect(recording.channel(0) == recording.ramp(channel: 0))
  }

  @Test("the order of the list decides, not that of the device")
  func order() throws {
    let source = try Devices.open("11025+44100", rates: [44_100, 11_025])
    #expect(source.info.format.sampleRate == 44_100)
  }

  @Test(
    "with none of the list, the next higher own rate is taken, else the highest",
    arguments: [("48000", 48_000), ("8000", 8_000), ("32000+48000", 32_000)])
  func ownRate(device: String, rate: Int) throws {
    var source = try Devices.open(device)
    #expect(source.info.format.sampleRate == rate)
    #expect(source.info.native?.sampleRate == rate)
    let recording = try source.record(1_000)
    #expect(recording.channel(1) == recording.ramp(channel: 1))
  }

  @Test("with none of the list and no fallback, the error lists what the device can do")
  func noFallback() throws {
    let error = try #require(throws: SplitcapError.self) {
      _ = try Devices.open("32000+48000", fallback: .fail)
    }
    #expect(error.kind == .unsupportedFormat)
    #expect(error.message.contains("'32000+48000'"))
    #expect(error.message.contains("16000, 11025, 22050, 44100"))
    #expect(error.hint?.contains("it has 32000, 48000 Hz, 2 channels, S16_LE") == true)
  }

  @Test(
    "a 'plug' is looked through: no rate and no channel is made up",
    arguments: [
      (nil, "S24_3LE", 1), ("plugged", "S24_3LE", 1), ("nested", "S16_LE", 1),
      ("shared_slave", "S32_LE", 2),
    ])
  func plug(device: String?, format: String, channels: Int) throws {
    var source = try Devices.open(device, rates: [48_000, 16_000])
    #expect(source.info.name == device ?? "default")
    #expect(
      source.info.native
        == SourceInfo.Native(channelCount: channels, sampleRate: 16_000, sampleFormat: format))
    #expect((source.info.monoReason != nil) == (channels == 1))
    let recording = try source.record(1_000)
    #expect(recording.channel(0) == recording.ramp(channel: 0))
  }

  @Test(
    "a PCM that converts by the user's own will says that its layout is not the device's",
    arguments: ["copied", "resampled"])
  func converting(device: String) throws {
    let source = try Devices.open(device)
    #expect(source.info.native == nil)
    #expect(source.info.notes.contains { $0.hasPrefix("it converts") })
  }

  @Test(
    "L56: a period is at most a quarter of the buffer, whatever latency is asked for",
    arguments: [("stereo", 2_000, 8_000), ("short", 100, 800), ("short", 2_000, 800)])
  func quarter(device: String, milliseconds: Int, longest: Int) throws {
    let source = try Devices.open(device, latency: .milliseconds(milliseconds))
    #expect((1...longest).contains(source.info.latencyFrames), "\(source.info.latencyFrames)")
  }

  @Test("a period is as long as the latency that was asked for", arguments: [5, 10, 100])
  func latency(milliseconds: Int) throws {
    let source = try Devices.open("stereo", latency: .milliseconds(milliseconds))
    #expect(source.info.latencyFrames == 16 * milliseconds)
  }

  @Test("a name that nothing has is an error that lists near ones")
  func unknown() throws {
    let error = try #require(throws: SplitcapError.self) { _ = try Devices.open("sterio") }
    #expect(error.kind == .sourceUnavailable)
    #expect(error.message.contains("'sterio'"))
    #expect(error.hint?.contains("'stereo'") == true)
  }

  @Test("a card that is not there is named")
  func noCard() throws {
    let error = try #require(throws: SplitcapError.self) { _ = try Devices.open("hw:CARD=nope") }
    #expect(error.kind == .sourceUnavailable)
    #expect(error.message.contains("'hw:CARD=nope'"))
  }

  @Test("a part of one device's description is enough")
  func description() throws {
    let source = try Devices.open("two-EAR")
    #expect(source.info.name == "stereo")
    #expect(source.info.description == "Two-ear headset")
  }

  @Test("libasound's own messages are kept, not printed")
  func messages() throws {
    _ = ALSAMessages.take()
    #expect(throws: SplitcapError.self) { _ = try Devices.open("wrong") }
    #expect(ALSAMessages.take().contains { $0.contains("setting 'rates' is wrong") })
  }
}
