/// A device that can be recorded, as a list shows it.
public struct DeviceInfo: Sendable, Equatable {
  /// What the sound of a device is.
  public enum Kind: String, Sendable {
    /// A real input: a microphone or a line.
    case microphone
    /// What a computer plays, looped back.
    case monitor
    /// Made by software: a remap, a null device, a plug-in.
    case virtual
  }

  /// Which back end records it.
  public var backend: SourceInfo.Backend
  /// What to type after `--device`.
  public var name: String
  /// A text for people.
  public var description: String
  /// What its sound is.
  public var kind: Kind
  /// What the device has itself; `nil` where that can't be known, with the reason in ``notes``.
  public var native: SourceInfo.Native?
  /// Which of the wanted rates, in hertz, the device has itself, without conversion.
  public var ownRates: [Int]
  /// Whether it is recorded when no device is named.
  public var isDefault: Bool
  /// Whether the server silences it, or `nil` where there is no such switch.
  public var isMuted: Bool?
  /// The server's volume of each channel, in percent; empty where there is none.
  public var volumePercent: [Int]
  /// `running`, `idle`, `suspended`, `available`, `busy`, `forbidden` or `unknown`.
  public var state: String
  /// Bluetooth profile where the server tells it, such as `headset_head_unit`.
  public var bluetoothProfile: String?
  /// Bluetooth codec where the server tells it, such as `mSBC`.
  public var bluetoothCodec: String?
  /// What a user should know, a line each.
  public var notes: [String]

  /// Makes an entry; see the properties.
  public init(
    backend: SourceInfo.Backend, name: String, description: String, kind: Kind,
    native: SourceInfo.Native?, ownRates: [Int], isDefault: Bool, isMuted: Bool? = nil,
    volumePercent: [Int] = [], state: String, bluetoothProfile: String? = nil,
    bluetoothCodec: String? = nil, notes: [String] = []
  ) {
    self.backend = backend
    self.name = name
    self.description = description
    self.kind = kind
    self.native = native
    self.ownRates = ownRates
    self.isDefault = isDefault
    self.isMuted = isMuted
    self.volumePercent = volumePercent
    self.state = state
    self.bluetoothProfile = bluetoothProfile
    self.bluetoothCodec = bluetoothCodec
    self.notes = notes
  }
}
