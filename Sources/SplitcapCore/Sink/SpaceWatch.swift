private import Synchronization

/// Watches the file systems that a recording writes to, and warns once of each that gets full.
///
/// Sinks report on their own threads, since a file system may take long to answer.
public final class SpaceWatch: Sendable {
  /// For how much more sound there should be space.
  public static let limit: Duration = .seconds(600)

  /// What a file system has to say.
  package struct Space: Sendable {
    /// Tells it from others.
    package var fileSystem: UInt
    /// Bytes that this user may still write.
    package var freeBytes: Int

    /// What is left in blocks of a file system; some say that they have no end.
    package init(fileSystem: UInt, freeBlocks: UInt, blockBytes: UInt) {
      self.fileSystem = fileSystem
      let (bytes, isTooMuch) = freeBlocks.multipliedReportingOverflow(by: blockBytes)
      freeBytes = isTooMuch ? .max : Int(clamping: bytes)
    }
  }

  private struct State {
    /// How fast each file grows, in bytes a second, by its file system and path.
    var rates: [UInt: [String: Double]] = [:]
    var warned: Set<UInt> = []
  }

  private let state = Mutex(State())
  private let sampleRate: Int
  private let frameLimit: Int?
  private let observer: @Sendable (RecordingEvent) -> Void

  /// Watches for nobody.
  public convenience init() { self.init(sampleRate: 1, frameLimit: nil) { _ in } }

  /// Watches for a recording.
  ///
  /// - Parameters:
  ///   - sampleRate: The timeline's frames in a second.
  ///   - frameLimit: Frames after which the recording ends: it needs no space for more.
  ///   - observer: Who is warned.
  init(
    sampleRate: Int, frameLimit: Int?, observer: @escaping @Sendable (RecordingEvent) -> Void
  ) {
    self.sampleRate = sampleRate
    self.frameLimit = frameLimit
    self.observer = observer
  }

  /// Takes note of how fast a file grows.
  ///
  /// - Parameters:
  ///   - space: What its file system says.
  ///   - path: The file.
  ///   - bytesPerSecond: How fast it grows.
  package func note(_ space: Space, of path: String, bytesPerSecond: Double) {
    state.withLock { $0.rates[space.fileSystem, default: [:]][path] = bytesPerSecond }
  }

  /// Warns if the space is short for all files that were noted.
  ///
  /// - Parameters:
  ///   - space: What a file system says.
  ///   - path: A file on it.
  ///   - frame: The timeline's frame up to which that is written.
  package func check(_ space: Space, of path: String, frame: Int) {
    let total = state.withLock { $0.rates[space.fileSystem]?.values.reduce(0, +) ?? 0 }
    let left = frameLimit.map { Double($0 - frame) / Double(sampleRate) } ?? .infinity
    let seconds = Double(space.freeBytes) / max(total, 1)
    guard seconds < min(Double(Self.limit.components.seconds), left),
      state.withLock({ $0.warned.insert(space.fileSystem).inserted })
    else { return }
    observer(
      .warning(
        frame: frame,
        message: "the file system of '\(path)' has space for \(Self.words(seconds)) of sound: "
          + "\(space.freeBytes / 1_000_000) MB are free",
        hint: "free some space there; when it is full, the outputs there end, valid, and all "
          + "others go on"))
  }

  /// Forgets a file that does not grow any more.
  package func forget(_ path: String) {
    state.withLock { state in
      for system in state.rates.keys { state.rates[system]![path] = nil }
    }
  }

  private static func words(_ seconds: Double) -> String {
    seconds < 60 ? "less than a minute" : "about \(Int(seconds / 60)) min"
  }
}
