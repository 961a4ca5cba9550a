import Foundation
import Lab
import Testing

extension Live {
  @Suite("P27, P28: an output that stalls, leaves or fails touches neither the device nor another")
  struct SlowOutputTests {
    /// A program that says its number in `pid` and copies what it gets to `l.raw`.
    private static let copier = "exec:echo $$ >pid; exec cat >l.raw"

    @Test(
      "a reader that stops loses what its queue has no room for: silence in its place, or nothing",
      arguments: ["silence", "skip"])
    func stops(rule: String) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-l", Self.copier, "-r", "r.wav", "--queue", "1s", "--on-slow", rule)
      try studio.waitForSound(in: "l.raw", frames: 1_000, of: program)
      let reader = try studio.number(in: "pid")
      kill(reader, SIGSTOP)
      // What the pipe holds comes before the queue: 2 s of this sound.
      try program.waitUntilItSays("does not keep up: its queue of 1 s is full")
      kill(reader, SIGCONT)
      try program.waitUntilItSays("takes sound again from")
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")

      let right = try studio.wave("r.wav").samples
      let whole = try Ramp.check(right, isRight: true)
      #expect(whole.count == right.count)
      let left = try samples(of: studio.folder.bytes(of: "l.raw"))
      let dropped = try outcome.number(before: " frames (", in: "takes sound again")
      #expect(dropped > 0)
      #expect(outcome.errors.contains("exec:echo $$ >pid; exec cat >l.raw: left, \(left.count) "))
      #expect(outcome.errors.contains("too slow for \(dropped) frames"), "\(outcome.errors)")
      if rule == "silence" {
        #expect(left.count == right.count && left.count { $0 == 0 } == dropped)
        #expect(zip(left, right).allSatisfy { $0 == 0 || $0 == -$1 })
      } else {
        #expect(left.count == right.count - dropped)
        let start = try #require(left.indices.first { left[$0] != -right[$0] })
        #expect(left[start...].elementsEqual(right[(start + dropped)...].map { -$0 }))
      }
    }

    @Test("--on-slow close gives up a reader that stops, says so once, and ends the program")
    func close() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-l", Self.copier, "-r", "r.wav", "--queue", "1s", "--on-slow", "close")
      try studio.waitForSound(in: "l.raw", frames: 1_000, of: program)
      let reader = try studio.number(in: "pid")
      kill(reader, SIGSTOP)
      try program.waitUntilItSays("was given up: it does not keep up, and its queue is full")
      try waitUntil("the program is gone") { kill(reader, 0) != 0 }
      try studio.waitForMoreSound(in: "r.wav", of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.components(separatedBy: "error:").count == 2)
      #expect(outcome.errors.contains("left, failed after"))
      try studio.expectWhole("r.wav")
    }

    @Test("a reader that is a little too slow gets long pieces of sound, all in their places")
    func steady() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      // Half the sound's speed.
      let command =
        "exec:while head -c 8000 >part && test -s part; do cat part >>l.raw; sleep 0.5; done"
      let program = try studio.start(
        "-D", "headset", "-l", command, "-r", "r.wav", "--queue", "1s")
      try program.waitUntilItSays("takes sound again from")
      program.signal(SIGINT)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let right = try studio.expectWhole("r.wav")
      let left = try samples(of: studio.folder.bytes(of: "l.raw"))
      #expect(left.count == right.count)
      #expect(zip(left, right).allSatisfy { $0 == 0 || $0 == -$1 })
      let silent = left.count { $0 == 0 }
      #expect(silent > 0 && outcome.errors.contains("too slow for \(silent) frames"))
      let pieces = zip(left, left.dropFirst()).count { $0 != 0 && $1 == 0 }
      #expect(pieces <= silent / 2_000, "\(pieces) pieces of silence")
    }

    @Test("a FIFO that nobody opens: said once while it lasts, and the other ear is whole")
    func neverOpened() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      try studio.folder.makeFIFO("l.pcm")
      let program = try studio.start(
        "-D", "headset", "-l", "l.pcm", "-r", "r.wav", "--queue", "4s")
      try program.waitUntilItSays("nobody reads FIFO 'l.pcm' yet; 4 s are kept for it")
      try program.waitUntilItSays("'l.pcm' does not keep up")
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.components(separatedBy: "nobody reads FIFO 'l.pcm' yet").count == 2)
      #expect(outcome.errors.contains("error: nobody reads FIFO 'l.pcm'\n  hint: start its reader"))
      // It was not slow: it got nothing.
      #expect(outcome.errors.contains("l.pcm: left, failed after 0 frames\n"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("are silence"), "\(outcome.errors)")
      try studio.expectWhole("r.wav")
    }

    @Test(
      "an output that ends while a device is recorded is told at once, and the other ear is whole",
      arguments: [
        ("exec:head -c 2000 >l.raw", "its reader left at", 0),
        ("exec:head -c 2000 >l.raw; exit 3", "exited with status 3", 1),
        ("exec:exec <&-; touch alive; sleep 2; : >l.done", "its reader left at", 0),
        ("/dev/full", "No space left on device", 1),
      ] as [(String, String, Int32)])
    func ends(output: String, words: String, status: Int32) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start("-D", "headset", "-l", output, "-r", "r.wav")
      try studio.waitForSound(in: "r.wav", frames: 16_000, of: program)
      if status == 1 { try program.waitUntilItSays(words) }
      if output.contains("head") && status == 0 { try program.waitUntilItSays("the reader of '") }
      let outcome = try program.end()
      #expect(outcome.status == .exited(status), "\(outcome.errors)")
      #expect(outcome.errors.components(separatedBy: words).count == 2, "\(outcome.errors)")
      try studio.expectWhole("r.wav")
      if output.contains("alive") { #expect(try studio.folder.contents().contains("l.done")) }
    }

    @Test("memory follows the backlog: it grows with it, and shrinks when it is gone")
    func memory() throws {
      var headset = VirtualHeadset("headset", rates: [48_000])
      headset.speed = 20
      let studio = try Studio(headset)
      let program = try studio.start(
        "-D", "headset", "--rate", "48000", "-l", "exec:echo $$ >pid; exec cat >/dev/null", "-r",
        "r.wav", "--queue", "1h")
      try studio.waitForSound(in: "r.wav", frames: 100_000, of: program)
      let usual = try residentBytes(of: program)
      let reader = try studio.number(in: "pid")
      kill(reader, SIGSTOP)
      let backlog = 10_000_000
      let before = studio.size(of: "r.wav")
      try studio.waitForSound(in: "r.wav", frames: (before + backlog) / 2, of: program)
      let grown = try residentBytes(of: program) - usual
      #expect(grown > backlog / 2 && grown < 3 * backlog, "\(grown) bytes")
      kill(reader, SIGCONT)
      try waitUntil("the memory is given back") {
        try residentBytes(of: program) < usual + backlog / 3
      }
      _ = try program.end()
    }

    private func residentBytes(of program: Program) throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(program.pid)/statm", encoding: .utf8)
      let pages = try #require(Int(text.split(separator: " ")[1]))
      return pages * Int(getpagesize())
    }
  }
}
