import Foundation
import Lab
import SplitcapCore
import Testing

@Suite("FIFOs and devices")
struct PipeTests {
  @Test("two FIFOs may be opened in either order, before or after the start")
  func order() throws {
    for script in [
      "splitcap -q -i in.wav -l l.fifo -r r.fifo & cat l.fifo >l.raw & cat r.fifo >r.raw",
      "splitcap -q -i in.wav -l l.fifo -r r.fifo & cat r.fifo >r.raw & sleep 0.2; cat l.fifo >l.raw",
      "cat r.fifo >r.raw & cat l.fifo >l.raw & sleep 0.2; splitcap -q -i in.wav -l l.fifo -r r.fifo",
    ] {
      let shop = try Workshop()
      for name in ["l.fifo", "r.fifo"] { try shop.folder.makeFIFO(name) }
      try shop.run("\(script); wait", expecting: 0)
      expectSame(try shop.raw("l.raw"), Workshop.left, script)
      expectSame(try shop.raw("r.raw"), Workshop.right, script)
    }
  }

  @Test("one that is read one ear after the other gets both, since a file waits")
  func oneAfterTheOther() throws {
    let shop = try Workshop()
    for name in ["l", "r"] { try shop.folder.makeFIFO(name) }
    let script = "splitcap -q -i in.wav -l l -r r & cat l >l.raw; cat r >r.raw; wait $!"
    try shop.run(script, expecting: 0)
    expectSame(try shop.raw("l.raw"), Workshop.left)
    expectSame(try shop.raw("r.raw"), Workshop.right)
  }

  @Test("W13, W14: an extension decides: .wav is a streaming WAV, and nothing follows the sound")
  func extensions() throws {
    let shop = try Workshop()
    for name in ["l.wav", "r.WAV", "l.raw", "l.flac"] { try shop.folder.makeFIFO(name) }
    try shop.run(
      """
      for name in l.wav r.WAV l.raw l.flac; do cat $name >copy-$name & done
      splitcap -q -i in.wav -l l.wav -r r.WAV -l l.raw -l l.flac; status=$?; wait; exit $status
      """, expecting: 0)
    expectSame(try shop.wave("copy-l.wav", streaming: true), Workshop.left)
    expectSame(try shop.wave("copy-r.WAV", streaming: true), Workshop.right)
    expectSame(try shop.raw("copy-l.raw"), Workshop.left)
    let flac = try Reader.ffmpeg.read(shop.folder("copy-l.flac"), copy: shop.folder("copy.wav"))
    expectSame(flac.samples, Workshop.left)
    for name in ["l.wav", "r.WAV", "l.raw", "l.flac"] {
      let type = try FileManager.default.attributesOfItem(atPath: shop.folder(name))[.type]
      #expect(type as? FileAttributeType == .typeUnknown, "\(name) is still a FIFO")
    }
  }

  @Test("--pipe-format wav is for the FIFOs that have no extension of their own")
  func pipeFormat() throws {
    let shop = try Workshop()
    for name in ["plain", "l.raw"] { try shop.folder.makeFIFO(name) }
    try shop.run(
      """
      cat plain >1 & cat l.raw >2 &
      splitcap -q -i in.wav --pipe-format wav -l plain -l l.raw; status=$?; wait; exit $status
      """, expecting: 0)
    expectSame(try shop.wave("1", streaming: true), Workshop.left)
    expectSame(try shop.raw("2"), Workshop.left)
  }

  @Test("the shell's >(PROGRAM) is a descriptor, which its program sees closed at the end")
  func processSubstitution() throws {
    let shop = try Workshop()
    // Without exec, bash itself would keep them open.
    try shop.run(
      "exec splitcap -q -i in.wav -l >(cat >l.raw; : >l.done) -r >(cat >r.raw; : >r.done)",
      expecting: 0)
    try waitUntil("both have seen the end") {
      try Set(shop.folder.contents()).isSuperset(of: ["l.done", "r.done"])
    }
    expectSame(try shop.raw("l.raw"), Workshop.left)
    expectSame(try shop.raw("r.raw"), Workshop.right)
  }

  @Test("/dev/null takes both ears at once, and a link to it is the same")
  func null() throws {
    let shop = try Workshop()
    try shop.run("ln -s /dev/null null.wav")
    let outcome = try shop.run(
      "splitcap -i in.wav -l /dev/null -r /dev/null --stereo null.wav", expecting: 0)
    #expect(outcome.errors.contains("/dev/null: left, \(Workshop.frames) frames, 300002 bytes"))
    #expect(outcome.errors.contains("null.wav: stereo, \(Workshop.frames) frames, 600048 bytes"))
  }

  @Test("a FIFO that nobody reads does not hold up the end of a recording that is stopped")
  func noReader() throws {
    let shop = try Workshop()
    for name in ["l", "r"] { try shop.folder.makeFIFO(name) }
    let program = try shop.start("exec splitcap -i - -l l -r l.wav", input: .held)
    try program.write(Workshop.wave)
    try waitUntil("frames flow") { shop.size("l.wav") > 44 }
    program.signal(SIGINT)
    let outcome = try program.wait()
    #expect(outcome.status == .exited(1) && outcome.errors.contains("nobody reads FIFO 'l'"))
    let part = try shop.wave("l.wav")
    #expect(part.count > 0)
    expectSame(part, Array(Workshop.right.prefix(part.count)))
  }

  @Test("containers that must seek can't go down a FIFO, and are refused by name")
  func seekers() throws {
    let shop = try Workshop()
    for name in ["l.caf", "l.w64", "l.rf64", "l.aiff", "l.mp3"] {
      try shop.folder.makeFIFO(name)
      try shop.expectRefusal(
        2, "'\(name)' is a FIFO", hint: "exec:ffmpeg", of: "splitcap -i in.wav -l \(name)")
    }
  }
}
