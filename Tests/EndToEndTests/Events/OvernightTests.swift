import Foundation
import Lab
import Testing

extension Live {
  @Suite("docs/overnight.md: the units are run as they stand there")
  struct OvernightTests {
    private static let units = [
      "splitcap.service", "splitcap.timer", "splitcap-stop.timer", "splitcap-stop.service",
    ]

    private let night: Night

    init() throws { night = try Night() }

    /// Puts the units where systemd finds them.
    ///
    /// - Returns: The folder.
    @discardableResult
    private func install(_ change: (String) -> String = { $0 }) throws -> String {
      let folder = try night.home.makeFolder(".config/systemd/user")
      for name in Self.units {
        try night.home.write(change(try night.block(name)), to: ".config/systemd/user/\(name)")
      }
      return folder
    }

    @Test("systemd finds nothing to say about the units")
    func units() throws {
      let folder = try install()
      let outcome = try Program.run(
        "systemd-analyze", ["--user", "verify"] + Self.units.map { "\(folder)/\($0)" },
        environment: ["HOME": night.home.path, "XDG_RUNTIME_DIR": night.run.path])
      #expect(outcome.status == .exited(0) && outcome.errors == "" && outcome.text == "")
    }

    @Test("the command of the service records, and ends whole when it is stopped")
    func service() throws {
      try night.join()
      let unit = try night.block("splitcap.service").replacing("%h", with: night.home.path)
        .replacing("%%", with: "%")
      func value(_ key: String) throws -> Substring {
        try #require(
          unit.split(separator: "\n").first { $0.hasPrefix(key + "=") }?.dropFirst(key.count + 1))
      }
      // systemd reads quotes as a shell does.
      let output = try value("StandardOutput").replacing("append:", with: "")
      _ = try night.home.makeFolder("recordings")
      let program = try night.start(
        ["HOME": night.home.path, "XDG_RUNTIME_DIR": night.run.path, "PATH": "/usr/bin:/bin"],
        "sh", "-c", "exec \(value("ExecStart")) >>\(output)")
      try night.waitForSound(program)
      let outcome = try program.end(by: SIGTERM)
      #expect(outcome.status == .exited(0) && outcome.errors == "", "\(outcome.errors)")
      try night.check(pairs: 1)
      let (_, end) = try night.events().ends()
      #expect(end.text("ending") == "stopped")
    }

    // A user's systemd wants to see the system's, so it gets a /run of its own, which takes root; and
    // all that it has started ends with it.
    private static let ownSystem = [
      "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
      "mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec sh \"$@\"", "sh",
    ]
    private static let isSystemdThere =
      FileManager.default.fileExists(atPath: "/usr/lib/systemd/systemd")
      && (try? Program.run("unshare", ownSystem + ["-c", "exit"]).status) == .exited(0)

    @Test(
      "under systemd a timer starts it, a kill starts it again, and the other timer ends it",
      .enabled(if: isSystemdThere))
    func systemd() throws {
      try night.join()
      try install {
        $0.replacing("*-*-* 22:00:00", with: "*:*:*").replacing("*-*-* 07:00:00", with: "*:*:*")
          .replacing("RestartSec=10", with: "RestartSec=1")
      }
      _ = try night.home.makeFolder("recordings")
      try night.home.write(
        """
        /usr/lib/systemd/systemd --user &
        until systemctl --user start splitcap.timer 2>/dev/null; do sleep 0.1; done
        until [ -e kill ]; do sleep 0.1; done
        systemctl --user stop splitcap.timer
        systemctl --user kill --signal=KILL splitcap.service
        until [ -e stop ]; do sleep 0.1; done
        systemctl --user start splitcap-stop.timer
        state() { systemctl --user show --value --property="$1" splitcap.service; }
        until [ "$(state ActiveState)" = inactive ]; do sleep 0.1; done
        state Result
        """, to: "script")
      let program = try Program(
        "unshare", Self.ownSystem + ["script"],
        environment: ["HOME": night.home.path, "XDG_RUNTIME_DIR": night.run.path],
        folder: night.home.path)
      try night.waitForSound(program)
      try night.home.write("", to: "kill")
      try night.waitForSound(program, besides: night.recordings("-right.wav.part"))
      try night.home.write("", to: "stop")
      let outcome = try program.wait()
      #expect(outcome.text == "success\n", "\(outcome.text)\(outcome.errors)")
      try night.rename()
      try night.check(pairs: 2, killed: 1)
      #expect(try night.events().named("start").count == 2)
      #expect(try night.events().named("end").map { $0.text("ending") } == ["stopped"])
    }

    @Test("without XDG_RUNTIME_DIR the message is the one that is shown there")
    func missingVariable() throws {
      let program = try night.start(
        ["HOME": night.home.path, "PATH": "/usr/bin:/bin"], Program.splitcap, "--backend", "pulse",
        "-l", "l.wav")
      let outcome = try program.wait()
      #expect(outcome.status == .exited(3))
      let line = try #require(outcome.errors.split(separator: "\n").first)
      #expect(night.document.contains("    \(line)\n"), "\(line)")
    }
  }
}
