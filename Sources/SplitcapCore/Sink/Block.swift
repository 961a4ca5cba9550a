private import Synchronization

/// Samples of one feed on their way to the sinks that share them; constant once filled.
///
/// The memory goes back to the pool with the last reference.
@safe
final class Block: @unchecked Sendable {
  /// Index on the timeline of the first frame.
  let firstFrame: Int
  /// Frames in the block.
  let frameCount: Int

  private let memory: UnsafeMutableBufferPointer<Int16>
  private let pool: BlockPool

  fileprivate init(firstFrame: Int, frameCount: Int, pool: BlockPool) {
    self.firstFrame = firstFrame
    self.frameCount = frameCount
    self.pool = pool
    unsafe memory = pool.takeMemory(frames: frameCount)
  }

  deinit { unsafe pool.giveBack(memory) }

  /// Lets the one thread that made the block fill it, before any other sees it.
  func fill<Result>(_ body: (inout MutableSpan<Int16>) -> Result) -> Result {
    var room = unsafe memory.extracting(0..<frameCount * pool.channelCount).mutableSpan
    return body(&room)
  }

  /// Shows the samples, interleaved.
  func read<Result, Failure: Error>(
    _ body: (Span<Int16>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let samples = unsafe memory.extracting(0..<frameCount * pool.channelCount)
    return try unsafe body(samples.span)
  }
}

/// Memory for blocks, used over and over, so that a recording takes new memory only while a sink
/// falls behind.
///
/// Any thread; one lock for each block taken and given back.
@safe
final class BlockPool: Sendable {
  /// Samples in a frame of these blocks.
  let channelCount: Int
  /// Frames that a block has room for.
  let blockFrames: Int

  /// Spare blocks that are kept; what a backlog took beyond them goes back to the system.
  private static let spareCount = 8
  private let spares: Mutex<[Memory]> = Mutex([])

  init(channelCount: Int, blockFrames: Int) {
    self.channelCount = channelCount
    self.blockFrames = blockFrames
  }

  deinit {
    spares.withLock { spares in
      for memory in spares { unsafe memory.buffer.deallocate() }
    }
  }

  /// Makes a block whose samples are not yet set.
  func makeBlock(firstFrame: Int, frameCount: Int) -> Block {
    precondition(frameCount <= blockFrames, "a block has room for \(blockFrames) frames")
    return Block(firstFrame: firstFrame, frameCount: frameCount, pool: self)
  }

  /// A block that is far from full gets memory of its own size: many of them may wait for a sink.
  fileprivate func takeMemory(frames: Int) -> UnsafeMutableBufferPointer<Int16> {
    guard frames > blockFrames / 2 else { return .allocate(capacity: frames * channelCount) }
    if let spare = spares.withLock({ $0.popLast() }) { return unsafe spare.buffer }
    return .allocate(capacity: blockFrames * channelCount)
  }

  fileprivate func giveBack(_ buffer: UnsafeMutableBufferPointer<Int16>) {
    let memory = unsafe Memory(buffer: buffer)
    let isKept = spares.withLock { spares in
      let isSpare = buffer.count == blockFrames * channelCount && spares.count < Self.spareCount
      if isSpare { spares.append(memory) }
      return isSpare
    }
    if !isKept { unsafe buffer.deallocate() }
  }

  /// A block's memory while nobody uses it.
  @safe
  private struct Memory: @unchecked Sendable {
    let buffer: UnsafeMutableBufferPointer<Int16>
  }
}
