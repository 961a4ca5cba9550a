import Foundation

/// Ends a program whose capture thread does more than capture; see `Tests/AllocationGuard/README.md`.
public final class AllocationGuard: Sendable {
  /// What the guard makes the thread do, to see that it is seen.
  public enum Violation: String, Sendable, CaseIterable {
    /// Takes memory.
    case malloc
    /// Takes memory in another way.
    case realloc
    /// Takes a mutex.
    case lock
    /// Writes.
    case write
  }

  private let folder: TemporaryFolder
  private let violation: Violation?

  /// Makes a guard.
  ///
  /// - Parameter violation: What it does itself on the watched thread.
  /// - Throws: An error of the file system.
  public init(provoking violation: Violation? = nil) throws {
    self.violation = violation
    folder = try TemporaryFolder()
    try folder.write([UInt8](repeating: 0, count: 8), to: "report")
  }

  /// Variables for the program to be watched.
  public var environment: [String: String] {
    var variables = [
      "LD_PRELOAD": builtProduct("libAllocationGuard.so").path,
      "ALLOCATION_GUARD": folder("report"),
    ]
    variables["ALLOCATION_GUARD_PROVOKE"] = violation?.rawValue
    return variables
  }

  /// How many times the program has read its device while it was watched.
  public var watchedReads: UInt64 {
    get throws { try folder.bytes(of: "report").reversed().reduce(0) { $0 << 8 | UInt64($1) } }
  }
}
