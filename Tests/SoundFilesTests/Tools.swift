import Foundation

/// A program that runs to its end beside a test.
enum Program {
  enum Status: Equatable {
    case exited(Int32)
    case killed(Int32)
  }

  struct Outcome {
    let status: Status
    let output: [UInt8]
    let errors: String
  }

  /// Runs a program to its end.
  static func run(_ name: String, _ arguments: [String] = []) throws -> Outcome {
    let folder = try TemporaryFolder()
    for name in ["out", "err"] { try folder.write([], to: name) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("out")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder("err")))
    try process.run()
    process.waitUntilExit()
    let status = process.terminationStatus
    return Outcome(
      status: process.terminationReason == .exit ? .exited(status) : .killed(status),
      output: try folder.bytes(of: "out"),
      errors: String(decoding: try folder.bytes(of: "err"), as: UTF8.self))
  }
}

/// A folder of one test's own; it and all in it is gone with this object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "splitcap-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  func bytes(of name: String) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: self(name)))
    return try [UInt8](file.readToEnd() ?? Data())
  }

  func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
