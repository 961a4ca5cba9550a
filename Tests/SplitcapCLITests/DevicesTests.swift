import Foundation
import Lab
import SplitcapCore
import Testing

@testable import SplitcapCLI

@Suite("Devices")
struct DevicesTests {
  /// A headset, a monitor, and a device that nothing is known of.
  private static var list: DeviceList {
    var list = DeviceList(rates: [16_000, 48_000])
    list.add(.pulse) {
      let devices = [
        DeviceInfo(
          backend: .pulse, name: "bluez_input.AA_BB", description: "Head\u{1B}[31mset",
          kind: .microphone,
          native: .init(channelCount: 1, sampleRate: 16_000, sampleFormat: "s16le"),
          ownRates: [16_000], isDefault: true, isMuted: true, volumePercent: [100, 0],
          state: "suspended", bluetoothProfile: "headset_head_unit", bluetoothCodec: "mSBC",
          notes: ["its profile sends one microphone, so both ears would be the same"]),
        DeviceInfo(
          backend: .pulse, name: "out.monitor", description: "Monitor of out", kind: .monitor,
          native: .init(channelCount: 2, sampleRate: 44_100, sampleFormat: "float32le"),
          ownRates: [], isDefault: false, isMuted: false, volumePercent: [100, 100], state: "idle"),
      ]
      return ("PulseAudio 16.1", devices)
    }
    list.add(.alsa) {
      let device =
        DeviceInfo(
          backend: .alsa, name: "hw:CARD=Ears,DEV=0", description: "hw:CARD=Ears,DEV=0",
          kind: .virtual, native: nil, ownRates: [16_000, 48_000], isDefault: false,
          state: "available")
      return (nil, [device])
    }
    return list
  }

  @Test("in a pipe each device is one line, with what to type first")
  func table() {
    let text = DeviceTable(Self.list, width: nil, isVerbose: false).text
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      lines.contains([
        "*", "bluez_input.AA_BB", "microphone", "1", "16000", "16000", "suspended,", "muted,",
        "volume", "100%/0%,", "Bluetooth", "headset_head_unit", "mSBC", "Head\\u{1b}[31mset",
      ]))
    #expect(
      lines.contains(["out.monitor", "monitor", "2", "44100", "-", "idle", "Monitor", "of", "out"]))
    #expect(
      lines.contains(["hw:CARD=Ears,DEV=0", "virtual", "?", "?", "16000,48000", "available"]))
    #expect(text.contains("PulseAudio 16.1: splitcap --device DEVICE"))
    #expect(text.contains("ALSA: splitcap --backend alsa --device DEVICE"))
    #expect(
      text.contains("note: its profile sends one microphone, so both ears would be the same\n"))
  }

  @Test("--backend alsa is left out only where no Pulse server answers")
  func backend() {
    var list = DeviceList(rates: [16_000])
    let devices = Self.list.devices.filter { $0.backend == .alsa }
    list.add(.alsa) { (nil, devices) }
    let text = DeviceTable(list, width: nil, isVerbose: false).text
    #expect(text.contains("ALSA: splitcap --backend alsa --device"))
    list.add(.pulse) { () throws(SplitcapError) in
      throw SplitcapError(.sourceUnavailable, "no server answers")
    }
    let other = DeviceTable(list, width: nil, isVerbose: false).text
    #expect(other.contains("ALSA: splitcap --device"))
  }

  @Test("columns stand beneath each other")
  func columns() throws {
    let lines = DeviceTable(Self.list, width: 200, isVerbose: true).text.split(separator: "\n")
    let heading = try #require(lines.first { $0.contains("KIND") })
    let column = try #require(heading.firstRange(of: "KIND")).lowerBound.utf16Offset(in: heading)
    for kind in ["microphone", "monitor ", "virtual"] {
      #expect(lines.contains { $0.dropFirst(column).hasPrefix(kind) }, "\(kind)")
    }
  }

  @Test("nothing is lost in a narrow terminal, and it fits", arguments: [40, 60, 80, 100, 120])
  func narrow(width: Int) {
    let text = DeviceTable(Self.list, width: width, isVerbose: true).text
    // A line may be longer only if it can't be broken: a name stays whole, so that it can be copied.
    for line in text.split(separator: "\n") where line.count > width {
      #expect(!line.dropFirst(6).contains(" ") || line.contains("--device"), "\(line)")
    }
    for device in Self.list.devices { #expect(text.contains(device.name)) }
    for word in ["16000", "s16le", "suspended", "muted", "mSBC", "0%", "44100", "16000,48000"] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test("JSON says what the documented schema says, key by key")
  func json() throws {
    var list = Self.list
    list.add(.alsa) { () throws(SplitcapError) in
      throw SplitcapError(.backend, "ALSA's configuration can't be read", hint: "look at it")
    }
    let folder = try TemporaryFolder()
    let text = DeviceJSON.text(of: list)
    #expect(text.last == "\n" && text.dropLast().allSatisfy { $0 != "\n" })
    try folder.write(text, to: "devices.json")
    let script = """
      import json, sys
      list = json.load(open(sys.argv[1], encoding="utf-8"))
      assert list["version"] == 1 and list["wanted_rates"] == [16000, 48000]
      assert list["backends"] == [
        {"backend": "pulse", "server": "PulseAudio 16.1"}, {"backend": "alsa", "server": None}]
      assert list["devices"][0] == {
        "backend": "pulse", "name": "bluez_input.AA_BB", "description": "Head\\x1b[31mset",
        "kind": "microphone", "default": True, "state": "suspended",
        "native": {"channels": 1, "rate": 16000, "format": "s16le"}, "own_rates": [16000],
        "muted": True, "volume_percent": [100, 0], "bluetooth_profile": "headset_head_unit",
        "bluetooth_codec": "mSBC",
        "notes": ["its profile sends one microphone, so both ears would be the same"]}
      assert list["devices"][2]["native"] is None and list["devices"][2]["muted"] is None
      assert list["problems"] == [{"backend": "alsa",
        "message": "ALSA's configuration can't be read", "hint": "look at it"}]
      docs = open(sys.argv[2], encoding="utf-8").read()
      for key in [*list, *list["backends"][0], *list["devices"][0], *list["devices"][0]["native"], *list["problems"][0]]:
        assert "`" + key + "`" in docs, key
      """
    let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/devices-json.md").path
    let outcome = try Program.run("python3", ["-c", script, folder("devices.json"), docs])
    #expect(outcome.errors == "" && outcome.status == .exited(0))
  }
}
