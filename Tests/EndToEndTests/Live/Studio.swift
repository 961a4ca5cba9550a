import Foundation
import Lab
import Testing

/// The tests that record from live back ends; a name of their own keeps them apart from others.
enum Live {}

/// A place to record in: a folder of one test's own, and a back end that is all there is.
///
/// The built program runs in the folder, so that file names in a command are short, and whatever a
/// failed start leaves behind is seen.
struct Studio {
  /// Where the program runs; empty at first.
  let folder: TemporaryFolder
  private let home: TemporaryFolder
  private let environment: [String: String?]
  /// What the environment refers to.
  private let backends: [any Sendable]

  /// Makes a studio.
  ///
  /// Without a server no Pulse server can be found; without headsets ALSA has no device.
  init(server: (any SoundServer)? = nil, _ headsets: VirtualHeadset..., alsa: String = "") throws {
    folder = try TemporaryFolder()
    home = try TemporaryFolder()
    let headsets = try VirtualHeadsets(headsets, more: alsa)
    var environment: [String: String?] = [
      "HOME": home.path, "XDG_RUNTIME_DIR": home.path, "XDG_CONFIG_HOME": nil,
      "PULSE_SERVER": nil, "PULSE_RUNTIME_PATH": nil, "PULSE_SOURCE": nil,
      "DBUS_SESSION_BUS_ADDRESS": nil, "NO_COLOR": nil, "TERM": "xterm", "LC_ALL": "C",
    ]
    environment.merge(server?.environment ?? [:]) { $1 }
    environment.merge(headsets.environment) { $1 }
    self.environment = environment
    backends = [headsets] + [server].compactMap { $0 }
  }

  /// The folder that stands for the user's session, without a server of its own.
  var session: String { home.path }

  /// Starts the program.
  ///
  /// `variables` differ from the studio's own; `nil` removes one.
  func start(
    _ arguments: String..., variables: [String: String?] = [:], input: Program.Input = .none,
    output: Program.Output = .collected, errors: Program.Output = .collected
  ) throws -> Program {
    try start(
      arguments, variables: variables, input: input, output: output, errors: errors)
  }

  /// Starts the program, from a list of arguments.
  func start(
    _ arguments: [String], variables: [String: String?] = [:], input: Program.Input = .none,
    output: Program.Output = .collected, errors: Program.Output = .collected
  ) throws -> Program {
    try Program(
      Program.splitcap, arguments, environment: environment.merging(variables) { $1 },
      input: input, output: output, errors: errors, folder: folder.path)
  }

  /// Starts it through a shell, where `"$0" "$@"` is the program and its arguments.
  func start(shell script: String, _ arguments: String...) throws -> Program {
    try Program(
      "sh", ["-c", script, Program.splitcap] + arguments, environment: environment,
      folder: folder.path)
  }

  /// Runs the program to its end.
  func run(
    _ arguments: String..., variables: [String: String?] = [:], input: Program.Input = .none
  ) throws -> Program.Outcome {
    try start(arguments, variables: variables, input: input).wait()
  }

  /// A recording in the folder.
  func wave(_ name: String) throws -> WaveFile { try WaveFile(folder.bytes(of: name)) }

  /// Waits until sound is in a file.
  func waitForSound(
    in name: String, frames: Int = 1, of program: Program
  ) throws {
    try waitUntil("'\(name)' has \(frames) frames; it said: \(program.errorsSoFar)") {
      guard program.isRunning else {
        throw LabError("'\(program.command)' has ended: \(program.errorsSoFar)")
      }
      return size(of: name) >= 44 + 2 * frames
    }
  }

  /// Waits until half a second more of sound is in a WAV file.
  func waitForMoreSound(in name: String, of program: Program) throws {
    try waitForSound(in: name, frames: (size(of: name) - 44) / 2 + 8_000, of: program)
  }

  /// Checks that a recording of the right ear has each sample of its ramp.
  @discardableResult
  func expectWhole(
    _ name: String, at location: SourceLocation = #_sourceLocation
  ) throws -> [Int16] {
    let samples = try wave(name).samples
    let piece = try Ramp.check(samples, isRight: true)
    #expect(piece.count == samples.count && piece.count > 0, sourceLocation: location)
    return samples
  }

  /// The number in a file, which a program writes.
  func number(in name: String) throws -> Int32 {
    try waitUntil("'\(name)' has a number") { size(of: name) > 0 }
    return try #require(Int32(folder.text(of: name).dropLast()))
  }

  /// Bytes of a file; 0 if there is none.
  func size(of name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder(name))
    return attributes?[.size] as? Int ?? 0
  }
}

extension Program {
  /// Sends a signal, and waits for the end.
  func end(by number: Int32 = SIGINT) throws -> Outcome {
    signal(number)
    return try wait()
  }
}

extension Program.Outcome {
  /// What it said, line by line.
  var lines: [Substring] { errors.split(separator: "\n") }

  /// The number before `words` in the line that has `mark`.
  func number(before words: String, in mark: String) throws -> Int {
    let line = try #require(lines.last { $0.contains(mark) }, "\(errors)")
    let end = try #require(line.range(of: words), "\(errors)").lowerBound
    let digits = line[..<end].reversed().prefix { $0.isNumber }.reversed()
    return try #require(Int(String(digits)), "\(errors)")
  }

  /// Whether it was a failure with this status, told in one message and one hint.
  func isRefusal(_ status: Int32, saying words: String..., hint: String) -> Bool {
    self.status == .exited(status) && lines.count == 2
      && lines[0].hasPrefix("splitcap: error: ") && words.allSatisfy { lines[0].contains($0) }
      && lines[1].hasPrefix("  hint: ") && lines[1].contains(hint)
  }
}

extension Program {
  /// Waits until it has said that.
  func waitUntilItSays(_ words: String) throws {
    try waitUntil("it says '\(words)'; it said: \(errorsSoFar)") {
      if errorsSoFar.contains(words) { return true }
      guard isRunning else { throw LabError("'\(command)' has ended: \(errorsSoFar)") }
      return false
    }
  }

  /// Waits until SIGINT would no longer kill it, but be received.
  func waitUntilSignalsAreReceived() throws {
    // It prepares for them before it starts another thread.
    try waitUntil("'\(command)' has threads") {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").count > 1
    }
  }
}
