import Foundation
import Lab
import Testing

@Suite("Disks that fill, and files that go away")
struct LostDiskTests {
  /// Runs a script with a file system of its own of `size` at `small`; what is in it is kept in `kept`.
  private func run(_ script: String, size: String, in shop: Workshop) throws -> Program.Outcome {
    _ = try shop.folder.makeFolder("small")
    _ = try shop.folder.makeFolder("kept")
    // Seen by nobody else, and gone with the shell.
    return try shop.run(
      "unshare --map-root-user --mount bash -c 'mount -t tmpfs -o size=\(size) none small || exit 99; "
        + "\(script); status=$?; cp small/* kept; exit $status'")
  }

  private func count(_ text: String, in outcome: Program.Outcome) -> Int {
    outcome.errors.components(separatedBy: text).count - 1
  }

  @Test(
    "W25: a full disk ends its file, valid and with one message; the other ear goes on; status 1",
    arguments: ["wav", "w64", "rf64", "caf", "aiff", "au"])
  func full(name: String) throws {
    let shop = try Workshop()
    let frames = 1_200_000
    try shop.folder.write(bytes(of: Ramp.stereo(frames: 0..<frames)), to: "long.raw")
    let outcome = try run(
      "splitcap -i long.raw --input-rate 16000 -l small/l.\(name) -r r.wav", size: "1m", in: shop)
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    #expect(count("No space left on device", in: outcome) == 1)
    #expect(count("error:", in: outcome) == 1)
    let kept = try Reader.ffmpeg.read(
      shop.folder("kept/l.\(name)"), copy: shop.folder("copy.wav")
    ).samples
    // A page of the disk at most is not used.
    #expect(kept.count > (1 << 20) / 2 - 4_096)
    expectSame(kept, (0..<kept.count).map(Ramp.left))
    expectSame(try shop.wave("r.wav"), (0..<frames).map(Ramp.right))
  }

  @Test("a disk with space for less than 10 minutes is told of, once, and not if that is enough")
  func nearlyFull() throws {
    let shop = try Workshop()
    // Space for four minutes of both ears. It is looked at after a second.
    let slow = "(head -c 200000 in.wav; sleep 1.5; tail -c +200001 in.wav) | splitcap -i -"
    let all = try run(
      "\(slow) -l small/l.wav -r small/r.wav -l l.wav", size: "16m", in: shop)
    #expect(all.status == .exited(0), "\(all.errors)")
    #expect(count("warning:", in: all) == 1)
    #expect(all.errors.contains("has space for about 4 min of sound: 16 MB are free"))
    #expect(all.errors.contains("  hint: free some space there"))

    let enough = try run(
      "\(slow) --duration 9s -l small/l.wav -r small/r.wav", size: "16m", in: shop)
    #expect(count("warning:", in: enough) == 0)
  }

  @Test("the warning names the timeline's frame, also in a second file and at another rate")
  func nearlyFullLater() throws {
    let shop = try Workshop()
    _ = try shop.folder.makeFolder("small")
    let program = try shop.start(
      "exec unshare --map-root-user --mount bash -c 'mount -t tmpfs -o size=256k none small && "
        + "exec splitcap -q -i - --input-rate 22050 --segment 1h -l small/l-%i.opus "
        + "--stereo exec:cat\\ \\>b.raw --events log'", input: .held)
    let second = 22_050
    func send(_ frames: Range<Int>) throws {
      try program.write(bytes(of: Ramp.stereo(frames: frames)))
      try waitUntil("all is read") { shop.size("b.raw") == 4 * frames.upperBound }
    }
    // How fast an encoded file grows is known after ten seconds of it: not in the first one.
    try send(0..<7 * second)
    program.signal(SIGUSR1)
    try waitUntil("it is cut") { try shop.text("log").contains("\"event\":\"segment\"") }
    try send(7 * second..<19 * second)
    // It is looked at after a second.
    pause(milliseconds: 1_500)
    try send(19 * second..<20 * second)
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let warnings = try EventLine.all(in: shop.text("log")).named("warning")
    #expect(warnings.map(\.frame).allSatisfy { (17 * second...20 * second).contains($0) })
    #expect(warnings.count == 1 && warnings[0].text("message")?.contains("has space for") == true)
  }

