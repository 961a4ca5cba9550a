/// Finds the device that a user means, and never another one.
package enum DeviceNames {
  /// Looks `wanted` up in `devices`: an exact name, else a part of one device's name or description.
  ///
  /// Upper and lower case are the same in a part, not in an exact name. A part that does not say
  /// "monitor" is never that of a monitor, which each headset has beside its microphone.
  ///
  /// With `isWholeName`, an exact name only.
  ///
  /// - Throws: ``SplitcapError`` of kind `sourceUnavailable` if none fits, or of kind `usage` if
  ///   several do; both list names to choose from.
  /// - Complexity: O(*n* · *m*) in devices and length of names.
  package static func find(
    _ wanted: String, in devices: [DeviceInfo], isWholeName: Bool = false
  ) throws(SplitcapError) -> DeviceInfo {
    if let exact = devices.first(where: { $0.name == wanted }) { return exact }
    guard !isWholeName else {
      throw SplitcapError(.sourceUnavailable, "no device is named '\(wanted)'")
    }
    let part = wanted.lowercased()
    let alike = devices.filter {
      $0.description.lowercased().contains(part) || $0.name.lowercased().contains(part)
    }
    let fitting = alike.filter { $0.kind != .monitor || part.contains("monitor") }
    if fitting.count == 1 { return fitting[0] }
    if fitting.count > 1 {
      throw SplitcapError(
        .usage, "'\(wanted)' fits \(fitting.count) devices",
        hint: "choose one: " + list(fitting.map(\.name)))
    }
    if let monitor = alike.first {
      throw SplitcapError(
        .sourceUnavailable, "no microphone is named '\(wanted)', only '\(monitor.name)', a monitor",
        hint: "a monitor is what the computer plays; its whole name records it")
    }
    throw SplitcapError(
      .sourceUnavailable, "no device is named '\(wanted)'", hint: hint(for: wanted, in: devices))
  }

  private static func hint(for wanted: String, in devices: [DeviceInfo]) -> String {
    // Few are soon read, monitors aside.
    let names = devices.filter { $0.kind != .monitor }.map(\.name)
    let near = Nearest.words(to: wanted, in: devices.map(\.name))
    if !near.isEmpty { return "near it: \(list(near)); 'splitcap devices' lists all" }
    if (1...5).contains(names.count) { return "there is \(list(names)); see 'splitcap devices'" }
    return "list the devices with 'splitcap devices'"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
