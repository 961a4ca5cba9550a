import Foundation
import Lab
import Testing

extension Live {
  @Suite("docs/overnight.md: each recipe is run as it stands there")
  struct OvernightTests {
    private let home: TemporaryFolder
    private let run: TemporaryFolder
    private let document: String

    init() throws {
      home = try TemporaryFolder()
      run = try TemporaryFolder()
      let url = URL(fileURLWithPath: #filePath + "/../../../../docs/overnight.md")
      document = try String(contentsOf: url.standardizedFileURL, encoding: .utf8)
      _ = try home.makeFolder(".local/bin")
      try FileManager.default.createSymbolicLink(
        atPath: home(".local/bin/splitcap"), withDestinationPath: Program.splitcap)
    }

    /// The block of the document whose first or second line is a comment that starts with `name`.
    private func block(_ name: String) throws -> String {
      let blocks = document.matches(of: /```(ini|sh)\n((?s).*?)```/).map { String($0.output.2) }
      return try #require(
        blocks.first {
          $0.split(separator: "\n").prefix(2).contains { $0.hasPrefix("# \(name)") }
        })
    }

    /// Starts a command in an environment that has nothing but what is given.
    private func start(_ environment: [String: String], _ words: String...) throws -> Program {
      let variables = environment.map { "\($0)=\($1)" }
      return try Program("env", ["-i"] + variables + words, folder: home.path)
    }

    /// A server whose socket is where a session has it; `join` puts it there.
    private func server() throws -> (PrivatePulseServer, VirtualMicrophone, join: () throws -> Void)
    {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("headset", rate: 16_000)
      let socket = String(server.address.dropFirst("unix:".count))
      let place = try run.makeFolder("pulse") + "/native"
      return (
        server, microphone,
        { try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: socket) }
      )
    }

    /// The files under `recordings` whose names end so, longest first in time.
    private func recordings(_ end: String) -> [String] {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: home("recordings"))) ?? []
      return names.filter { $0.hasSuffix(end) }.sorted().map { home("recordings/\($0)") }
    }

    private func size(_ path: String) -> Int {
      (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private func waitForSound(_ program: Program) throws {
      try waitUntil("sound is written; it said: \(program.errorsSoFar)") {
        guard program.isRunning else { throw LabError("it has ended: \(program.errorsSoFar)") }
        return recordings("-right.wav.part").contains { size($0) > 10_000 }
      }
    }

    /// Both ears are there, whole, and named by the time of their first frame.
    private func check() throws {
      let paths = (recordings("-left.wav"), recordings("-right.wav"))
      #expect(paths.0.count == 1 && paths.1.count == 1 && recordings(".part") == [])
      let samples = try [paths.0, paths.1].map { paths in
        let path = try #require(paths.first)
        return try WaveFile([UInt8](Data(contentsOf: URL(fileURLWithPath: path)))).samples
      }
      let piece = try Ramp.check(left: samples[0], right: samples[1])
      #expect(piece.count == samples[0].count)
      let name = try #require(paths.0.first).dropFirst(home("recordings/").count)
      #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\d\/\d{6}-left\.wav/) != nil, "\(name)")

      let verified = try start(
        ["PATH": "/usr/bin:/bin"], Program.splitcap, "verify", "--events",
        home("recordings/events.jsonl"), paths.0[0], paths.1[0]
      ).wait()
      #expect(verified.status == .exited(0), "\(verified.text)\(verified.errors)")
    }

    @Test("systemd finds nothing to say about the units")
    func units() throws {
      let folder = try home.makeFolder(".config/systemd/user")
      for name in ["splitcap.service", "splitcap.timer"] {
        try home.write(try block(name), to: ".config/systemd/user/\(name)")
      }
      let outcome = try Program.run(
        "systemd-analyze",
        ["--user", "verify", "\(folder)/splitcap.service", "\(folder)/splitcap.timer"],
        environment: ["HOME": home.path, "XDG_RUNTIME_DIR": run.path])
      #expect(outcome.status == .exited(0) && outcome.errors == "" && outcome.text == "")
    }

    @Test("the command of the service records, and ends whole when it is stopped")
    func service() throws {
      let (server, microphone, join) = try server()
      try join()
      let unit = try block("splitcap.service").replacing("%h", with: home.path)
        .replacing("%%", with: "%")
      func value(_ key: String) throws -> Substring {
        try #require(
          unit.split(separator: "\n").first { $0.hasPrefix(key + "=") }?.dropFirst(key.count + 1))
      }
      // systemd reads quotes as a shell does.
      let output = try value("StandardOutput").replacing("append:", with: "")
      let program = try start(
        ["HOME": home.path, "XDG_RUNTIME_DIR": run.path, "PATH": "/usr/bin:/bin"], "sh", "-c",
        "\(value("ExecStartPre")); exec \(value("ExecStart")) >>\(output)")
      try waitForSound(program)
      let outcome = try program.end(by: SIGTERM)
      #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
      try check()
      let (_, end) = try EventLine.all(in: home.text(of: "recordings/events.jsonl")).ends()
      #expect(end.text("ending") == "stopped")
      withExtendedLifetime((server, microphone)) {}
    }

    @Test("the script for cron waits for the server, records, and does not run twice at a time")
    func cron() throws {
      let (server, microphone, join) = try server()
      let script = try block("record-night")
      let place = "/run/user/$(id -u)"
      #expect(script.contains("XDG_RUNTIME_DIR=\"\(place)\""))
      try home.write(script.replacing(place, with: run.path), to: "record-night")
      let environment = [
        "HOME": home.path, "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "LOGNAME": NSUserName(),
      ]
      let program = try start(environment, "sh", "record-night")
      let log = "recordings/events.jsonl"
      try waitUntil("it waits for the server; it said: \(program.errorsSoFar)") {
        (try? home.text(of: log).contains("\n")) ?? false
      }
      #expect(try start(environment, "sh", "record-night").wait().status == .exited(0))
      try join()
      try waitForSound(program)
      let outcome = try program.end(by: SIGTERM)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors == "" && outcome.output == [])
      try check()
      let events = try EventLine.all(in: home.text(of: log))
      #expect(events.first?.name == "lost" && events.last?.name == "end")
      #expect(events.named("start").count == 1)
      withExtendedLifetime((server, microphone)) {}
    }

    @Test("without XDG_RUNTIME_DIR the message is the one that is shown there")
    func missingVariable() throws {
      let program = try start(
        ["HOME": home.path, "PATH": "/usr/bin:/bin"], Program.splitcap, "--backend", "pulse", "-l",
        "l.wav")
      let outcome = try program.wait()
      #expect(outcome.status == .exited(3))
      let line = try #require(outcome.errors.split(separator: "\n").first)
      #expect(document.contains("    \(line)\n"), "\(line)")
    }
  }
}
