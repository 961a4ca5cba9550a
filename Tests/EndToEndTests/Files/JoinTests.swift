import Foundation
import Lab
import Testing

@Suite("splitcap join")
struct JoinTests {
  /// A workshop with the two ears of `in.wav`.
  private func split(_ container: String = "wav") throws -> Workshop {
    let shop = try Workshop()
    try shop.run("splitcap -q -i in.wav -l l.\(container) -r r.\(container)", expecting: 0)
    return shop
  }

  @Test("what was split is joined bit for bit, whatever the ears are in")
  func exact() throws {
    for container in ["wav", "flac", "caf", "w64", "rf64", "aiff", "au"] {
      let shop = try split(container)
      let outcome = try shop.run(
        "splitcap join l.\(container) r.\(container) both.wav", expecting: 0)
      #expect(outcome.errors.contains("both.wav: \(Workshop.frames) frames"))
      #expect(outcome.output == [])
      expectSame(try shop.wave("both.wav"), Workshop.stereo, container)
    }
  }

  @Test("every lossless format can be made, and other programs read the same samples")
  func containers() throws {
    let shop = try split()
    for container in ["wav", "flac", "caf", "w64", "rf64", "aiff", "au"] {
      try shop.run("splitcap join -q l.wav r.wav both.\(container)", expecting: 0)
      let file = try Reader.ffmpeg.read(
        shop.folder("both.\(container)"), copy: shop.folder("copy.wav"))
      expectSame(file.samples, Workshop.stereo, container)
      #expect(file.rate == Workshop.rate && file.channels == 2)
    }
    #expect(try !shop.folder.contents().contains { $0.hasSuffix(".part") })
    let outcome = try shop.run("splitcap join l.wav r.wav both.ogg", expecting: 0)
    #expect(outcome.errors.contains("loses some of the sound"))
  }

  @Test("a signal ends it while it waits for a pipe, and nothing is left")
  func pipes() throws {
    for beginning in [0, 20_000] {
      let shop = try split()
      try shop.folder.makeFIFO("pipe.wav")
      let writer = try shop.start(
        "exec 3>pipe.wav; head -c \(beginning) l.wav >&3; exec sleep 1000")
      let program = try shop.start("exec splitcap join pipe.wav r.wav both.wav")
      try waitUntil("it waits") {
        try beginning == 0
          ? openFiles(of: program).contains { $0.hasSuffix("/pipe.wav") }
          : shop.folder.contents().contains("both.wav.part")
      }
      program.signal(SIGTERM)
      let outcome = try program.wait()
      #expect(outcome.status == (beginning == 0 ? .killed(SIGTERM) : .exited(1)))
      #expect(try !shop.folder.contents().contains { $0.hasPrefix("both") })
      writer.signal(SIGTERM)
      _ = try writer.wait()
    }
  }

