import SplitcapCore
import Testing

@Suite("Splitter")
struct SplitterTests {
  @Test(
    "keeps the two chosen channels bit for bit", arguments: [0, 1, 7, 1023],
    [
      (channels: 2, left: 0, right: 1), (channels: 2, left: 1, right: 0),
      (channels: 1, left: 0, right: 0), (channels: 4, left: 2, right: 3),
      (channels: 32, left: 31, right: 0),
    ])
  func splits(frames: Int, layout: (channels: Int, left: Int, right: Int)) {
    let input = (0..<layout.channels * frames).map { Int16(truncatingIfNeeded: $0 &* 31) }
    var left = [Int16](repeating: 0, count: frames)
    var right = left
    var leftRoom = left.mutableSpan
    var rightRoom = right.mutableSpan
    Splitter.split(
      input.span, channelCount: layout.channels,
      ears: ChannelPair(left: layout.left, right: layout.right),
      left: &leftRoom, right: &rightRoom)
    #expect(left == (0..<frames).map { input[$0 * layout.channels + layout.left] })
    #expect(right == (0..<frames).map { input[$0 * layout.channels + layout.right] })
  }

  @Test("puts together what it took apart")
  func interleaves() {
    let left: [Int16] = [1, 2, .max]
    let right: [Int16] = [-1, -2, .min]
    var both = [Int16](repeating: 0, count: 6)
    var room = both.mutableSpan
    Splitter.interleave(left: left.span, right: right.span, into: &room)
    #expect(both == [1, -1, 2, -2, .max, .min])
  }
}
