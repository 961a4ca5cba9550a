import Foundation
import Lab
import Testing

/// A folder with the built program at work in it, started by a shell as a user would.
///
/// Bare names in a command are files of the folder. There is an `in.wav`: see ``stereo``.
final class Workshop: Sendable {
  /// The folder; gone with this object.
  let folder: TemporaryFolder

  /// Hertz of `in.wav`.
  static let rate = 16_000
  /// Frames of `in.wav`: more than two blocks, and no whole number of them.
  static let frames = 150_001
  /// Both ears of `in.wav`.
  static let stereo = Ramp.stereo(frames: 0..<frames)
  /// The left ear of `in.wav`.
  static let left = channel(0, of: 2, in: stereo)
  /// The right ear of `in.wav`.
  static let right = channel(1, of: 2, in: stereo)

  /// The bytes of `in.wav`.
  static let wave = WaveBytes.pcm(stereo, rate: rate)

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.wave, to: "in.wav")
  }

  /// The recordings that come with the sources.
  static let testAudio = URL(fileURLWithPath: #filePath + "/../../../../TestAudio")
    .standardizedFileURL.path

  /// Starts a script of bash, in which `splitcap` is the built program and `$audio` is ``testAudio``.
  ///
  /// A signal reaches the program itself if the script says `exec splitcap …`.
  func start(
    _ script: String, input: Program.Input = .none, output: Program.Output = .collected,
    descriptors: [Int32: Int32] = [:]
  ) throws -> Program {
    let programs = URL(fileURLWithPath: Program.splitcap).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try Program(
      "bash", ["-c", script],
      environment: ["PATH": "\(programs):\(path)", "audio": Self.testAudio, "LC_ALL": "C.UTF-8"],
      input: input, output: output, descriptors: descriptors, folder: folder.path)
  }

  /// Runs a script to its end; see ``start(_:input:output:descriptors:)``.
  @discardableResult
  func run(_ script: String, input: Program.Input = .none) throws -> Program.Outcome {
    try start(script, input: input).wait()
  }

  /// Runs a script, and fails the test if it exits with another status.
  @discardableResult
  func run(
    _ script: String, expecting status: Int32, input: Program.Input = .none,
    at location: SourceLocation = #_sourceLocation
  ) throws -> Program.Outcome {
    let outcome = try run(script, input: input)
    #expect(
      outcome.status == .exited(status), "\(script): \(outcome.errors)", sourceLocation: location)
    return outcome
  }

  /// The samples of a WAV file in the folder, whose header must be the plain one, and right; that of
  /// a pipe has no sizes.
  func wave(_ name: String, streaming: Bool = false) throws -> [Int16] {
    try WaveFile(folder.bytes(of: name), streaming: streaming).samples
  }

  /// The samples of a headerless file in the folder.
  func raw(_ name: String) throws -> [Int16] { try samples(of: folder.bytes(of: name)) }

  /// Bytes in a file of the folder; 0 if it is not there yet.
  func size(_ name: String) -> Int { (try? folder.bytes(of: name).count) ?? 0 }

  /// The text of a file in the folder.
  func text(_ name: String) throws -> String { try folder.text(of: name) }

  /// What makes a command obey the modes of files, even root's.
  static let obeyingModes =
    geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""

  // MARK: Refusals

  /// Runs a command that is to be refused before anything is made or changed.
  ///
  /// It must say one line and one hint, which contain `message` and `hint`, and nothing else.
  func expectRefusal(
    _ status: Int32, _ message: String, hint: String, of command: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try contents()
    let outcome = try run(command, expecting: status, at: location)
    #expect(outcome.output == [], sourceLocation: location)
    let lines = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false)
    let report = "\(command): \(outcome.errors)"
    #expect(lines.count == 3 && lines.last == "", "\(report)", sourceLocation: location)
    #expect(
      lines[0].hasPrefix("splitcap: error: ") && lines[0].contains(message), "\(report)",
      sourceLocation: location)
    #expect(
      lines.count > 1 && lines[1].hasPrefix("  hint: ") && lines[1].contains(hint), "\(report)",
      sourceLocation: location)
    #expect(try contents() == before, "\(report)", sourceLocation: location)
  }

  /// What stands under a name.
  private struct Entry: Equatable {
    var kind: String
    var number: UInt64
    var change: Date
    var bytes: [UInt8]?
  }

  /// All that is in the folder, so that whatever was touched shows.
  private func contents() throws -> [String: Entry] {
    let manager = FileManager.default
    var entries: [String: Entry] = [:]
    for name in try manager.subpathsOfDirectory(atPath: folder.path) {
      let facts = try manager.attributesOfItem(atPath: folder(name))
      let kind = try #require(facts[.type] as? FileAttributeType)
      entries[name] = Entry(
        kind: kind.rawValue,
        number: try #require(facts[.systemFileNumber] as? NSNumber).uint64Value,
        change: try #require(facts[.modificationDate] as? Date),
        bytes: kind == .typeRegular ? try folder.bytes(of: name) : nil)
    }
    return entries
  }
}

/// Checks that two pieces of sound are the same, sample by sample.
func expectSame(
  _ got: [Int16], _ wanted: [Int16], _ what: String = "",
  at location: SourceLocation = #_sourceLocation
) {
  let place = firstDifference(got, wanted)
  #expect(
    place == nil, "\(what): \(got.count) samples for \(wanted.count)", sourceLocation: location)
}
