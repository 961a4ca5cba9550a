import Foundation
import Lab
import Testing

extension Live {
  @Suite("The capture thread runs as soon as the user's limits allow, and nothing else does")
  struct PriorityTests {
    /// How a thread is scheduled: policy, real time priority and nice value, as the kernel has them.
    private struct Scheduling: Equatable {
      var policy = Int(SCHED_OTHER)
      var priority = 0
      var nice = 0

      init(policy: Int32 = SCHED_OTHER, priority: Int = 0, nice: Int = 0) {
        (self.policy, self.priority, self.nice) = (Int(policy), priority, nice)
      }

      /// Reads a line of `/proc/…/stat`.
      init(_ line: String) throws {
        // The name before the bracket may hold anything; then come the fields from the third on.
        let fields = line[line.lastIndex(of: ")")!...].split(separator: " ").map(String.init)
        guard fields.count > 39, let nice = Int(fields[17]), let priority = Int(fields[38]),
          let policy = Int(fields[39])
        else { throw LabError("what is '\(line)'?") }
        (self.policy, self.priority, self.nice) = (policy, priority, nice)
      }
    }

    /// Whether a command works here, such as one that needs a privilege.
    private static func works(_ command: String) -> Bool {
      (try? Program.run("sh", ["-c", command]).status) == .exited(0)
    }
    private static let canRaisePriority = works(
      "chrt -f 4 true && nice -n -10 true 2>&1 | cmp - /dev/null")
    private static let canRaiseLimits = works("prlimit --rtprio=20 --nice=40 true")

    /// Runs a command with these limits, and without the privilege for which there are none.
    private func limited(_ realTime: Int, _ nice: Int) -> String {
      let unprivileged = geteuid() == 0 ? "setpriv --bounding-set=-sys_nice" : ""
      return "exec prlimit --rtprio=\(realTime) --nice=\(nice) \(unprivileged) \"$0\" \"$@\""
    }

    /// How the capture thread is scheduled; all others must be as `others`, which is normal.
    private func captureThread(
      of program: Program, others: Scheduling = Scheduling()
    ) throws -> Scheduling {
      var found: Scheduling?
      let tasks = "/proc/\(program.pid)/task"
      for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
        // Threads end at any time.
        guard let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8),
          let line = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
        else { continue }
        let scheduling = try Scheduling(line)
        if name == "capture\n" {
          found = scheduling
        } else {
          #expect(scheduling == others, "thread \(name)")
        }
      }
      guard let found else { throw LabError("there is no capture thread") }
      return found
    }

    private func expect(
      _ wanted: Scheduling, saying words: String, under script: String
    ) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        shell: script, "-v", "-D", "headset", "-l", "l.wav", "-r",
        "exec:cat /proc/self/stat >stat; cat >/dev/null")
      try studio.waitForSound(in: "l.wav", of: program)
      try waitUntil("the program has run") { studio.size(of: "stat") > 0 }
      #expect(try captureThread(of: program) == wanted)
      #expect(try Scheduling(studio.folder.text(of: "stat")) == Scheduling())
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.lines.contains("splitcap: capture thread: \(words)"), "\(outcome.errors)")
    }

    @Test("real time where that is allowed", .enabled(if: canRaisePriority))
    func realTime() throws {
      try expect(
        Scheduling(policy: SCHED_FIFO, priority: 4), saying: "real time priority 4",
        under: "exec \"$0\" \"$@\"")
    }

    @Test("else a lower nice value", .enabled(if: canRaisePriority))
    func nice() throws {
      // The kernel says no to the first wish, as it does for want of a limit.
      let refusal = "-e trace=sched_setscheduler -e inject=sched_setscheduler:error=EPERM:when=1"
      try expect(
        Scheduling(nice: -10), saying: "nice -10; no limit allows real time, see 'ulimit -r'",
        under: "exec prlimit --rtprio=0 strace -D -f -qq -o strace.txt \(refusal) \"$0\" \"$@\"")
    }

    @Test("a limit below what is wished for is used up", .enabled(if: canRaiseLimits))
    func limits() throws {
      for (limit, priority) in [(20, 4), (4, 4), (2, 2)] {
        try expect(
          Scheduling(policy: SCHED_FIFO, priority: priority),
          saying: "real time priority \(priority)", under: limited(limit, 0))
      }
      for (limit, nice) in [(40, -10), (30, -10), (23, -3)] {
        try expect(
          Scheduling(nice: nice),
          saying: "nice \(nice); no limit allows real time, see 'ulimit -r'",
          under: limited(0, limit))
      }
    }

    @Test("else normal, and it says so")
    func normal() throws {
      try expect(
        Scheduling(), saying: "normal priority; no limit allows more, see 'ulimit -r'",
        under: limited(0, 0))
    }

    @Test("what was chosen for the program stays")
    func chosen() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        shell: "exec nice -n 5 \"$0\" \"$@\"", "-v", "-D", "headset", "-l", "l.wav")
      try studio.waitForSound(in: "l.wav", of: program)
      #expect(try captureThread(of: program, others: Scheduling(nice: 5)) == Scheduling(nice: 5))
      let outcome = try program.end()
      #expect(outcome.errors.contains("thread: the priority that this program was started with\n"))
    }

    @Test("what is read from a file or a pipe is nothing to hurry for")
    func file() throws {
      let studio = try Studio()
      let program = try studio.start(
        "-v", "-i", "-", "--input-rate", "16000", "-l", "l.raw", "-r", "r.raw", input: .held)
      let frames = bytes(of: Ramp.stereo(frames: 0..<100_000))
      try program.write(frames)
      try waitUntil("sound is in a file") { studio.size(of: "l.raw") > 0 }
      #expect(try captureThread(of: program) == Scheduling())
      program.closeInput()
      let outcome = try program.wait()
      #expect(outcome.status == .exited(0))
      #expect(!outcome.errors.contains("capture thread"))
    }
  }
}
