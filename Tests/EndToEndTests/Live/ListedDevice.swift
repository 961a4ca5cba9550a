import Foundation
import Lab

/// A device in the output of `splitcap devices --json`.
struct ListedDevice: Decodable {
  /// What the device has itself.
  struct Native: Decodable, Equatable {
    let channels: Int
    let rate: Int
    let format: String
  }

  let backend: String
  let name: String
  let description: String
  let kind: String
  let isDefault: Bool
  let state: String
  let native: Native?
  let ownRates: [Int]
  let muted: Bool?
  let volumes: [Int]
  let profile: String?
  let codec: String?
  let notes: [String]

  private enum CodingKeys: String, CodingKey {
    case backend, name, description, kind, state, native, muted, notes
    case isDefault = "default"
    case ownRates = "own_rates"
    case volumes = "volume_percent"
    case profile = "bluetooth_profile"
    case codec = "bluetooth_codec"
  }
}

/// The whole output of `splitcap devices --json`.
struct DeviceListing: Decodable {
  /// A back end that could be asked.
  struct Backend: Decodable {
    let backend: String
    let server: String?
  }

  /// A back end that could not.
  struct Problem: Decodable {
    let backend: String
    let message: String
    let hint: String?
  }

  let version: Int
  let backends: [Backend]
  let devices: [ListedDevice]
  let problems: [Problem]
}

extension Studio {
  /// What `splitcap devices --json` lists, and that it says nothing else and succeeds.
  func listing(_ arguments: String..., variables: [String: String?] = [:]) throws -> DeviceListing {
    let outcome = try start(["devices", "--json"] + arguments, variables: variables).wait()
    guard outcome.status == .exited(0), outcome.errors.isEmpty else {
      throw LabError("devices: \(outcome.status): \(outcome.errors)")
    }
    return try JSONDecoder().decode(DeviceListing.self, from: Data(outcome.output))
  }
}
