import Foundation
import Lab
import Testing

extension Live {
  @Suite("docs/overnight.md: the script for cron is run as it stands there")
  struct OvernightScriptTests {
    private let night: Night

    init() throws { night = try Night() }

    /// Starts the script as cron does; it ends at a time that `date` understands.
    private func start(until end: String, _ changes: [String: String] = [:]) throws -> Program {
      let place = "/run/user/$(id -u)"
      var script = try night.block("record-night")
      #expect(script.contains("XDG_RUNTIME_DIR=\"\(place)\""))
      // In the script's own time zone.
      let time = try Program.output(of: "env", ["-i", "date", "-d", end, "+%T"]).prefix(8)
      for (old, new) in [place: night.run.path, "7:00": "\(time)"].merging(
        changes, uniquingKeysWith: { $1 })
      {
        #expect(script.contains(old))
        script = script.replacing(old, with: new)
      }
      try night.home.write(script, to: "record-night")
      return try startAgain()
    }

    private func startAgain() throws -> Program {
      try night.start(
        [
          "HOME": night.home.path, "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin",
          "LOGNAME": NSUserName(),
        ], "sh", "record-night")
    }

    /// The `splitcap` that the script has started.
    private func recorder(of program: Program) throws -> pid_t {
      // Behind it and `timeout`.
      let pid = try children(of: program.pid).flatMap(children)
      return try #require(pid.first)
    }

    private func children(of parent: pid_t) throws -> [pid_t] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter {
        // Number, name in parentheses, state, parent.
        let facts = try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8)
        let words = facts?.split(separator: ")").last?.split(separator: " ") ?? []
        return words.count > 1 && pid_t(words[1]) == parent
      }
    }

    @Test("it waits for the server, records, does not run twice at a time, and ends with splitcap")
    func alone() throws {
      let program = try start(until: "2 hours")
      try waitUntil("it waits for the server; it said: \(program.errorsSoFar)") {
        (try? night.events().count) ?? 0 > 0
      }
      #expect(try startAgain().wait().status == .exited(0))
      try night.join()
      try night.waitForSound(program)
      kill(try recorder(of: program), SIGTERM)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors == "" && outcome.output == [])
      try night.check(pairs: 1)
      let events = try night.events()
      #expect(events.first?.name == "lost" && events.last?.name == "end")
      #expect(events.named("start").count == 1)
      try night.verify(
        night.recordings("-left.wav")[0], night.recordings("-right.wav")[0], "--events",
        night.home("recordings/events.jsonl"))
    }

    @Test("it goes on after a device that stayed away, and after a crash, whose sound is kept")
    func goesOn() throws {
      try night.join()
      let program = try start(until: "2 hours", ["--wait 10m": "--wait 2s", "sleep 10": "sleep 1"])
      func waitForStatus(_ number: Int) throws {
        try waitUntil("it tells of status \(number)") {
          String(decoding: program.outputSoFar, as: UTF8.self)
            .contains("splitcap: status \(number) at ")
        }
      }
      try night.waitForSound(program)
      try night.server.unload(night.microphone.module)
      try waitForStatus(4)
      let microphone = try night.server.addMicrophone("headset", rate: 16_000)
      try night.waitForSound(program)
      kill(try recorder(of: program), SIGKILL)
      try waitForStatus(137)
      try night.waitForSound(program, besides: night.recordings("-right.wav.part"))
      kill(try recorder(of: program), SIGTERM)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
      try night.rename()
      try night.check(pairs: 3, killed: 1)
      let events = try night.events()
      #expect(events.named("start").count == 3)
      #expect(
        events.named("end").filter { $0.number("frames") ?? 0 > 0 }.map { $0.number("exit_status") }
          == [4, 0])
      withExtendedLifetime(microphone) {}
    }

    @Test("it ends at its time, and so does the recording, which is whole")
    func ends() throws {
      try night.join()
      let outcome = try start(until: "12 seconds").wait()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors == "" && outcome.output == [])
      try night.check(pairs: 1)
      #expect(try night.events().last?.text("ending") == "stopped")
    }
  }
}
