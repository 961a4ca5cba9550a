import SplitcapCore
import Testing

@Suite("DeviceNames")
struct DeviceNamesTests {
  private let devices = [
    device("alsa_input.usb", "USB Headset"), device("alsa_input.usb.2", "Second of USB"),
    device("bluez_source.00", "Anna's Buds"),
    device("bluez_sink.00.monitor", "Monitor of Anna's Buds", .monitor),
    device("hdmi.monitor", "Monitor of HDMI", .monitor),
  ]

  private static func device(
    _ name: String, _ description: String, _ kind: DeviceInfo.Kind = .microphone
  ) -> DeviceInfo {
    DeviceInfo(
      backend: .pulse, name: name, description: description, kind: kind, native: nil,
      ownRates: [], isDefault: false, state: "idle")
  }

  @Test("an exact name wins over a name that it is a part of")
  func exact() throws {
    #expect(try DeviceNames.find("alsa_input.usb", in: devices).name == "alsa_input.usb")
  }

  @Test("a part of one description is enough, in any case")
  func part() throws {
    #expect(try DeviceNames.find("anna", in: devices).name == "bluez_source.00")
  }

  @Test("a part of several is refused and lists them")
  func ambiguous() {
    let error = #expect(throws: SplitcapError.self) { try DeviceNames.find("usb", in: devices) }
    #expect(error?.kind == .usage)
    #expect(error?.hint?.contains("'alsa_input.usb', 'alsa_input.usb.2'") == true)
  }

  @Test("a monitor is found by its name or by a part that says so, never in place of a microphone")
  func monitor() throws {
    #expect(try DeviceNames.find("anna's buds", in: devices).name == "bluez_source.00")
    #expect(try DeviceNames.find("hdmi.monitor", in: devices).name == "hdmi.monitor")
    #expect(try DeviceNames.find("Monitor of HDMI", in: devices).name == "hdmi.monitor")
    let error = #expect(throws: SplitcapError.self) { try DeviceNames.find("hdmi", in: devices) }
    #expect(error?.kind == .sourceUnavailable)
    #expect(error?.message.contains("only 'hdmi.monitor', a monitor") == true)
  }

  @Test("a wrong name is refused and lists what is near")
  func wrong() {
    let error = #expect(throws: SplitcapError.self) {
      try DeviceNames.find("alsa_imput.usb", in: devices)
    }
    #expect(error?.kind == .sourceUnavailable)
    #expect(error?.hint?.contains("'alsa_input.usb'") == true)
    #expect(error?.hint?.contains("bluez") == false)
  }
}

@Suite("Nearest")
struct NearestTests {
  @Test("finds slips of the finger, and nothing for a word of another kind")
  func nearest() {
    let words = ["left", "right", "stereo", "resample", "rate"]
    #expect(Nearest.words(to: "letf", in: words).first == "left")
    #expect(Nearest.words(to: "lft", in: words) == ["left"])
    #expect(Nearest.words(to: "resampel", in: words) == ["resample"])
    #expect(Nearest.words(to: "ste", in: words).first == "stereo")
    #expect(Nearest.words(to: "zzzzzz", in: words).isEmpty)
    #expect(Nearest.words(to: "", in: words).isEmpty)
  }
}
