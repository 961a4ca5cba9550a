import Foundation
import Testing

/// A program that a test runs to its end.
enum Tool {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The splitcap that was built beside these tests.
  static var splitcap: String {
    get throws {
      // Whatever loaded the tests, their bundle is mapped into this process.
      let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      let bundle = maps.split(separator: "\n").first { $0.hasSuffix(".xctest") }
      let path = try #require(bundle?.drop { $0 != "/" })
      return URL(fileURLWithPath: String(path)).deletingLastPathComponent()
        .appendingPathComponent("splitcap").path
    }
  }

  /// Runs a program that is found in `PATH`, or by its path.
  ///
  /// What it writes goes to files, so that it never waits for this test to read; or to `output`
  /// and `errors`, which are then not in the outcome.
  static func run(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:],
    output: FileHandle? = nil, errors: FileHandle? = nil
  ) throws -> Outcome {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try output ?? folder.makeFile("output")
    process.standardError = try errors ?? folder.makeFile("errors")
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: output == nil ? try folder.text("output") : "",
      errors: errors == nil ? try folder.text("errors") : "")
  }
}

/// A folder of one test, removed with this object.
final class Folder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("splitcap-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in the folder.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file.
  func write(_ text: String, to name: String) throws {
    try text.write(toFile: self(name), atomically: false, encoding: .utf8)
  }

  /// Makes an empty file, open for writing.
  func makeFile(_ name: String) throws -> FileHandle {
    try write("", to: name)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: self(name)))
  }

  /// What a file holds.
  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: self(name))), as: UTF8.self)
  }

  /// The names in the folder.
  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}
