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
}
