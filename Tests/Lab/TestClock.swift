import Foundation
import Synchronization

/// Another time for programs under test; see `Tests/TestClock/README.md`.
public final class TestClock: Sendable {
  private let file: URL
  private let suspended = Mutex(Int64(0))

  /// Variables for programs that are to live by this time.
  public var environment: [String: String] {
    ["LD_PRELOAD": builtProduct("libTestClock.so").path, "TEST_CLOCK": file.path]
  }

  /// Makes a clock that shows our time for now.
  ///
  /// - Parameters:
  ///   - folder: Where its file goes, which must live as long as the programs.
  ///   - speed: How many times faster than ours it runs from now on.
  /// - Throws: An error of the file system.
  public init(in folder: TemporaryFolder, speed: Double = 1) throws {
    let starts = [CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME].map { clock in
      var time = timespec()
      unsafe _ = clock_gettime(clock, &time)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
    let words = [0, speed.bitPattern] + starts
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    file = try URL(fileURLWithPath: folder.write(bytes, to: "clock-\(UUID().uuidString)"))
  }

  /// Lets the machine have been suspended for a time, just now.
  public func suspend(forSeconds seconds: Double) throws {
    try suspended.withLock { total in
      total += Int64(seconds * 1e9)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      try handle.write(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: total >> (8 * $0)) })
    }
  }
}
