/// Cuts interleaved frames into blocks for the sinks of each feed.
struct EarCutter: Sendable {
  private let channelCount: Int
  private let ears: ChannelPair
  private let earPool: BlockPool
  private let stereoPool: BlockPool?

  /// Prepares to cut at most `blockFrames` frames at a time.
  init(channelCount: Int, ears: ChannelPair, blockFrames: Int, makesStereo: Bool) {
    self.channelCount = channelCount
    self.ears = ears
    earPool = BlockPool(channelCount: 1, blockFrames: blockFrames)
    stereoPool = makesStereo ? BlockPool(channelCount: 2, blockFrames: blockFrames) : nil
  }

  func blocks(of frames: Span<Int16>, firstFrame: Int) -> EarBlocks {
    let count = frames.count / channelCount
    let left = earPool.makeBlock(firstFrame: firstFrame, frameCount: count)
    let right = earPool.makeBlock(firstFrame: firstFrame, frameCount: count)
    left.fill { left in
      right.fill { right in
        Splitter.split(
          frames, channelCount: channelCount, ears: ears, left: &left, right: &right)
      }
    }
    let stereo = stereoPool.map { pool in
      let stereo = pool.makeBlock(firstFrame: firstFrame, frameCount: count)
      left.read { left in
        right.read { right in
          stereo.fill { Splitter.interleave(left: left, right: right, into: &$0) }
        }
      }
      return stereo
    }
    return EarBlocks(left: left, right: right, stereo: stereo)
  }
}

/// The same stretch of the timeline as each feed has it.
struct EarBlocks {
  let left: Block
  let right: Block
  /// Made only where a sink wants it.
  let stereo: Block?

  func block(for feed: Feed) -> Block {
    switch feed {
    case .left: left
    case .right: right
    case .stereo: stereo!
    }
  }

  /// Shows both ears in pieces short enough to stay in the nearest cache, and in time: 4096 frames.
  func forEachPiece(_ body: (_ left: Span<Int16>, _ right: Span<Int16>) -> Void) {
    left.read { left in
      right.read { right in
        for start in stride(from: 0, to: left.count, by: 4096) {
          let piece = start..<min(start + 4096, left.count)
          body(left.extracting(piece), right.extracting(piece))
        }
      }
    }
  }
}
