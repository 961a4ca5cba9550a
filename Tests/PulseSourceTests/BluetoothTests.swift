import SplitcapCore
import Testing

@testable import PulseSource

/// Sources and cards as servers with a real headset describe them, which no private server can.
@Suite("PulseSource: Bluetooth")
struct BluetoothTests {
  private func source(
    _ name: String, card: UInt32 = .max, _ properties: [String: String]
  ) -> Inventory.Source {
    Inventory.Source(
      index: 1, name: name, description: name, channels: ["mono"], sampleRate: 48_000,
      sampleFormat: "float32le", isMonitor: false, isHardware: true, isMuted: false,
      volumePercent: [100], state: "idle", card: card, properties: properties)
  }

  private func card(_ profile: String) -> Inventory.Card {
    Inventory.Card(
      index: 7, name: "bluez_card.AA_BB_CC_DD_EE_FF", profile: profile)
  }

  @Test(
    "the front of a headset that plays music tells that recording will change its profile",
    arguments: ["a2dp-sink", "a2dp-sink-aac"])
  func front(profile: String) throws {
    let front = source(
      "bluez_input.AA:BB:CC:DD:EE:FF", ["bluez5.loopback": "true", "device.api": "bluez5"])
    let bluetooth = try #require(Bluetooth(front, cards: [card(profile)]))
    #expect(bluetooth.profile == profile)
    #expect(bluetooth.leavesMusicProfile && !bluetooth.isHeadsetProfile)
    var inventory = Inventory()
    inventory.sources = [front]
    inventory.cards = [card(profile)]
    #expect(inventory.notes(on: front).contains { $0.hasPrefix("recording switches this headset") })
    #expect(inventory.devices(rates: [])[0].kind == .microphone)
  }

  @Test("the front of a headset in its telephone profile is one microphone, by its card")
  func frontInUse() throws {
    let front = source(
      "bluez_input.AA:BB:CC:DD:EE:FF", ["bluez5.loopback": "true", "device.api": "bluez5"])
    let bluetooth = try #require(Bluetooth(front, cards: [card("headset-head-unit-msbc")]))
    #expect(bluetooth.isHeadsetProfile && !bluetooth.leavesMusicProfile)
  }

  @Test(
    "telephone profiles send one microphone, the others may send two",
    arguments: [
      ("headset_head_unit", true), ("handsfree_head_unit", true), ("headset-head-unit", true),
      ("headset-head-unit-cvsd", true), ("headset_audio_gateway", true), ("hfp_hf", true),
      ("a2dp_source", false), ("a2dp-source", false), ("bap-duplex", false),
    ])
  func profiles(profile: String, isMono: Bool) throws {
    for key in ["bluetooth.protocol", "api.bluez5.profile"] {
      let buds = source("bluez_input.x", [key: profile])
      #expect(try #require(Bluetooth(buds, cards: [])).isHeadsetProfile == isMono)
    }
  }

  @Test("FastStream gives two channels of one microphone, which a note says")
  func fastStream() throws {
    let buds = source("bluez_input.x", ["api.bluez5.codec": "faststream_duplex"])
    #expect(try #require(Bluetooth(buds, cards: [])).mayDoubleMono)
  }

  @Test("a wired source is none of Bluetooth")
  func wired() {
    let wired = source("alsa_input.pci-0000_00_1f.3.analog-stereo", ["device.bus": "pci"])
    #expect(Bluetooth(wired, cards: [card("a2dp-sink")]) == nil)
  }
}
