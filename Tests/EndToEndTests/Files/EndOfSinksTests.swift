import Foundation
import Lab
import Testing

@Suite("Outputs that end early")
struct EndOfSinksTests {
  @Test("P27: the reader of one ear leaves: a normal end of it, and the other ear is whole")
  func oneReaderLeaves() throws {
    let shop = try Workshop()
    try shop.folder.makeFIFO("l")
    for sink in [
      "-l - -r r.wav | head -c 100 >part", "-l l -r r.wav & head -c 100 l >part; wait $!",
    ] {
      let script = "set -o pipefail; splitcap -v -i in.wav \(sink)"
      let outcome = try shop.run(script, expecting: 0)
      #expect(outcome.errors.contains("the reader of '"), "\(outcome.errors)")
      #expect(outcome.errors.contains("its reader left at"))
      #expect(!outcome.errors.contains("error"))
      #expect(try shop.folder.bytes(of: "part") == bytes(of: Workshop.left.prefix(50)))
      expectSame(try shop.wave("r.wav"), Workshop.right, sink)
    }
  }

  @Test("all readers leave: the recording ends by itself, with status 0")
  func allReadersLeave() throws {
    let shop = try Workshop()
    for name in ["l", "r"] { try shop.folder.makeFIFO(name) }
    // The input has no end; only the readers can end this.
    let outcome = try shop.run(
      """
      head -c 1000 l >/dev/null & head -c 2000 r >/dev/null &
      splitcap -i /dev/zero --input-rate 8000 -l l -r r -l 'exec:head -c 10 >/dev/null'
      """, expecting: 0)
    #expect(!outcome.errors.contains("error"))
  }

  @Test("W25: one output is full: said once, status 1, and the other is whole")
  func oneIsFull() throws {
    let shop = try Workshop()
    for (option, name) in [
      ("-l /dev/full", "device '/dev/full'"), ("-l full.wav", "device 'full.wav'"),
    ] {
      let outcome = try shop.run(
        "ln -sf /dev/full full.wav; splitcap -i in.wav \(option) -r r.wav", expecting: 1)
      #expect(
        outcome.errors.components(separatedBy: "No space left on device").count == 2,
        "\(outcome.errors)")
      #expect(outcome.errors.contains("error: cannot write to \(name)"))
      expectSame(try shop.wave("r.wav"), Workshop.right, option)
    }
  }

  @Test("W25: a file that may not grow is valid up to there", arguments: ["wav", "flac", "raw"])
  func limit(name: String) throws {
    let shop = try Workshop()
    // The limit holds for all files of the process: the right ear goes where none is.
    let outcome = try shop.run(
      "(ulimit -f 20; exec splitcap -i in.wav -l l.\(name) -r - 2> >(cat >&2)) | cat >r.raw; "
        + "exit ${PIPESTATUS[0]}")
    #expect(outcome.errors.components(separatedBy: "File too large").count == 2)
    #expect(outcome.errors.contains("ulimit -f"))
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    expectSame(try shop.raw("r.raw"), Workshop.right)
    #expect(try shop.folder.bytes(of: "l.\(name)").count <= 20_480)
    let part =
      switch name {
      case "wav": try shop.wave("l.wav")
      case "raw": try shop.raw("l.raw")
      default:
        try Reader.ffmpeg.read(shop.folder("l.flac"), copy: shop.folder("copy.wav")).samples
      }
    #expect(part.count > 9_000)
    expectSame(part, Array(Workshop.left.prefix(part.count)))
  }

  @Test("all outputs fail: the recording ends at once, with status 5")
  func allFail() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -i /dev/zero --input-rate 8000 -l /dev/full -r /dev/full -r 'exec:exit 9'",
      expecting: 5)
    #expect(outcome.errors.components(separatedBy: "splitcap: error: ").count == 4)
    try shop.run("splitcap -i /dev/zero --input-rate 8000 --stereo - >/dev/full", expecting: 5)
  }

  @Test("all end, one by its reader and one by a failure: status 1, since sound was lost")
  func mixed() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -i /dev/zero --input-rate 8000 -l /dev/full -r 'exec:head -c 10 >/dev/null'",
      expecting: 1)
  }

  @Test("a file that is renamed meanwhile is written on; one that is removed has failed; status 1")
  func renamed() throws {
    let shop = try Workshop()
    let program = try shop.start("exec splitcap -q -i - -l l.wav -r r.wav", input: .held)
    try program.write(Array(Workshop.wave.prefix(40_044)))
    try waitUntil("both are there") {
      try Set(shop.folder.contents()).isSuperset(of: ["l.wav", "r.wav"])
    }
    try shop.run("mv l.wav moved.wav; rm r.wav")
    try program.write(Array(Workshop.wave.dropFirst(40_044)))
    program.closeInput()
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1), "\(outcome.errors)")
    #expect(outcome.errors.contains("cannot go on with 'r.wav': it has been deleted"))
    #expect(try shop.folder.contents() == ["in.wav", "moved.wav"])
    expectSame(try shop.wave("moved.wav"), Workshop.left)
  }
}
