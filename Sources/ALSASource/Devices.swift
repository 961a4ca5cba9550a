private import Glibc
public import SplitcapCore

extension ALSASource {
  /// Lists what can be recorded through ALSA, the default device first.
  ///
  /// Each device is opened for a moment to see what it can do; a busy one is not waited for. PCMs of
  /// sound servers are not opened, since that might start the server.
  ///
  /// - Parameter rates: Rates in hertz to look for.
  /// - Returns: An entry for each PCM that a person would choose; none twice.
  /// - Throws: ``SplitcapError`` of kind `backend` if ALSA's configuration can't be read.
  public static func devices(
    rates: [Int] = StreamFormat.preferredRates
  ) throws(SplitcapError) -> [DeviceInfo] {
    ALSAMessages.collect()
    let request = CaptureRequest(rates: rates)
    var devices: [DeviceInfo] = []
    for entry in try ALSADevices.entries() {
      if let device = try ALSADevices.inspect(entry, request) { devices.append(device) }
    }
    return devices
  }

  /// Whether a device is nothing but ALSA's way to a Pulse server; `nil` is the default device.
  ///
  /// To open such a one waits half a minute for a server that hangs.
  public static func leadsToPulse(_ device: String?) -> Bool {
    ALSAMessages.collect()
    // What can't be found is no way to anywhere; to open it tells why.
    return (try? ALSADevices.find(device ?? "default"))?.type == "pulse"
  }
}

/// The PCMs that a person would record from.
enum ALSADevices {
  /// A PCM that may be recorded; not opened yet.
  struct Entry: Equatable {
    var name: String
    /// A text for people; `nil` if only the configuration or the PCM itself has one.
    var description: String?
  }

  /// Finds the PCM that is meant by `wanted`, and never another one.
  ///
  /// A name that ALSA knows is that PCM; anything else is looked up among the devices, unless
  /// `isWholeName`.
  static func find(_ wanted: String, isWholeName: Bool = false) throws(SplitcapError) -> Definition
  {
    if let definition = try Definition(of: wanted) { return definition }
    guard !isWholeName else {
      throw SplitcapError(alsa: -ENOENT, doing: "open", device: wanted)
    }
    var candidates: [DeviceInfo] = []
    for entry in try entries() {
      var description = entry.description
      if description == nil { description = try Definition(of: entry.name)?.description }
      candidates.append(
        DeviceInfo(
          backend: .alsa, name: entry.name, description: description ?? entry.name,
          kind: .virtual, native: nil, ownRates: [], isDefault: entry.name == "default",
          state: "unknown"))
    }
    let found = try DeviceNames.find(wanted, in: candidates).name
    guard let definition = try Definition(of: found) else {
      throw SplitcapError(alsa: -ENOENT, doing: "open", device: found)
    }
    return definition
  }

  /// All entries: the default, the cards' devices, the user's own PCMs, and those of servers.
  static func entries() throws(SplitcapError) -> [Entry] {
    let configuration = try Configuration.current()
    var entries = [Entry(name: "default", description: nil)]
    entries += Cards.captureDevices()
    entries += ownNames(in: configuration).map { Entry(name: $0, description: nil) }
    for hint in NameHints.captureNames() where isServerName(hint, in: configuration) {
      entries.append(Entry(name: hint, description: nil))
    }
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.name).inserted }
  }

  /// Names that ALSA's own files define and that no one records from: they need arguments, are
  /// other names of a card's device, or play.
  private static let stockNames: Set<String> = [
    "cards", "null", "default", "sysdefault", "front", "rear", "center_lfe", "side", "surround21",
    "surround40", "surround41", "surround50", "surround51", "surround71", "iec958", "spdif",
    "hdmi", "dmix", "dsnoop", "modem", "phoneline", "jack", "oss", "usbstream", "upmix",
    "vdownmix",
  ]

  /// PCMs of the configuration that take no arguments: the user's own.
  private static func ownNames(in configuration: borrowing Configuration) -> [String] {
    configuration.names(at: "pcm").filter { name in
      !stockNames.contains(name) && configuration.node(at: "pcm.\(name).@args") == nil
    }
  }

  /// Whether a hint's name is that of a sound server or of a Bluetooth daemon.
  private static func isServerName(
    _ name: String, in configuration: borrowing Configuration
  ) -> Bool {
    let type = configuration.definition(of: name)?.text(at: "type")
    return ["pulse", "pipewire"].contains(type) || name.hasPrefix("bluealsa")
  }

  /// What stands behind an entry; `nil` if it can't be recorded at all.
  static func inspect(
    _ entry: Entry, _ request: CaptureRequest
  ) throws(SplitcapError) -> DeviceInfo? {
    guard let definition = try Definition(of: entry.name) else { return nil }
    var device = DeviceInfo(
      backend: .alsa, name: entry.name,
      description: entry.description ?? definition.description ?? entry.name,
      kind: definition.kind(description: entry.description), native: nil, ownRates: [],
      isDefault: entry.name == "default", state: "unknown",
      bluetoothProfile: definition.bluetoothProfile,
      notes: definition.reasonForNoNative.map { [$0] } ?? [])
    if definition.isRisky { return device }
    do {
      let pcm = try PCM(
        opening: definition.name, in: definition.configuration, device: entry.name)
      device.state = "available"
      if device.description == entry.name, let name = pcm.hardwareName { device.description = name }
      let choice = try HardwareParameters.all(of: pcm, device: entry.name)
        .choose(request, on: pcm, device: entry.name)
      device.ownRates = choice.wantedRates
      if definition.reasonForNoNative == nil { device.native = choice.native }
    } catch {
      switch error.kind {
      case .sourceBusy:
        device.state = "busy"
        device.notes.append("another program records from it; what it can do cannot be seen now")
      case .permissionDenied:
        device.state = "forbidden"
        device.notes += [error.hint ?? "this user may not open it"]
      default: return nil
      }
    }
    return device
  }
}

extension Definition {
  /// What kind of sound the PCM has, as far as its plug-in tells.
  fileprivate func kind(description: String?) -> DeviceInfo.Kind {
    // The kernel's loopback card delivers what another program plays.
    if description?.contains("Loopback") == true { return .monitor }
    return ["hw", "dsnoop", "bluealsa"].contains(type) ? .microphone : .virtual
  }
}