  private func openFiles(of program: Program) throws -> [String] {
    let manager = FileManager.default
    let folder = "/proc/\(program.pid)/fd"
    return try manager.contentsOfDirectory(atPath: folder).compactMap {
      try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  @Test("ears of different rates or lengths are refused, and nothing is left or touched")
  func refused() throws {
    let shop = try split()
    try shop.run(
      """
      splitcap -q -i in.wav --frames 100000 -r short.wav
      splitcap -q -i in.wav --resample 8000 -r slow.wav; echo words >old.wav
      """, expecting: 0)
    for output in ["new.wav", "new.flac", "old.wav"] {
      try shop.expectRefusal(
        3, "has \(Workshop.frames) frames, 'short.wav' 100000", hint: "--pad",
        of: "splitcap join l.wav short.wav \(output)")
      try shop.expectRefusal(
        3, "'l.wav' has 16000 Hz, 'slow.wav' 8000 Hz", hint: "--resample 16000",
        of: "splitcap join l.wav slow.wav \(output)")
    }
    try shop.expectRefusal(
      3, "2 channels", hint: "split", of: "splitcap join in.wav r.wav new.wav")
    try shop.expectRefusal(
      3, "No such file", hint: "name", of: "splitcap join l.wav none.wav new.wav")
  }

  @Test("--pad fills the shorter ear, whichever it is, and says how much")
  func padded() throws {
    let shop = try split()
    try shop.run("splitcap -q -i in.wav --frames 100000 -l sl.wav -r sr.wav", expecting: 0)
    let missing = Workshop.frames - 100_000
    let silence = [Int16](repeating: 0, count: missing)
    var outcome = try shop.run("splitcap join --pad l.wav sr.wav both.wav", expecting: 0)
    #expect(outcome.errors.contains("right ear was shorter: \(missing) frames of silence"))
    var (left, right) = deinterleave(try shop.wave("both.wav"))
    expectSame(left, Workshop.left)
    expectSame(right, Array(Workshop.right.prefix(100_000)) + silence)
    outcome = try shop.run("splitcap join --pad sl.wav r.wav both.wav", expecting: 0)
    #expect(outcome.errors.contains("left ear was shorter: \(missing) frames of silence"))
    (left, right) = deinterleave(try shop.wave("both.wav"))
    expectSame(left, Array(Workshop.left.prefix(100_000)) + silence)
    expectSame(right, Workshop.right)
  }

  @Test("an ear is never overwritten, whatever it is called, and --no-clobber protects the rest")
  func names() throws {
    let shop = try split()
    try shop.run("ln -s l.wav soft.wav; ln r.wav hard.wav; echo words >old.wav; mkfifo pipe.wav")
    for name in ["l.wav", "./r.wav", "soft.wav", "hard.wav"] {
      try shop.expectRefusal(
        2, "would overwrite the ear", hint: "another name", of: "splitcap join l.wav r.wav \(name)")
    }
    try shop.expectRefusal(
      2, "exists", hint: "no-clobber", of: "splitcap join --no-clobber l.wav r.wav old.wav")
    for name in ["pipe.wav", "/dev/null", "/dev/stdout"] {
      try shop.expectRefusal(
        2, "is no file", hint: "sox -M", of: "splitcap join l.wav r.wav \(name)")
    }
    try shop.expectRefusal(2, "same file", hint: "each ear", of: "splitcap join l.wav l.wav x.wav")
    try shop.expectRefusal(2, "extension", hint: "wav", of: "splitcap join l.wav r.wav x")
  }

  @Test("what is replaced keeps its mode, a link stays a link, and a disk that is full leaves it")
  func replaced() throws {
    let shop = try split()
    try shop.run(
      "mkdir sub; echo words >sub/old.wav; chmod 640 sub/old.wav; ln -s sub/old.wav x.wav")
    let outcome = try shop.run("ulimit -f 100; splitcap join l.wav r.wav x.wav", expecting: 5)
    #expect(outcome.errors.contains("File too large"))
    #expect(try shop.text("sub/old.wav") == "words\n")
    #expect(try shop.folder.contents() == ["in.wav", "l.wav", "r.wav", "sub", "x.wav"])
    try shop.run("splitcap join -q l.wav r.wav x.wav; ls sub >list", expecting: 0)
    expectSame(try shop.wave("sub/old.wav"), Workshop.stereo)
    #expect(try shop.text("list") == "old.wav\n")
    let manager = FileManager.default
    #expect(try manager.destinationOfSymbolicLink(atPath: shop.folder("x.wav")) == "sub/old.wav")
    let mode = try manager.attributesOfItem(atPath: shop.folder("sub/old.wav"))[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test("Ctrl-C leaves nothing behind")
  func interrupted() throws {
    let shop = try split()
    try shop.folder.makeFIFO("slow.wav")
    let program = try shop.start("exec 3<>slow.wav; exec splitcap join l.wav slow.wav both.wav")
    let feed = try #require(FileHandle(forUpdatingAtPath: shop.folder("slow.wav")))
    try feed.write(contentsOf: Data(try shop.folder.bytes(of: "r.wav").prefix(40_000)))
    try waitUntil("it writes") { try shop.folder.contents().contains("both.wav.part") }
    program.signal(SIGINT)
    // It is heard when the pipe gives more.
    try feed.write(contentsOf: Data(try shop.folder.bytes(of: "r.wav")[40_000..<90_000]))
    #expect(try program.wait().status == .exited(1))
    #expect(try shop.folder.contents() == ["in.wav", "l.wav", "r.wav", "slow.wav"])
  }

  @Test("a damaged ear is joined as far as it goes, and that is said")
  func damaged() throws {
    let shop = try split()
    try shop.run("head -c 200045 l.wav >cl.wav; head -c 200045 r.wav >cr.wav")
    let outcome = try shop.run("splitcap join cl.wav cr.wav both.wav", expecting: 1)
    #expect(outcome.errors.contains("warning:") && outcome.errors.contains("cl.wav"))
    expectSame(try shop.wave("both.wav"), Array(Workshop.stereo.prefix(2 * 100_000)))
  }
}
