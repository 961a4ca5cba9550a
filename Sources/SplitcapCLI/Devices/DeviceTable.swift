internal import SplitcapCore

/// Devices as a table that says what to type; where it is too wide, an entry of lines each.
struct DeviceTable {
  /// The table, with a newline after each line.
  let text: String

  /// Draws a list.
  ///
  /// - Parameters:
  ///   - list: What to draw.
  ///   - width: Columns to fit; `nil` for no limit, so that a line stays a line in a pipe.
  ///   - isVerbose: Whether formats and volumes are shown.
  init(_ list: DeviceList, width: Int?, isVerbose: Bool) {
    let rows = list.devices.map { Row($0, isVerbose: isVerbose) }
    let all = [Row.heading] + rows
    let widths = Row.heading.cells.indices.map { i in all.map(\.cells[i].count).max() ?? 0 }
    let isWide = width.map { $0 >= 2 + widths.reduce(0, +) + 2 * (widths.count - 1) } ?? true
    var text = ""
    // --backend auto takes ALSA only where no Pulse server answers.
    let isALSAAutomatic = list.problems.contains { $0.backend == .pulse }
    for answer in list.answers {
      let members = rows.filter { $0.backend == answer.backend }
      guard !members.isEmpty else { continue }
      if !text.isEmpty { text += "\n" }
      text += Self.title(of: answer, isALSAAutomatic) + "\n\n"
      if isWide { text += Self.line(Row.heading, widths) }
      for row in members {
        text += isWide ? Self.line(row, widths) : row.entry(width: width ?? .max)
        for note in row.notes { text += "note: \(note)".wrapped(width: width ?? .max, indent: 6) }
      }
    }
    self.text = text
  }

  /// What to type, before the devices of a back end.
  private static func title(of answer: DeviceList.Answer, _ isALSAAutomatic: Bool) -> String {
    guard answer.backend == .alsa else {
      return "\(answer.server?.printable ?? "Pulse"): splitcap --device DEVICE …"
    }
    return "ALSA: splitcap \(isALSAAutomatic ? "" : "--backend alsa ")--device DEVICE …"
  }

  private static func line(_ row: Row, _ widths: [Int]) -> String {
    var line = row.isDefault ? "* " : "  "
    for (cell, width) in zip(row.cells, widths) { line += cell.padded(to: width + 2) }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }

  /// What one device shows.
  private struct Row {
    let backend: SourceInfo.Backend?
    let isDefault: Bool
    let cells: [String]
    let notes: [String]
    private let facts: [String]

    static let heading = Row(
      backend: nil, isDefault: false,
      cells: ["DEVICE", "KIND", "CHANNELS", "RATE", "OWN RATES", "STATE", "DESCRIPTION"],
      notes: [], facts: [])

    private init(
      backend: SourceInfo.Backend?, isDefault: Bool, cells: [String], notes: [String],
      facts: [String]
    ) {
      self.backend = backend
      self.isDefault = isDefault
      self.cells = cells
      self.notes = notes
      self.facts = facts
    }

    init(_ device: DeviceInfo, isVerbose: Bool) {
      let format = isVerbose ? device.native.map { " \($0.sampleFormat)" } ?? "" : ""
      let channels = device.native.map { String($0.channelCount) } ?? "?"
      let rate = device.native.map { "\($0.sampleRate)\(format)" } ?? "?"
      let ownRates = device.ownRates.map(String.init).joined(separator: ",")
      let state = Self.state(of: device, isVerbose: isVerbose).joined(separator: ", ")
      let description = device.description == device.name ? "" : device.description.printable
      self.init(
        backend: device.backend, isDefault: device.isDefault,
        cells: [
          device.name.printable, device.kind.rawValue, channels, rate,
          ownRates.isEmpty ? "-" : ownRates, state.isEmpty ? "-" : state, description,
        ],
        notes: device.notes.map(\.printable),
        facts: [
          device.isDefault ? "the default" : "", device.kind.rawValue,
          device.native.map { "\($0.channelCount) channel\($0.channelCount == 1 ? "" : "s")" }
            ?? "channels unknown",
          device.native == nil ? "rate unknown" : "\(rate) Hz",
          ownRates.isEmpty ? "" : "own rates \(ownRates)", state,
        ].filter { !$0.isEmpty })
    }

    /// The device as lines: its name alone, so that it can be copied, then what it is.
    func entry(width: Int) -> String {
      let description = cells[cells.count - 1]
      return (isDefault ? "* " : "  ") + cells[0] + "\n"
        + description.wrapped(width: width, indent: 6)
        + facts.joined(separator: ", ").wrapped(width: width, indent: 6)
    }

    /// What may keep sound from coming, and what a Bluetooth device is at the moment.
    private static func state(of device: DeviceInfo, isVerbose: Bool) -> [String] {
      var words = device.state == "unknown" ? [] : [device.state.printable]
      if device.isMuted == true { words.append("muted") }
      if isVerbose || device.volumePercent.contains(0) {
        let volumes = device.volumePercent.map { "\($0)%" }
        if !volumes.isEmpty { words.append("volume " + volumes.joined(separator: "/")) }
      }
      let bluetooth = [device.bluetoothProfile, device.bluetoothCodec].compactMap { $0?.printable }
      if !bluetooth.isEmpty { words.append("Bluetooth " + bluetooth.joined(separator: " ")) }
      return words
    }
  }
}
