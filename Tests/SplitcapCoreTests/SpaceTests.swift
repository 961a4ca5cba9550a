import SplitcapCore
import Testing

@Suite("Space on file systems")
struct SpaceTests {
  @Test(
    "blocks that no number of bytes holds are more than enough, not the end of the program",
    arguments: [
      (0, 4096, 0), (25, 4096, 102_400), (.max, 0, 0), (.max, 1, .max), (.max, 4096, .max),
      (1 << 52, 4096, .max), ((1 << 51) - 1, 4096, .max - 4095),
    ] as [(UInt, UInt, Int)])
  func blocks(count: UInt, bytes: UInt, expected: Int) {
    let space = SpaceWatch.Space(fileSystem: 1, freeBlocks: count, blockBytes: bytes)
    #expect(space.freeBytes == expected)
  }
}
