import Foundation
import Lab
import Testing

extension Live {
  @Suite("--respawn: a program that ends is started again, and gets the timeline from then on")
  struct RespawnTests {
    /// Each run copies its sound to a file of its own, named by its first frame.
    private static let copier = "echo $SPLITCAP_FIRST_FRAME $SPLITCAP_START >>runs; "

    @Test(
      "whether it fails or ends well: each run's sound stands where it says, and the rest is counted",
      arguments: ["exit 3", "exit 0", "kill -9 $$"])
    func device(end: String) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-r", "r.wav", "--respawn", "-l",
        "exec:\(Self.copier) head -c 8000 >part-{first_frame}; \(end)")
      try waitUntil("it ran three times") { try studio.runs().count == 3 }
      try studio.waitForMoreSound(in: "r.wav", of: program)
      try program.waitUntilItSays("is started again in 4 s")
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("is started again in 1 s"))
      let right = try studio.expectWhole("r.wav")
      let runs = try studio.runs()
      for (frame, start) in runs {
        let part = try samples(of: studio.folder.bytes(of: "part-\(frame)"))
        #expect(part.count == 4_000)
        #expect(part.elementsEqual(right[frame..<frame + 4_000].map { -$0 }), "\(frame)")
        // Wall time and frames tell the same.
        let passed = start.timeIntervalSince(runs[0].1)
        #expect(abs(passed - Double(frame) / 16_000) < 0.002)
        if frame > 0 {
          let seconds = String(format: "%.3f", Double(frame) / 16_000)
          #expect(outcome.errors.contains("runs again, from \(seconds) s on"), "\(outcome.errors)")
        }
      }
      #expect(runs[0].0 == 0 && runs.count == 3)
      #expect(outcome.errors.contains("started again 2 times, "))
      let taken = try outcome.number(before: " frames, ", in: ": left, ")
      let missed = try outcome.number(before: " frames missed", in: ": left, ")
      #expect(taken == 12_000 && taken + missed == right.count, "\(outcome.errors)")
    }

    @Test("an input waits for the next run; only what the last one left in its pipe is missed")
    func input() throws {
      let shop = try Workshop()
      let program = try shop.start(
        """
        exec splitcap -i - -r r.wav --respawn -l 'exec:\(Self.copier) \
        if [ ! -e second ]; then : >second; sleep 1; exit 1; fi; cat >part'
        """, input: .held)
      try program.write(Workshop.wave)
      try waitUntil("the second has all to the end") {
        guard shop.size("part") > 0, shop.size("part").isMultiple(of: 2) else { return false }
        return try shop.raw("part").last == Workshop.left.last
      }
      program.closeInput()
      let outcome = try program.wait()
      #expect(outcome.errors.contains("exited with status 1; it is started again in 1 s"))
      let runs = try shop.text("runs").split(separator: "\n").map { $0.split(separator: " ")[0] }
      let first = try #require(Int(runs[1]))
      #expect(runs[0] == "0" && runs.count == 2)
      // A first block that did not fit the pipe whole is given whole to the second run.
      #expect(outcome.status == .exited(first > 0 ? 1 : 0), "\(outcome.errors)")
      let part = Array(Workshop.left[first...])
      expectSame(try shop.raw("part"), part)
      #expect(try outcome.number(before: " frames, ", in: ": left, ") == part.count)
      #expect(try outcome.number(before: " frames missed", in: ": left, ") == first)
      expectSame(try shop.wave("r.wav"), Workshop.right)
    }

    @Test("an input that is over waits for the next run as well")
    func inputIsOver() throws {
      let shop = try Workshop()
      let outcome = try shop.run(
        """
        splitcap -i in.wav -r r.wav --respawn -l 'exec:\
        if [ ! -e second ]; then : >second; exit 0; fi; echo {first_frame} >first; cat >part'
        """)
      #expect(outcome.errors.contains("it is started again in 1 s"))
      // What the first one had in its pipe when it left is missed.
      let first = try #require(Int(shop.text("first").dropLast()))
      #expect(outcome.status == .exited(first > 0 ? 1 : 0), "\(outcome.errors)")
      #expect(try outcome.number(before: " frames missed", in: ": left, ") == first)
      expectSame(try shop.raw("part"), Array(Workshop.left[first...]))
      expectSame(try shop.wave("r.wav"), Workshop.right)
    }

    @Test("programs that each take a part of an input reach its end, and nothing goes twice")
    func parts() throws {
      let shop = try Workshop()
      let outcome = try shop.run(
        """
        splitcap -i in.wav -r r.wav --respawn \
          -l 'exec:\(Self.copier) head -c 80000 >part-{first_frame}'
        """)
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      let firsts = try shop.text("runs").split(separator: "\n").compactMap {
        Int($0.split(separator: " ")[0])
      }
      #expect(firsts.count >= 2 && zip(firsts, firsts.dropFirst()).allSatisfy { $1 - $0 >= 40_000 })
      var taken = 0
      for first in firsts {
        let part = try shop.raw("part-\(first)")
        expectSame(part, Array(Workshop.left[first..<first + part.count]), "\(first)")
        taken += part.count
      }
      #expect(try outcome.number(before: " frames, ", in: ": left, ") == taken)
      let missed = try outcome.number(before: " frames missed", in: ": left, ")
      #expect(taken + missed == Workshop.frames, "\(outcome.errors)")
    }

    @Test("a command that can't be run is tried again and again, and fails in the end")
    func cannotStart() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-r", "r.wav", "--respawn", "-l", "exec:no-such-command 2>/dev/null",
        "--events", "log")
      for wait in [1, 2, 4] {
        try program.waitUntilItSays("the command was not found; it is started again in \(wait) s")
      }
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("left, failed after"))
      // It read nothing, and yet each run ended later than the one before.
      let ends = try EventLine.all(in: studio.folder.text(of: "log")).named("program-ended")
      #expect(ends.count >= 3)
      #expect(zip(ends, ends.dropFirst()).allSatisfy { $0.frame < $1.frame }, "\(ends)")
      try studio.expectWhole("r.wav")
    }

    @Test("nothing is started any more once the recording ends, and the wait for it ends at once")
    func ending() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-r", "r.wav", "--respawn", "-l",
        "exec:\(Self.copier) if [ -e stop ]; then exit 0; fi; cat >/dev/null; exit 3")
      try waitUntil("it runs") { try studio.runs().count == 1 }
      try studio.waitForSound(in: "r.wav", frames: 1_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(1) && !outcome.errors.contains("started again"))
      #expect(try studio.runs().count == 1)
    }
  }

  @Suite("The end: what is still waited for is named, and what is cut off, too")
  struct LateOutputTests {
    @Test("after Ctrl-C the program that is waited for; after the second what was cut off, too")
    func late() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        "-D", "headset", "-l", "l.wav", "-r", "exec:cat >/dev/null; exec sleep 1000")
      try studio.waitForSound(in: "l.wav", frames: 1_000, of: program)
      program.signal(SIGINT)
      try program.waitUntilItSays("waiting for 'exec:cat >/dev/null; exec sleep 1000'; Ctrl-C")
      let outcome = try program.end()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      #expect(outcome.errors.contains("sleep 1000' was still at work and was ended"))
      let frames = try studio.wave("l.wav").samples.count
      #expect(outcome.errors.contains("l.wav: left, \(frames) frames"), "\(outcome.errors)")
      #expect(outcome.errors.contains("right, failed after \(frames) frames"))
      #expect(outcome.errors.components(separatedBy: "still waiting").count == 2)
    }
  }
}

extension Studio {
  /// The number that a program has written into a file.
  fileprivate func runs() throws -> [(Int, Date)] {
    guard let text = try? folder.text(of: "runs") else { return [] }
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return try text.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      let frame = try #require(Int(words[0]))
      return (frame, try #require(format.date(from: String(words[1]))))
    }
  }
}
