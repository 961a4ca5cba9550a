import Foundation
import Lab
import Testing

@Suite("Files that exist")
struct ExistingFileTests {
  @Test("P34: nothing is made or changed before frames flow, however long that takes")
  func beforeFrames() throws {
    let shop = try Workshop()
    try shop.folder.write([1, 2, 3], to: "l.wav")
    let program = try shop.start("exec splitcap -v -i - -l l.wav -r r.flac", input: .held)
    // The header alone is no sound.
    try program.write(Array(Workshop.wave.prefix(44)))
    try waitUntil("it has started") { program.errorsSoFar.contains("recording standard input") }
    #expect(try shop.folder.contents() == ["in.wav", "l.wav"])
    #expect(try shop.folder.bytes(of: "l.wav") == [1, 2, 3])

    try program.write(Array(Workshop.wave.dropFirst(44)))
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
    expectSame(try shop.wave("l.wav"), Workshop.left)
  }

  @Test("a stop before the first frame leaves all as it was, with a header or without")
  func stoppedBeforeFrames() throws {
    for header in [0, 44] {
      let shop = try Workshop()
      try shop.folder.write([1, 2, 3], to: "l.wav")
      let program = try shop.start("exec splitcap -i - -l l.wav -r r.wav", input: .held)
      if header > 0 {
        try program.write(Array(Workshop.wave.prefix(header)))
        try waitUntil("it has started") { program.errorsSoFar.contains("recording") }
      } else {
        try waitUntil("it blocks the signal") { try blocks(SIGINT, program.pid) }
      }
      program.signal(SIGINT)
      let outcome = try program.wait()
      #expect(outcome.status == .exited(0))
      #expect(outcome.errors.contains("of waiting for standard input"), "\(outcome.errors)")
      #expect(try shop.folder.contents() == ["in.wav", "l.wav"])
      #expect(try shop.folder.bytes(of: "l.wav") == [1, 2, 3])
    }
  }

