import Foundation
import Lab
import Testing

@Suite("Limits of the system")
struct LimitTests {
  @Test("no thread to record on is one line and a hint, status 3, and nothing is made")
  func noThreads() throws {
    let shop = try Workshop()
    // A thread's stack is as large as the main one may be: here, larger than there are addresses.
    try shop.expectRefusal(
      3, "cannot start another thread", hint: "ulimit -u",
      of: "ulimit -S -s 200000000000; splitcap -i in.wav -l l.wav -r r.wav")
  }

  @Test("a file that took all its sound is whole, even where there is no descriptor left to ask")
  func noDescriptors() throws {
    let shop = try Workshop()
    // 0 to 2, the input and the output.
    for name in ["l.wav", "l.raw", "l.au"] {
      let outcome = try shop.run("ulimit -n 5; splitcap -i in.wav -l \(name)", expecting: 0)
      #expect(!outcome.errors.contains("error"))
    }
    expectSame(try shop.wave("l.wav"), Workshop.left)
    expectSame(try shop.raw("l.raw"), Workshop.left)
  }

  @Test("W25: of a file that may not grow further, every frame that is there is counted")
  func fileSize() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "ulimit -f 100; splitcap -i in.wav -l l.wav -r r.raw", expecting: 5)
    let frames = (102_400 - 44) / 2
    #expect(outcome.errors.contains("l.wav: left, failed after \(frames) frames, 102400 bytes\n"))
    #expect(outcome.errors.contains("r.raw: right, failed after 51200 frames, 102400 bytes\n"))
    expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(frames)))
    expectSame(try shop.raw("r.raw"), Array(Workshop.right.prefix(51_200)))
  }
}
