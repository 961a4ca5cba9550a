internal import SplitcapCore

/// What the back ends know of devices, and which of them could not be asked.
struct DeviceList: Sendable {
  /// A back end that gave no list, and why.
  struct Problem: Sendable {
    let backend: SourceInfo.Backend
    let error: SplitcapError
  }

  /// A back end that gave a list, which may be empty.
  struct Answer: Sendable {
    let backend: SourceInfo.Backend
    /// Name and version of the server behind it; `nil` if there is none.
    let server: String?
  }

  /// The wanted rates, in hertz.
  let rates: [Int]
  /// Every device, back end by back end.
  private(set) var devices: [DeviceInfo] = []
  /// The back ends that gave no list.
  private(set) var problems: [Problem] = []
  /// The back ends that gave one.
  private(set) var answers: [Answer] = []

  /// Makes a list without devices.
  init(rates: [Int]) { self.rates = rates }

  /// Adds what one back end lists.
  mutating func add(
    _ backend: SourceInfo.Backend,
    _ list: () throws(SplitcapError) -> (server: String?, devices: [DeviceInfo])
  ) {
    do throws(SplitcapError) {
      let answer = try list()
      devices += answer.devices
      answers.append(Answer(backend: backend, server: answer.server))
    } catch {
      problems.append(Problem(backend: backend, error: error))
    }
  }
}
