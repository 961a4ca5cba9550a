import SplitcapCore

@testable import SplitcapCLI

extension FuzzTarget {
  /// What is typed for a device, a list of devices below it: it is the one that was meant, or none.
  static let deviceNames = FuzzTarget(
    "device-name",
    seeds: [
      "jabra\nalsa_input.usb-jabra\tJabra Evolve\nalsa_output.usb-jabra.monitor\tMonitor of Jabra",
      "default\ndefault\tDefault\nhw:0,0\tHDA Intel", "hw:1\nhw:0\tA\nhw:2\tB\nhw:3\tC",
      "monitor\na.monitor\tMonitor of a\nb.monitor\tMonitor of b\n", "\na\tb",
    ], words: ["\n", "\t", "monitor", "hw:", "\u{1B}[2J", "É", "ß", "\u{301}"]
  ) { text in
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let wanted = lines[0]
    let devices = lines.dropFirst().prefix(40).map(DeviceInfo.init(line:))
    try orRefusal(of: [.usage, .sourceUnavailable]) { () throws(SplitcapError) in
      try DeviceNames.find(wanted, in: devices)
    } then: { found in
      try checkChoice(of: found, for: wanted, from: devices)
    }
    let names = devices.map(\.name)
    let near = Nearest.words(to: wanted, in: names)
    try promise(near.count <= 3 && near.allSatisfy(names.contains), "near are \(near)")
  }

  private static func checkChoice(
    of found: DeviceInfo, for wanted: String, from devices: [DeviceInfo]
  ) throws {
    try promise(devices.contains(found), "\(found.name) is not there")
    if found.name == wanted { return }
    try promise(!devices.contains { $0.name == wanted }, "\(found.name) is taken for it")
    let part = wanted.lowercased()
    func fits(_ device: DeviceInfo) -> Bool {
      (device.name + "\n" + device.description).lowercased().contains(part)
        && (device.kind != .monitor || part.contains("monitor"))
    }
    try promise(devices.filter(fits) == [found], "\(found.name) is one of several, or none")
  }
}

extension DeviceInfo {
  /// A device of a line: its name, a tab, its description.
  fileprivate init(line: String) {
    let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      backend: .pulse, name: String(parts[0]), description: parts.count > 1 ? String(parts[1]) : "",
      kind: parts[0].hasSuffix(".monitor") ? .monitor : .microphone, native: nil, ownRates: [],
      isDefault: false, state: "idle")
  }
}
