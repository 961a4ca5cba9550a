internal import SplitcapCore

/// What the configuration says a PCM is, seen through the layers that would convert its sound.
///
/// A `plug` claims every rate and any number of channels: it resamples, and copies the one channel
/// of a mono microphone to both ears. So it is left out, and the PCM behind it is opened.
struct Definition: ~Copyable {
  /// The name that the user gave, or that was found for it.
  let device: String

  /// The configuration in which ``name`` is defined.
  let configuration: Configuration

  /// What to open: the name the user gave, or that of the PCM behind it.
  let name: String

  /// The plug-in that makes the PCM, such as `hw` or `dsnoop`.
  let type: String

  /// A text for people, if the configuration has one for ``device``.
  let description: String?

  /// The profile of a Bluetooth headset, where the configuration names it.
  let bluetoothProfile: String?

  /// The name that a PCM defined in place, not by name, is given.
  private static let inPlace = "splitcap_device"

  /// Looks `device` up; `nil` if the configuration knows no such PCM.
  init?(of device: String) throws(SplitcapError) {
    let configuration = try Configuration.current()
    var name = device
    guard var definition = configuration.definition(of: device) else { return nil }
    let description = definition.text(at: "hint.description")
    // Configurations may go round in circles; none is this deep.
    for _ in 0..<8 {
      guard let slave = Definition.slave(of: definition, in: configuration) else { break }
      if let text = slave.text {
        name = text
      } else {
        name = Definition.inPlace
        try configuration.add(slave, asPCM: name)
      }
      guard let next = configuration.definition(of: name) else { return nil }
      definition = next
    }
    // Set at the end: a noncopyable value can't be given up half made.
    self.device = device
    self.description = description
    self.name = name
    type = definition.text(at: "type") ?? "unknown"
    bluetoothProfile = type == "bluealsa" ? definition.text(at: "profile") : nil
    self.configuration = configuration
  }

  /// The PCM behind one that only converts; `nil` if `definition` is not such a one.
  ///
  /// A `plug` with a table of channels is the user's own will, and is kept.
  private static func slave(
    of definition: borrowing Configuration, in configuration: borrowing Configuration
  ) -> Configuration? {
    let branch: String
    switch definition.text(at: "type") {
    case "plug":
      guard definition.node(at: "ttable") == nil, definition.node(at: "route_policy") == nil
      else { return nil }
      branch = "slave"
    case "asym": branch = "capture"
    case "empty": branch = "slave"
    default: return nil
    }
    guard let slave = definition.node(at: branch) else { return nil }
    guard let shared = slave.text else { return slave.node(at: "pcm") }
    return configuration.definition(of: shared, base: "pcm_slave")?.node(at: "pcm")
  }
}

extension Definition {
  /// Whether a sound server stands behind the PCM, which converts all that it is asked for.
  var isServer: Bool { type == "pulse" || type == "pipewire" }

  /// Whether the PCM converts by the user's own will, so that what it claims is not the device's.
  var isConverting: Bool { ["plug", "rate", "route", "multi", "upmix", "vdownmix"].contains(type) }

  /// Whether to open it may start a program or wait for one.
  var isRisky: Bool { isServer || type == "jack" || type == "oss" }

  /// Why the native layout can't be known, or `nil` if it can.
  var reasonForNoNative: String? {
    if isServer {
      return "a sound server stands behind it and converts; use --backend pulse to see its"
        + " real layout"
    }
    if isConverting { return "it converts (type \(type)); the layout behind it cannot be seen" }
    return nil
  }

  /// Why there is but one channel, for a device that has one.
  var monoReason: String {
    type == "bluealsa"
      ? "a Bluetooth headset sends one microphone in its call profile"
      : "'\(device)' has one channel"
  }
}
