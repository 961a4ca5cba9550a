import Foundation
import Lab
import Testing

@Suite("Segments on a bad day")
struct SegmentFaultTests {
  @Test("kill -9: the segments before have their names, the one at work is valid as NAME.part")
  func killed() throws {
    let shop = try Workshop()
    let program = try shop.start(
      "exec splitcap -q -i - --segment 3s -l l-%i.wav -r r-%i.wav", input: .held)
    try program.write(Workshop.wave)
    try waitUntil("all is written") {
      shop.size("l-0004.wav.part") == 44 + 2 * 6_001
        && shop.size("r-0004.wav.part") == 44 + 2 * 6_001
    }
    program.signal(SIGKILL)
    #expect(try program.wait().status == .killed(SIGKILL))
    for (ear, wanted) in [("l", Workshop.left), ("r", Workshop.right)] {
      var got = try (1...3).flatMap { try shop.wave("\(ear)-000\($0).wav") }
      #expect(got.count == 144_000)
      // Its header may be older than what it holds, by less than a second.
      let part = try Reader.python.read(
        shop.folder("\(ear)-0004.wav.part"), copy: shop.folder("copy.wav"))
      got += part.samples
      expectSame(got, Array(wanted.prefix(got.count)))
    }
  }

  @Test(
    "a full disk in the middle of a segment ends that ear, valid as NAME.part; the other goes on")
  func full() throws {
    let shop = try Workshop()
    // No file may be larger than 80 000 bytes: the third of the larger files is.
    let outcome = try shop.run(
      "ulimit -f 78; exec splitcap -i in.wav --segment 2s -l l-%i.wav --stereo b-%i.wav",
      expecting: 1)
    #expect(outcome.errors.contains("error: cannot write 'b-0001.wav.part': File too large"))
    expectSame(try (1...5).flatMap { try shop.wave("l-000\($0).wav") }, Workshop.left)
    #expect(try shop.folder.contents().filter { $0.hasPrefix("b-") } == ["b-0001.wav.part"])
    let both = try shop.wave("b-0001.wav.part")
    #expect(both.count > 0 && both.count < 64_000)
    expectSame(both, Array(Workshop.stereo.prefix(both.count)))
    #expect(outcome.errors.contains("b-%i.wav: stereo, failed after \(both.count / 2) frames"))
  }

  @Test("a folder that is removed ends the sink whose next file goes there, and no other")
  func removed() throws {
    let shop = try Workshop()
    _ = try shop.folder.makeFolder("gone")
    let program = try shop.start(
      "exec splitcap -i - --segment 3s -l gone/l-%i.wav -r r-%i.wav --stereo 'exec:cat >b.raw'",
      input: .held)
    let half = 44 + 4 * 60_000
    try program.write(Array(Workshop.wave.prefix(half)))
    try waitUntil("all is read") { shop.size("b.raw") == 4 * 60_000 }
    try FileManager.default.removeItem(atPath: shop.folder("gone"))
    try program.write(Array(Workshop.wave.dropFirst(half)))
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("'gone/l-0002.wav"), "\(outcome.errors)")
    expectSame(try (1...4).flatMap { try shop.wave("r-000\($0).wav") }, Workshop.right)
    #expect(try !shop.folder.contents().contains("gone"))
  }

  @Test("a device is cut on the same frame of both ears, at the end of Ctrl-C as well")
  func live() throws {
    let studio = try Studio(VirtualHeadset("headset"))
    let program = try studio.start(
      "-D", "headset", "--segment", "500ms", "-l", "l-%i.wav", "-r", "r-%i.wav", "--on-segment",
      "echo {index} {left} {right} >>log")
    try waitUntil("three segments are done") {
      try Set(studio.folder.contents()).isSuperset(of: ["l-0003.wav", "r-0003.wav"])
    }
    program.signal(SIGUSR1)
    try waitUntil("so are others") { try studio.folder.contents().contains("r-0006.wav") }
    let outcome = try program.end()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let names = try studio.folder.contents()
    #expect(!names.contains { $0.hasSuffix(".part") })
    let left = try names.filter { $0.hasPrefix("l-") }.map { try studio.wave($0).samples }
    let right = try names.filter { $0.hasPrefix("r-") }.map { try studio.wave($0).samples }
    #expect(left.map(\.count) == right.map(\.count))
    #expect(left.prefix(3).map(\.count) == [8_000, 8_000, 8_000])
    // After the cut in between, the next ones are on the multiples again.
    var frame = 0
    let ends = left.map { part -> Int in
      frame += part.count
      return frame
    }
    #expect(ends.dropLast().filter { $0 % 8_000 != 0 }.count <= 1)
    try Ramp.check(left: left.flatMap(\.self), right: right.flatMap(\.self))
    let log = try studio.folder.text(of: "log").split(separator: "\n").map(String.init)
    #expect(log.count == left.count && log[0] == "1 l-0001.wav r-0001.wav")
    #expect(outcome.errors.contains("l-%i.wav: left, \(frame) frames"))
  }

  @Test("a name without a field, a wrong field and a cut of what is no file are refused")
  func refusals() throws {
    let shop = try Workshop()
    let start = "splitcap -i in.wav --segment 1s "
    try shop.expectRefusal(
      2, "each segment of 'l.wav' would overwrite", hint: "l-%i.wav", of: start + "-l l.wav")
    try shop.expectRefusal(
      2, "each segment of 'l%%.wav' would overwrite", hint: "%F", of: start + "-l l%%.wav")
    try shop.expectRefusal(
      2, "'%Q' in 'l%Q.wav' is no field", hint: "%i", of: start + "-l l%Q.wav")
    try shop.expectRefusal(2, "'%' in 'l%' is no field", hint: "%%", of: start + "-l l%")
    try shop.expectRefusal(
      2, "'%99i' in 'l%99i.wav' is no field", hint: "%i", of: start + "-l l%99i.wav")
    try shop.expectRefusal(
      2, "are the same file", hint: "name a file", of: start + "-l %F.wav -r ./%Y-%m-%d.wav")
    try shop.expectRefusal(
      2, "no folder 'none' for 'none/%F/l.wav'", hint: "mkdir -p none",
      of: start + "-l none/%F/l.wav")
    try shop.expectRefusal(
      2, "no extension", hint: "l-%i.wav", of: start + "-l l-%i")
    try shop.expectRefusal(
      2, "--segment cuts files, and no output is one", hint: "l-%i.wav", of: start + "-l /dev/null")
    try shop.expectRefusal(
      2, "--max-file-size cuts files", hint: "name a file",
      of: "splitcap -i in.wav --max-file-size 1M -l exec:cat")
    // What looks the same need not be: minutes and months, upper and lower case.
    try shop.run("\(start) -q -l %M.wav -r %m.wav", expecting: 0)
    // Without --segment a percent sign is one.
    try shop.run("splitcap -q -i in.wav -l %i.wav", expecting: 0)
    expectSame(try shop.wave("%i.wav"), Workshop.left)
  }
}
