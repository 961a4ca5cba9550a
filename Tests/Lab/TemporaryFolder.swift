import Foundation

/// A folder of one test's own; it and all in it is gone with this object.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes the folder; only this user may enter it, which sound servers insist on.
  public init() throws {
    // Short, since the path of a socket in it must stay under 108 bytes.
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    path = "\(base)/splitcap-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder in the folder, with the same mode.
  public func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: self(name), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    return self(name)
  }

  /// Makes a FIFO in the folder.
  @discardableResult
  public func makeFIFO(_ name: String) throws -> String {
    guard unsafe mkfifo(self(name), 0o600) == 0 else { throw LabError("no FIFO: errno \(errno)") }
    return self(name)
  }

  /// Writes a file in the folder; returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  /// Writes a text file in the folder; returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write([UInt8](text.utf8), to: name)
  }

  /// The text of a file in the folder.
  public func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// The bytes of a file in the folder.
  public func bytes(of name: String) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: self(name)))
    return try [UInt8](file.readToEnd() ?? Data())
  }

  /// The names in the folder, sorted.
  public func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
