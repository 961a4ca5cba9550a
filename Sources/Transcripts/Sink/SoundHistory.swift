/// The latest samples of an ear, from which utterances are taken once they have ended.
struct SoundHistory: Sendable {
  /// The timeline's frame of the first sample that is kept.
  private var firstFrame = 0
  private var samples: [Int16] = []

  init() {}

  /// The frame behind the last one.
  var endFrame: Int { firstFrame + samples.count }

  mutating func append(_ next: Span<Int16>) {
    unsafe next.withUnsafeBufferPointer { unsafe samples.append(contentsOf: $0) }
  }

  /// Lets go of what lies before `frame`.
  mutating func forget(before frame: Int) {
    let count = min(max(0, frame - firstFrame), samples.count)
    // Seldom, since what is left has to be moved.
    guard count > samples.count / 2 else { return }
    samples.removeFirst(count)
    firstFrame += count
  }

  /// The samples of `frames`, as far as they are kept.
  func samples(of frames: Range<Int>) -> [Int16] {
    let kept = frames.clamped(to: firstFrame..<endFrame)
    return Array(samples[kept.lowerBound - firstFrame..<kept.upperBound - firstFrame])
  }
}
