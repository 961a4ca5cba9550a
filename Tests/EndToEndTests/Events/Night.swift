import Foundation
import Lab
import Testing

/// A home and a session in which the recipes of docs/overnight.md are run as they stand there.
struct Night {
  let home: TemporaryFolder
  /// What `XDG_RUNTIME_DIR` is.
  let run: TemporaryFolder
  let server: PrivatePulseServer
  let microphone: VirtualMicrophone
  let document: String

  /// Makes them, and a server that is not reached before ``join()``.
  init() throws {
    home = try TemporaryFolder()
    run = try TemporaryFolder()
    server = try PrivatePulseServer()
    microphone = try server.addMicrophone("headset", rate: 16_000)
    let url = URL(fileURLWithPath: #filePath + "/../../../../docs/overnight.md")
    document = try String(contentsOf: url.standardizedFileURL, encoding: .utf8)
    _ = try home.makeFolder(".local/bin")
    try FileManager.default.createSymbolicLink(
      atPath: home(".local/bin/splitcap"), withDestinationPath: Program.splitcap)
  }

  /// The block of the document whose first or second line is a comment that starts with `name`.
  func block(_ name: String) throws -> String {
    let blocks = document.matches(of: /```(ini|sh)\n((?s).*?)```/).map { String($0.output.2) }
    return try #require(
      blocks.first {
        $0.split(separator: "\n").prefix(2).contains { $0.hasPrefix("# \(name)") }
      })
  }

  /// Starts a command in an environment that has nothing but what is given.
  func start(_ environment: [String: String], _ words: String...) throws -> Program {
    let variables = environment.map { "\($0)=\($1)" }
    return try Program("env", ["-i"] + variables + words, folder: home.path)
  }

  /// Puts the server's socket where a session has it.
  func join() throws {
    let socket = String(server.address.dropFirst("unix:".count))
    try FileManager.default.createSymbolicLink(
      atPath: run.makeFolder("pulse") + "/native", withDestinationPath: socket)
  }

  // MARK: Recordings

  /// The files under `recordings` whose names end so, by the time of their start.
  func recordings(_ end: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: home("recordings"))) ?? []
    return names.filter { $0.hasSuffix(end) }.sorted().map { home("recordings/\($0)") }
  }

  private func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Waits until sound is in a file that is not among `old` ones.
  func waitForSound(_ program: Program, besides old: [String] = []) throws {
    try waitUntil("sound is written; it said: \(program.errorsSoFar)") {
      guard program.isRunning else { throw LabError("it has ended: \(program.errorsSoFar)") }
      return recordings("-right.wav.part").contains { !old.contains($0) && size($0) > 10_000 }
    }
  }

  func events() throws -> [EventLine] {
    try EventLine.all(in: home.text(of: "recordings/events.jsonl"))
  }

  /// Both ears are there, in so many pairs of whole files that are named by the time of their first
  /// frame; of one that was killed, an ear may be ahead of the other one by less than a second.
  func check(pairs: Int, killed: Int = 0) throws {
    let paths = (recordings("-left.wav"), recordings("-right.wav"))
    #expect(paths.0.count == pairs && paths.1.count == pairs && recordings(".part") == [])
    var uneven = 0
    for (left, right) in zip(paths.0, paths.1) {
      var samples = try [left, right].map {
        try WaveFile([UInt8](Data(contentsOf: URL(fileURLWithPath: $0)))).samples
      }
      let lengths = samples.map(\.count)
      if lengths[0] != lengths[1] { uneven += 1 }
      #expect(abs(lengths[0] - lengths[1]) < 16_000)
      samples = samples.map { Array($0.prefix(min(lengths[0], lengths[1]))) }
      let piece = try Ramp.check(left: samples[0], right: samples[1])
      #expect(piece.count == samples[0].count)
      let name = left.dropFirst(home("recordings/").count)
      #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\d\/\d{6}-left\.wav/) != nil, "\(name)")
    }
    #expect(uneven <= killed)
  }

  /// Expects `splitcap verify` to say that two files belong together.
  func verify(_ left: String, _ right: String, _ more: String...) throws {
    let outcome = try Program.run(Program.splitcap, ["verify", left, right] + more)
    #expect(outcome.status == .exited(0), "\(outcome.text)\(outcome.errors)")
  }

  /// Gives what one killed recording has left the names of whole files, as the document says.
  func rename() throws {
    let (left, right) = (recordings("-left.wav.part"), recordings("-right.wav.part"))
    try #require(left.count == 1 && right.count == 1)
    let outcome = try Program.run(
      "sh", ["-c", "for part; do mv -n $part ${part%.part} || exit; done", "sh"] + left + right)
    #expect(outcome.status == .exited(0))
    for file in left + right {
      let healthy = try Program.output(of: Program.splitcap, ["repair", String(file.dropLast(5))])
      #expect(healthy.contains(": healthy, "))
    }
  }
}
