internal import SplitcapCore

/// What the back ends know of devices, and which of them could not be asked.
struct DeviceList: Sendable {
  /// A back end that gave no list, and why.
  struct Problem: Sendable {
    let backend: SourceInfo.Backend
    let error: SplitcapError
  }

  /// The wanted rates, in hertz.
  let rates: [Int]
  /// Every device, back end by back end.
  private(set) var devices: [DeviceInfo] = []
  /// The back ends that gave no list.
  private(set) var problems: [Problem] = []
  /// The back ends that gave one, which may be empty.
  private(set) var backends: [SourceInfo.Backend] = []

  /// Makes a list without devices.
  init(rates: [Int]) { self.rates = rates }

  /// Adds what one back end lists.
  mutating func add(
    _ backend: SourceInfo.Backend, _ list: () throws(SplitcapError) -> [DeviceInfo]
  ) {
    do throws(SplitcapError) {
      devices += try list()
      backends.append(backend)
    } catch {
      problems.append(Problem(backend: backend, error: error))
    }
  }
}
