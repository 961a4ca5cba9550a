import SplitcapCore
import Testing

@Suite("FrameRing")
struct FrameRingTests {
  @Test("gives back what was written, in order, across its end")
  func wrapsAround() throws {
    var ring = FrameRing(minimumFrames: 5, channelCount: 3)  // rounds up to 8 frames
    var writer = ring.takeWriter()
    var reader = ring.takeReader()
    var written = 0
    var read = 0
    for _ in 0..<100 {
      written += try writer.put(frames: 3, channelCount: 3, from: written)
      while case .frames(let count) = reader.take(limit: 2, { $0.expectRamp(from: 3 * read) }) {
        read += count
      }
    }
    #expect(read == written)
    #expect(read > 200)
  }

  @Test("offers no more than is free, and says how much that is")
  func fillsUp() throws {
    var ring = FrameRing(minimumFrames: 4, channelCount: 2)
    var writer = ring.takeWriter()
    var reader = ring.takeReader()
    #expect(try writer.put(frames: 3, channelCount: 2, from: 0) == 3)
    #expect(writer.freeFrames() == 1)
    #expect(try writer.put(frames: 3, channelCount: 2, from: 3) == 1)
    #expect(try writer.put(frames: 3, channelCount: 2, from: 4) == 0)
    #expect(reader.take(limit: 2, { _ in }) == .frames(2))
    #expect(writer.freeFrames() == 2)
  }

  @Test("keeps gaps between the frames they stood between")
  func keepsGaps() throws {
    var ring = FrameRing(minimumFrames: 16, channelCount: 1)
    var writer = ring.takeWriter()
    var reader = ring.takeReader()
    let first = Gap(frames: 7, cause: .overrun)
    let second = Gap(frames: 9, cause: .serverHole)
    _ = try writer.put(frames: 5, channelCount: 1, from: 0)
    #expect(writer.append(first) == true)
    #expect(writer.append(second) == true)
    _ = try writer.put(frames: 4, channelCount: 1, from: 5)
    writer.close()
    #expect(reader.take(limit: 16, { $0.expectRamp(from: 0) }) == .frames(5))
    #expect(reader.take(limit: 16, { _ in }) == .gap(first))
    #expect(reader.take(limit: 16, { _ in }) == .gap(second))
    #expect(reader.take(limit: 16, { $0.expectRamp(from: 5) }) == .frames(4))
    #expect(reader.take(limit: 16, { _ in }) == .end)
  }

  @Test("refuses a gap when too many wait, and takes it once one has left")
  func boundsGaps() {
    var ring = FrameRing(minimumFrames: 4, channelCount: 1)
    var writer = ring.takeWriter()
    var reader = ring.takeReader()
    let gap = Gap(frames: 1, cause: .stall)
    for _ in 0..<FrameRing.gapCapacity { #expect(writer.append(gap) == true) }
    #expect(writer.append(gap) == false)
    #expect(reader.take(limit: 1, { _ in }) == .gap(gap))
    #expect(writer.append(gap) == true)
  }

  @Test("loses nothing and reorders nothing between two threads")
  func twoThreads() throws {
    let total = 300_000
    let gapEvery = 1_000
    var ring = FrameRing(minimumFrames: 256, channelCount: 2)
    var reader = ring.takeReader()
    let producer = try WorkerThread("producer", ring.takeWriter()) { writer in
      var writer = writer
      for start in stride(from: 0, to: total, by: gapEvery) {
        while !writer.append(Gap(frames: start + 1, cause: .stall)) {}
        var sent = start
        while sent < start + gapEvery {
          let limit = min(60, start + gapEvery - sent)
          sent += (try? writer.put(frames: limit, channelCount: 2, from: sent)) ?? 0
        }
      }
      writer.close()
    }
    var got = 0
    var misplacedGaps = 0
    var gaps = 0
    reading: while true {
      switch reader.take(limit: 100, { $0.expectRamp(from: 2 * got) }) {
      case .frames(let count): got += count
      case .gap(let gap):
        gaps += 1
        if gap.frames != got + 1 { misplacedGaps += 1 }
      case .nothing: continue
      case .end: break reading
      }
    }
    producer.join()
    #expect(got == total)
    #expect(gaps == total / gapEvery)
    #expect(misplacedGaps == 0)
  }
}

extension FrameRing.Writer {
  /// Puts in frames whose samples count on from `frame * channelCount`.
  fileprivate mutating func put(frames: Int, channelCount: Int, from frame: Int) throws -> Int {
    let count = try withFreeSpace(limit: frames) { piece in
      for i in piece.indices {
        piece[i] = Int16(truncatingIfNeeded: frame * channelCount + i)
      }
      return piece.count / channelCount
    }
    commit(frames: count)
    return count
  }
}

extension Span<Int16> {
  /// Expects samples that count on from `start`.
  fileprivate func expectRamp(from start: Int) {
    var wrong = 0
    for i in indices where self[i] != Int16(truncatingIfNeeded: start + i) { wrong += 1 }
    #expect(wrong == 0)
  }
}