  /// Whether a thread of a process has blocked a signal, to leave it to another one.
  private func blocks(_ signal: Int32, _ id: pid_t) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task").contains { thread in
      let path = "/proc/\(id)/task/\(thread)/status"
      let lines = try? String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      let line = lines?.first { $0.hasPrefix("SigBlk:") }
      let mask = line.flatMap { UInt64($0.suffix(16), radix: 16) } ?? 0
      return mask >> UInt64(signal - 1) & 1 == 1
    }
  }

  @Test("one is overwritten in place: a longer one leaves nothing behind, a link stays a link")
  func overwritten() throws {
    let shop = try Workshop()
    try shop.run(
      """
      mkdir sub; head -c 3000000 /dev/urandom >sub/l.wav; chmod 640 sub/l.wav
      ln -s sub/l.wav l.wav; ln -s new.wav r.wav
      splitcap -q -i in.wav -l l.wav -r r.wav
      """, expecting: 0)
    expectSame(try shop.wave("sub/l.wav"), Workshop.left)
    expectSame(try shop.wave("new.wav"), Workshop.right)
    let manager = FileManager.default
    #expect(try manager.destinationOfSymbolicLink(atPath: shop.folder("l.wav")) == "sub/l.wav")
    #expect(try manager.destinationOfSymbolicLink(atPath: shop.folder("r.wav")) == "new.wav")
    let mode = try manager.attributesOfItem(atPath: shop.folder("sub/l.wav"))[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test("a new file has the rights that umask leaves, and no other name was ever used")
  func rights() throws {
    let shop = try Workshop()
    try shop.run("umask 027; splitcap -q -i in.wav -l l.wav -r r.flac", expecting: 0)
    for name in ["l.wav", "r.flac"] {
      let facts = try FileManager.default.attributesOfItem(atPath: shop.folder(name))
      #expect(facts[.posixPermissions] as? Int == 0o640)
    }
    #expect(try shop.folder.contents() == ["in.wav", "l.wav", "r.flac"])
  }

  @Test("--no-clobber refuses a file that exists, also through a link, and makes a new one")
  func noClobber() throws {
    let shop = try Workshop()
    try shop.run("echo words >old.wav; ln -s old.wav link.wav")
    for name in ["old.wav", "link.wav", "./old.wav"] {
      try shop.expectRefusal(
        2, "'\(name)' exists", hint: "--no-clobber",
        of: "splitcap -i in.wav --no-clobber -l new.wav -r \(name)")
    }
    try shop.run("splitcap -q -i in.wav --no-clobber -l new.wav -r /dev/null", expecting: 0)
    expectSame(try shop.wave("new.wav"), Workshop.left)
  }

  @Test("--no-clobber: a file that comes between the check and the first frame is kept, too")
  func noClobberRace() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -i - --no-clobber -l l.wav -r r.wav", input: .held)
    try program.write(Array(Workshop.wave.prefix(44)))
    try waitUntil("it has started") { program.errorsSoFar.contains("recording") }
    try shop.folder.write([1, 2, 3], to: "l.wav")
    try program.write(Array(Workshop.wave.dropFirst(44)))
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1) && outcome.errors.contains("'l.wav': File exists"))
    #expect(try shop.folder.bytes(of: "l.wav") == [1, 2, 3])
    expectSame(try shop.wave("r.wav"), Workshop.right)
  }

  @Test("one that another recording is writing to is left alone, events and joined ears, too")
  func claimed() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -i - -l l.wav -r r.flac --events log", input: .held)
    try program.write(Workshop.wave)
    try waitUntil("it writes") { shop.size("l.wav") > 100_000 && shop.size("log") > 0 }
    let words = "another recording is writing to it\n  hint: "
    for (output, name) in [("-l", "l.wav"), ("-r", "./r.flac")] {
      let outcome = try shop.run("splitcap -i in.wav \(output) \(name) -l new.wav", expecting: 1)
      #expect(outcome.errors.contains("cannot write '\(name)': \(words)"), "\(outcome.errors)")
      expectSame(try shop.wave("new.wav"), Workshop.left)
    }
    var outcome = try shop.run("splitcap -i in.wav -l l.wav -r r.flac", expecting: 5)
    #expect(outcome.errors.components(separatedBy: words).count == 3, "\(outcome.errors)")
    outcome = try shop.run("splitcap -i in.wav -l new.wav --events log", expecting: 1)
    #expect(outcome.errors.contains("cannot write 'log': \(words)"), "\(outcome.errors)")
    try shop.run("splitcap -q -i in.wav -r right.wav", expecting: 0)
    outcome = try shop.run("splitcap join new.wav right.wav l.wav", expecting: 5)
    #expect(outcome.errors.contains("cannot write 'l.wav': \(words)"), "\(outcome.errors)")

    program.closeInput()
    #expect(try program.wait().status == .exited(0))
    expectSame(try shop.wave("l.wav"), Workshop.left)
    let right = try Reader.flac.read(shop.folder("r.flac"), copy: shop.folder("copy.wav"))
    expectSame(right.samples, Workshop.right)
    _ = try EventLine.all(in: shop.text("log")).ends()
    #expect(try !shop.folder.contents().contains { $0.hasSuffix(".part") })
  }

  @Test("a folder or a file that this user may not write to is found before anything is opened")
  func notAllowed() throws {
    let shop = try Workshop()
    try shop.run("mkdir closed; chmod 555 closed; echo words >old.wav; chmod 444 old.wav")
    for name in ["closed/l.wav", "closed/l.flac", "old.wav"] {
      try shop.expectRefusal(
        2, "'\(name)'", hint: "that you may write to",
        of: "\(Workshop.obeyingModes) splitcap -i 'exec:: >opened; cat in.wav' -r r.wav -l \(name)")
    }
  }
}
