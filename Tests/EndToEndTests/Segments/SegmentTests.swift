import Foundation
import Lab
import Testing

@Suite("Segments of a file or a pipe")
struct SegmentTests {
  @Test(
    "the ears are cut on the same frames; one behind the other, segments are the stream, to the sample",
    arguments: ["100ms", "333.3ms", "1.000625s", "9.375s", "9.3750625s", "1h"])
  func whole(length: String) throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --segment \(length) -l l-%i.wav -r r-%i.flac --stereo b-%i.raw "
        + "-l l.raw", expecting: 2)
    try shop.run(
      "splitcap -q -i in.wav --segment \(length) -l l-%i.wav -r r-%i.flac --stereo b-%i.raw "
        + "-l 'exec:cat >l.raw'", expecting: 0)
    let names = try shop.folder.contents()
    let left = try names.filter { $0.hasPrefix("l-") }.map { try shop.wave($0) }
    let right = try names.filter { $0.hasPrefix("r-") }.map {
      try Reader.flac.read(shop.folder($0), copy: shop.folder("copy.wav")).samples
    }
    let both = try names.filter { $0.hasPrefix("b-") }.map { try shop.raw($0) }
    #expect(left.map(\.count) == right.map(\.count))
    #expect(left.map(\.count) == both.map { $0.count / 2 })
    expectSame(left.flatMap(\.self), Workshop.left, "left")
    expectSame(right.flatMap(\.self), Workshop.right, "right")
    expectSame(both.flatMap(\.self), Workshop.stereo, "both")
    // A pipe is not cut.
    expectSame(try shop.raw("l.raw"), Workshop.left, "a program")
    // All are of one length but the last, and none is empty.
    #expect(Set(left.dropLast().map(\.count)).count <= 1)
    #expect(left.allSatisfy { !$0.isEmpty })
    #expect(!names.contains { $0.hasSuffix(".part") })
  }

  @Test("sox makes one file of the segments of an ear", arguments: ["wav", "flac"])
  func joined(container: String) throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --segment 1s -l left-%i.\(container) && "
        + "sox left-*.\(container) left.wav", expecting: 0)
    expectSame(try shop.wave("left.wav"), Workshop.left)
  }

  @Test("the time decides the length of a segment, counted in frames of the output")
  func length() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --resample 8000 --segment 2s -l l-%1i.wav", expecting: 0)
    let counts = try (1...5).map { try shop.wave("l-\($0).wav").count }
    #expect(counts == [16_000, 16_000, 16_000, 16_000, 11_001])
  }

  @Test("an input without a frame gives one empty segment, as it gives an empty file")
  func empty() throws {
    let shop = try Workshop()
    try shop.folder.write(WaveBytes.pcm([]), to: "in.wav")
    try shop.run("splitcap -q -i in.wav --segment 1s -l l-%i.wav", expecting: 0)
    #expect(try shop.folder.contents() == ["in.wav", "l-0001.wav"])
    #expect(try shop.wave("l-0001.wav") == [])
  }

  @Test("names say when a segment's first frame came, in local time; folders of theirs are made")
  func names() throws {
    let shop = try Workshop()
    // Twenty hours of silence that come in no time: a day changes within.
    try shop.run(
      "export TZ=XYZ-3; date +%s >before; splitcap -q -i /dev/zero --input-rate 1 --input-channels 1 "
        + "--frames 72000 --segment 10h -l '%F/%H%M%S 100%%-%Z-%2i.wav'; date +%s >after",
      expecting: 0)
    let start = try #require(Int(try shop.text("before").dropLast()))
    let end = try #require(Int(try shop.text("after").dropLast()))
    let manager = FileManager.default
    let found = try manager.subpathsOfDirectory(atPath: shop.folder.path).filter {
      $0.hasSuffix(".wav") && $0 != "in.wav"
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 3 * 3_600)
    format.dateFormat = "yyyy-MM-dd/HHmmss"
    let possible = (0..<2).map { number in
      Set(
        (start...end).map { second in
          format.string(from: Date(timeIntervalSince1970: Double(second + number * 36_000)))
            + " 100%-XYZ-0\(number + 1).wav"
        })
    }
    #expect(found.count == 2)
    for names in possible { #expect(names.contains { found.contains($0) }, "\(found)") }
  }

  @Test("segments whose names come out the same get a number, and none overwrites another")
  func sameNames() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --segment 2s -l day-%Y.wav -r ././day-%Y.wav --stereo b.%Y.wav",
      expecting: 2)
    try shop.run(
      "splitcap -q -i in.wav --segment 2s -l day-%C.wav -r day-%C.flac -r ear-%C.wav", expecting: 0)
    let names = ["day-20.wav", "day-20.2.wav", "day-20.3.wav", "day-20.4.wav", "day-20.5.wav"]
    expectSame(try names.flatMap { try shop.wave($0) }, Workshop.left)
    #expect(try shop.folder.contents().count == 16)
  }

  @Test("a file that exists is overwritten, but with --no-clobber the segment gets a number")
  func noClobber() throws {
    let shop = try Workshop()
    try shop.folder.write("kept", to: "l-0002.wav")
    let outcome = try shop.run(
      "splitcap -i in.wav --no-clobber -v --segment 4s -l l-%i.wav", expecting: 0)
    #expect(try shop.text("l-0002.wav") == "kept")
    #expect(outcome.errors.contains("l-0002.2.wav"))
    #expect(outcome.errors.contains("a name was taken, so there is a number in it"))
    let names = ["l-0001.wav", "l-0002.2.wav", "l-0003.wav"]
    expectSame(try names.flatMap { try shop.wave($0) }, Workshop.left)
    try shop.run("splitcap -q -i in.wav --segment 4s -l l-%i.wav", expecting: 0)
    #expect(try shop.wave("l-0002.wav").count == 64_000)
  }

  @Test("fields mean nothing without --segment, and that is said")
  func literalName() throws {
    let shop = try Workshop()
    let outcome = try shop.run("splitcap -i in.wav -l %H-%i.wav -r 100%.wav", expecting: 0)
    let warnings = outcome.errors.components(separatedBy: "warning: ").dropFirst()
    #expect(warnings.count == 1, "\(outcome.errors)")
    #expect(warnings.first?.hasPrefix("the file will be called '%H-%i.wav', as it stands") == true)
    #expect(try shop.folder.contents() == ["%H-%i.wav", "100%.wav", "in.wav"])
  }

  @Test("what a killed run left behind is not overwritten, nor is the input")
  func leftovers() throws {
    let shop = try Workshop()
    try shop.folder.write("kept", to: "l-0001.wav.part")
    try shop.run("cp in.wav l-0002.wav; ln l-0002.wav same.wav", expecting: 0)
    try shop.run("splitcap -q -i same.wav --segment 4s -l l-%i.wav", expecting: 0)
    #expect(try shop.text("l-0001.wav.part") == "kept")
    #expect(try shop.folder.bytes(of: "l-0002.wav") == Workshop.wave)
    let names = ["l-0001.2.wav", "l-0002.2.wav", "l-0003.wav"]
    expectSame(try names.flatMap { try shop.wave($0) }, Workshop.left)
  }

  @Test(
    "R60: a name appears when its file is whole: whoever looks at every moment sees no half of one")
  func wholeOnly() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -q -i - --segment 500ms -l l-%i.wav -r r-%i.w64", input: .held)
    let sound = Array(Workshop.wave.dropFirst(44))
    try program.write(Array(Workshop.wave.prefix(44)))
    var seen: [String: Int] = [:]
    func look() throws {
      for name in try shop.folder.contents() where name.hasSuffix(".wav") && name != "in.wav" {
        let count = try shop.wave(name).count
        if let before = seen[name] { #expect(before == count) }
        seen[name] = count
      }
      // A segment that is at work is seen as such.
      #expect(try shop.folder.contents().filter { $0.hasSuffix(".part") }.count <= 2)
    }
    for part in stride(from: 0, to: sound.count, by: 3_000) {
      try program.write(Array(sound[part..<min(part + 3_000, sound.count)]))
      try look()
    }
    program.closeInput()
    while program.isRunning { try look() }
    #expect(try program.wait().status == .exited(0))
    try look()
    #expect(seen.count == 19)
    for (name, count) in seen where name != "l-0019.wav" { #expect(count == 8_000) }
  }

  @Test("SIGUSR1 ends the files at once, and they have their names though nothing more comes")
  func signal() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -q -i - --segment 1h -l l-%i.wav -r r-%i.flac --stereo 'exec:cat >b.raw'",
      input: .held)
    let half = 44 + 4 * 70_001
    try program.write(Array(Workshop.wave.prefix(half)))
    try waitUntil("all is read") { shop.size("b.raw") == 4 * 70_001 }
    program.signal(SIGUSR1)
    try waitUntil("the files have their names") {
      try Set(shop.folder.contents()).isSuperset(of: ["l-0001.wav", "r-0001.flac"])
    }
    #expect(try shop.wave("l-0001.wav").count == 70_001)
    // Nothing has come since: there is nothing to cut.
    program.signal(SIGUSR1)
    pause(milliseconds: 100)
    try program.write(Array(Workshop.wave.dropFirst(half)))
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
    let left = try ["l-0001.wav", "l-0002.wav"].flatMap { try shop.wave($0) }
    expectSame(left, Workshop.left)
    #expect(try shop.folder.contents().filter { $0.hasSuffix(".flac") }.count == 2)
    expectSame(try shop.raw("b.raw"), Workshop.stereo)
  }

  @Test("without --segment, SIGUSR1 goes on in NAME.2.wav, which overwrites nothing")
  func signalAlone() throws {
    let shop = try Workshop()
    try shop.folder.write("kept", to: "r.2.wav")
    let program = try shop.start(
      "exec splitcap -i - -l l.wav -r r.wav --stereo 'exec:cat >b.raw'", input: .held)
    let half = 44 + 4 * 70_001
    try program.write(Array(Workshop.wave.prefix(half)))
    try waitUntil("all is read") { shop.size("b.raw") == 4 * 70_001 }
    program.signal(SIGUSR1)
    try waitUntil("it is said") { program.errorsSoFar.contains("segment 1 is done") }
    try program.write(Array(Workshop.wave.dropFirst(half)))
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors.contains("l.wav: left, 150001 frames, 300090 bytes in 2 files"))
    expectSame(try ["l.wav", "l.2.wav"].flatMap { try shop.wave($0) }, Workshop.left)
    expectSame(try ["r.wav", "r.3.wav"].flatMap { try shop.wave($0) }, Workshop.right)
    #expect(try shop.text("r.2.wav") == "kept")
    #expect(outcome.errors.contains("l.2.wav, r.3.wav"))
  }
}
