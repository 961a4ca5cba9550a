public import Foundation

/// A pipe whose ends no program inherits unless it is given one.
public struct Tube: Sendable {
  /// The end that is read; closed with its last owner.
  public let reading: FileHandle
  /// The end that is written; closed with its last owner.
  public let writing: FileHandle

  /// Held while a descriptor exists that a program started now would inherit by mistake.
  static let descriptors = NSLock()

  /// Makes a pipe.
  public init() throws {
    var ends: [Int32] = [0, 0]
    try Self.descriptors.withLock {
      guard unsafe pipe(&ends) == 0 else { throw LabError("no pipe: errno \(errno)") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }

  /// Opens a file with the flags of `open`.
  public static func open(_ path: String, _ flags: Int32) throws -> FileHandle {
    let descriptor = unsafe Foundation.open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw LabError("cannot open \(path): errno \(errno)") }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
