import Foundation
import Lab
import SplitcapCore
import Testing

@testable import Pipes

@Suite("Pipe writer")
struct PipeWriterTests {
  @Test("without an open file of its own it writes as much as surely fits, and gives up as well")
  func polled() throws {
    let ends = pipeEnds()
    let bytes = Lab.bytes(of: ramp(frames: 60_000))
    let patience = Patience()
    let writer = Background {
      var writer = PipeWriter(
        Descriptor(adopting: ends.writing), .polled(Int(PIPE_BUF)), name: "pipe",
        patience: patience)
      let result = try? unsafe writer.write(bytes.span.bytes)
      patience.shorten()
      do throws(SplitcapError) {
        // Nobody reads this.
        while true { _ = try unsafe writer.write(bytes.span.bytes) }
      } catch {
        return result == .more ? error.message : "not all was taken"
      }
    }
    var got: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 10_000)
    while got.count < bytes.count {
      let room = min(part.count, bytes.count - got.count)
      got += part[..<max(0, unsafe Foundation.read(ends.reading, &part, room))]
    }
    #expect(got == bytes)
    #expect(writer.wait() == "pipe took nothing for 2 s at the end")
    close(ends.reading)
  }
}