  @Test(
    "a folder that is removed is a failed output, told once, within a second; the others go on",
    arguments: ["wav", "flac", "raw"])
  func removed(name: String) throws {
    let shop = try Workshop()
    let gone = try shop.folder.makeFolder("gone")
    let program = try shop.start(
      "exec splitcap -i /dev/stdin --input-rate 1000 --input-channels 1 --mono copy "
        + "-l gone/l.\(name) -r r.wav", input: .held)
    let piece = bytes(of: (0..<100).map(Ramp.left))
    try program.write(piece)
    try waitUntil("sound flows") { shop.size("gone/l.\(name)") > 0 && shop.size("r.wav") > 44 }
    try FileManager.default.removeItem(atPath: gone)
    var pieces = 1
    try waitUntil("the loss is told") {
      try program.write(piece)
      pieces += 1
      pause(milliseconds: 50)
      return program.errorsSoFar.contains("error:")
    }
    try program.write(piece)
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.errors.contains(
        "error: cannot go on with 'gone/l.\(name)': it has been deleted while it was written"))
    #expect(count("error:", in: outcome) == 1)
    #expect(try shop.wave("r.wav").count == 100 * (pieces + 1))
  }

  @Test("a file that another program cuts off is a failed output; the others go on")
  func cutOff() throws {
    for name in ["l.wav", "l.flac", "l.raw"] {
      let shop = try Workshop()
      let program = try shop.start("exec splitcap -i - -l \(name) -r r.wav", input: .held)
      try program.write(Array(Workshop.wave.dropLast(10_000)))
      // All that was given must be there: what is cut off within a write can't be told.
      var size = 0
      try waitUntil("all is written") {
        defer { size = shop.size(name) }
        pause(milliseconds: 100)
        return size > 44 && shop.size(name) == size
          && shop.size("r.wav") == Workshop.wave.count / 2 - 5_000 + 22
      }
      try shop.run(": >\(name)", expecting: 0)
      try program.write(Array(Workshop.wave.suffix(10_000)))
      program.closeInput()
      let outcome = try program.wait()
      #expect(outcome.status == .exited(1), "\(name): \(outcome.errors)")
      #expect(count("'\(name)': another program has cut it off", in: outcome) == 1)
      expectSame(try shop.wave("r.wav"), Workshop.right)
    }
  }

  @Test("events whose file is deleted are no longer written, and that is told; status 1")
  func deletedEvents() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -q -i - -l l.wav --events log", input: .held)
    try program.write(Array(Workshop.wave.dropLast(10_000)))
    try waitUntil("it writes") { shop.size("log") > 0 }
    try FileManager.default.removeItem(atPath: shop.folder("log"))
    try program.write(Array(Workshop.wave.suffix(10_000)))
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.errors.contains(
        "warning: events are no longer written: cannot go on with 'log': it has been deleted"))
    expectSame(try shop.wave("l.wav"), Workshop.left)
  }

  @Test("a file that is deleted in the last moment is not said to be written")
  func deletedAtTheEnd() throws {
    let shop = try Workshop()
    let program = try shop.start("exec splitcap -i - -l l.wav -r r.wav", input: .held)
    try program.write(Array(Workshop.wave.dropLast(10_000)))
    try waitUntil("sound flows") { shop.size("l.wav") > 44 }
    try FileManager.default.removeItem(atPath: shop.folder("l.wav"))
    try program.write(Array(Workshop.wave.suffix(10_000)))
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1))
    #expect(count("'l.wav': it has been deleted", in: outcome) == 1)
    expectSame(try shop.wave("r.wav"), Workshop.right)
  }

  @Test(
    "a file system that becomes read-only ends its file, valid up to there; the others go on",
    arguments: ["wav", "w64", "flac"])
  func readOnly(name: String) throws {
    let shop = try Workshop()
    // No kernel makes a file system read-only under a file that is written, unless its disk fails:
    // strace makes the calls on this file fail as they do then.
    let program = try shop.start(
      "exec strace -f -qq -o /dev/null -P $PWD/l.\(name) -e trace=pwrite64,ftruncate "
        + "-e inject=pwrite64,ftruncate:error=EROFS:when=9+ splitcap -i - -l l.\(name) -r r.wav",
      input: .held)
    for start in stride(from: 0, to: Workshop.wave.count, by: 30_000) {
      try program.write(Array(Workshop.wave[start..<min(start + 30_000, Workshop.wave.count)]))
      pause(milliseconds: 20)
    }
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    #expect(count("error:", in: outcome) == 1)
    #expect(outcome.errors.contains("cannot write 'l.\(name)': Read-only file system"))
    #expect(outcome.errors.contains("\(shop.size("l.\(name)")) bytes"), "\(outcome.errors)")
    let file = try Reader.sox.read(shop.folder("l.\(name)"), copy: shop.folder("copy.wav"))
    #expect(file.samples.count > 0)
    expectSame(file.samples, Array(Workshop.left.prefix(file.samples.count)))
    expectSame(try shop.wave("r.wav"), Workshop.right)
  }
}
