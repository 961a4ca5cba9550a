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
}
