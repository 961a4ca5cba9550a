import ALSASource
import SplitcapCore
import Testing

// One at a time: to list devices is to open each for a moment, an exclusive one too.
@Suite("The list of ALSA devices", .serialized)
struct DeviceListTests {
  @Test("shows what a device has itself, before any conversion")
  func native() throws {
    let devices = try Devices.list(rates: [48_000, 22_050, 16_000])
    let both = try #require(devices.first { $0.name == "22050+48000" })
    #expect(both.ownRates == [48_000, 22_050])
    #expect(
      both.native
        == SourceInfo.Native(channelCount: 2, sampleRate: 48_000, sampleFormat: "S16_LE"))
    let mono = try #require(devices.first { $0.name == "plugged" })
    #expect(mono.native?.channelCount == 1)
    #expect(mono.native?.sampleFormat == "S24_3LE")
    #expect(mono.state == "available")
  }

  @Test("has the default first, and one row a device")
  func order() throws {
    let devices = try Devices.list()
    #expect(devices.first?.name == "default")
    #expect(devices.filter(\.isDefault).map(\.name) == ["default"])
    #expect(Set(devices.map(\.name)).count == devices.count)
  }

  @Test("leaves out what can't be recorded, and ALSA's own templates")
  func leftOut() throws {
    let names = Set(try Devices.list().map(\.name))
    for name in ["playback", "wrong", "null", "plug", "samplerate", "surround51", "jack"] {
      #expect(!names.contains(name))
    }
  }

  @Test("names a sound server as such, without opening it")
  func server() throws {
    let pulse = try #require(try Devices.list().first { $0.name == "pulse" })
    #expect(pulse.native == nil)
    #expect(pulse.notes.contains { $0.contains("--backend pulse") })
  }

  @Test("a device that is open elsewhere is busy, at once, and says what to do")
  func busy() throws {
    let first = try Devices.open("exclusive")
    let error = try #require(throws: SplitcapError.self) { _ = try Devices.open("exclusive") }
    #expect(error.kind == .sourceBusy)
    #expect(error.message.contains("'exclusive'"))
    #expect(error.hint != nil)
    let entry = try #require(try Devices.list().first { $0.name == "exclusive" })
    #expect(entry.state == "busy")
    #expect(first.info.name == "exclusive")
  }
}
