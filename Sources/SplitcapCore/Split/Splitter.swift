/// Takes interleaved frames apart.
///
/// Pure arithmetic: no state, no input or output.
package enum Splitter {
  /// Copies two channels of `frames` to `left` and `right`.
  ///
  /// - Parameters:
  ///   - frames: Interleaved samples of whole frames.
  ///   - channelCount: Samples in a frame.
  ///   - ears: The channels to copy; may be one and the same.
  ///   - left: Room for a sample of each frame.
  ///   - right: Room for a sample of each frame.
  /// - Complexity: O(*n*) in the frames. Allocates nothing.
  package static func split(
    _ frames: Span<Int16>, channelCount: Int, ears: ChannelPair,
    left: inout MutableSpan<Int16>, right: inout MutableSpan<Int16>
  ) {
    let count = frames.count / channelCount
    precondition(left.count >= count && right.count >= count, "no room for \(count) frames")
    precondition(ears.left >= 0 && ears.left < channelCount, "no channel \(ears.left)")
    precondition(ears.right >= 0 && ears.right < channelCount, "no channel \(ears.right)")
    // Checked once above instead of for each sample, which keeps the loops in vector registers.
    unsafe frames.withUnsafeBufferPointer { frames in
      unsafe left.withUnsafeMutableBufferPointer { left in
        unsafe right.withUnsafeMutableBufferPointer { right in
          guard let from = frames.baseAddress, let toLeft = left.baseAddress,
            let toRight = right.baseAddress
          else { return }
          if channelCount == 2 && ears == ChannelPair(left: 0, right: 1) {
            unsafe splitPairs(from, count, toLeft, toRight)
          } else {
            unsafe pick(ears.left, of: channelCount, from, count, toLeft)
            unsafe pick(ears.right, of: channelCount, from, count, toRight)
          }
        }
      }
    }
  }

  /// Interleaves two ears again: the inverse of a split.
  ///
  /// - Complexity: O(*n*) in the frames. Allocates nothing.
  package static func interleave(
    left: Span<Int16>, right: Span<Int16>, into frames: inout MutableSpan<Int16>
  ) {
    let count = left.count
    precondition(right.count == count && frames.count >= 2 * count, "no room for \(count) frames")
    for i in 0..<count {
      frames[2 * i] = left[i]
      frames[2 * i + 1] = right[i]
    }
  }

  private static func splitPairs(
    _ frames: UnsafePointer<Int16>, _ count: Int,
    _ left: UnsafeMutablePointer<Int16>, _ right: UnsafeMutablePointer<Int16>
  ) {
    for i in 0..<count {
      unsafe left[i] = frames[2 * i]
      unsafe right[i] = frames[2 * i + 1]
    }
  }

  private static func pick(
    _ channel: Int, of channelCount: Int, _ frames: UnsafePointer<Int16>, _ count: Int,
    _ ear: UnsafeMutablePointer<Int16>
  ) {
    for i in 0..<count { unsafe ear[i] = frames[channelCount * i + channel] }
  }
}
