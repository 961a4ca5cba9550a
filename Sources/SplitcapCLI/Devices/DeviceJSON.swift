internal import SplitcapCore

/// Devices as one JSON object; `docs/devices-json.md` describes it.
enum DeviceJSON {
  /// Raised when a key changes its meaning or goes away; a new key does not raise it.
  static let version = 1

  /// The object on one line, with a newline after it.
  static func text(of list: DeviceList) -> String {
    let object = JSON.object([
      ("version", .integer(version)),
      ("wanted_rates", .array(list.rates.map(JSON.integer))),
      ("backends", .array(list.answers.map(answer))),
      ("devices", .array(list.devices.map(device))),
      ("problems", .array(list.problems.map(problem))),
    ])
    return object.text + "\n"
  }

  private static func answer(_ answer: DeviceList.Answer) -> JSON {
    .object([
      ("backend", .string(answer.backend.rawValue)),
      ("server", .optional(answer.server)),
    ])
  }

  private static func device(_ device: DeviceInfo) -> JSON {
    .object([
      ("backend", .string(device.backend.rawValue)),
      ("name", .string(device.name)),
      ("description", .string(device.description)),
      ("kind", .string(device.kind.rawValue)),
      ("default", .bool(device.isDefault)),
      ("state", .string(device.state)),
      ("native", device.native.map(native) ?? .null),
      ("own_rates", .array(device.ownRates.map(JSON.integer))),
      ("muted", device.isMuted.map(JSON.bool) ?? .null),
      ("volume_percent", .array(device.volumePercent.map(JSON.integer))),
      ("bluetooth_profile", .optional(device.bluetoothProfile)),
      ("bluetooth_codec", .optional(device.bluetoothCodec)),
      ("notes", .array(device.notes.map(JSON.string))),
    ])
  }

  private static func native(_ native: SourceInfo.Native) -> JSON {
    .object([
      ("channels", .integer(native.channelCount)),
      ("rate", .integer(native.sampleRate)),
      ("format", .string(native.sampleFormat)),
    ])
  }

  private static func problem(_ problem: DeviceList.Problem) -> JSON {
    .object([
      ("backend", .string(problem.backend.rawValue)),
      ("message", .string(problem.error.message)),
      ("hint", .optional(problem.error.hint)),
    ])
  }
}
