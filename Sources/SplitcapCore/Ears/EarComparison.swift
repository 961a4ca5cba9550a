/// Compares two ears of one recording, block by block, in memory that does not grow with them.
package struct EarComparison: Sendable {
  /// Frames of exact zeros in both ears.
  package struct Silences: Sendable, Equatable {
    /// The first of them, in their order; see ``EarComparison/listLimit``.
    package var first: [Range<Int>] = []
    /// How many there are.
    package var count = 0
    /// Their frames in all.
    package var frames = 0
  }

  /// A gap that the recording told of, and what stands in its place.
  package struct Claim: Sendable, Equatable {
    /// The frames of the gap.
    package let range: Range<Int>
    /// What lost the frames, in the recording's word.
    package let cause: String
    /// Frames of it that both ears have.
    package fileprivate(set) var frames = 0
    /// Frames of it that are not silence in both ears.
    package fileprivate(set) var soundFrames = 0

    /// Makes a claim that is yet to be looked at.
    package init(_ range: Range<Int>, cause: String) {
      self.range = range
      self.cause = cause
    }

    /// Whether both ears are silent all through the gap.
    package var isTrue: Bool { frames == range.count && soundFrames == 0 }
  }

  /// Silences that are kept one by one; the rest is counted.
  package static let listLimit = 1_000

  /// Stretches of zeros in both ears that last at least as long as asked for.
  package private(set) var silences = Silences()
  /// The gaps that were told of, in their order on the timeline.
  package private(set) var claims: [Claim]
  /// Frames that were compared.
  package private(set) var frames = 0
  /// Levels of the two ears.
  package private(set) var levels: (left: BlockLevel, right: BlockLevel) = (.init(), .init())
  /// Whether every sample of both ears is the same.
  package private(set) var isIdentical = true

  private let silenceFrames: Int
  /// Where the zeros began that have not ended yet.
  private var silenceStart: Int?
  /// The first of ``claims`` that is not behind us.
  private var nextClaim = 0

  /// Starts a comparison.
  ///
  /// - Parameters:
  ///   - silenceFrames: How long zeros must last in both ears to be counted.
  ///   - claims: Gaps that were told of.
  package init(silenceFrames: Int, claims: [Claim] = []) {
    self.silenceFrames = max(1, silenceFrames)
    self.claims = claims.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Compares the next frames; both must have the same number.
  ///
  /// - Complexity: O(*n*) in frames, for each gap that was told of there.
  package mutating func add(left: Span<Int16>, right: Span<Int16>) {
    precondition(left.count == right.count, "ears of one length are compared")
    levels.left.add(BlockLevel(left))
    levels.right.add(BlockLevel(right))
    for i in left.indices {
      if left[i] | right[i] == 0 {
        if silenceStart == nil { silenceStart = frames + i }
      } else {
        if silenceStart != nil { endSilence(at: frames + i) }
        if left[i] != right[i] { isIdentical = false }
      }
    }
    checkClaims(left, right)
    frames += left.count
  }

  /// Ends the comparison, since one of the ears is at its end.
  package mutating func finish() { endSilence(at: frames) }

  /// Whether an ear is nothing but zeros; no if there was nothing to hear.
  package var deadEars: [Ear] {
    guard frames > 0 else { return [] }
    return (levels.left.isZero ? [.left] : []) + (levels.right.isZero ? [.right] : [])
  }

  private mutating func endSilence(at end: Int) {
    guard let start = silenceStart else { return }
    silenceStart = nil
    guard end - start >= silenceFrames else { return }
    silences.count += 1
    silences.frames += end - start
    if silences.first.count < Self.listLimit { silences.first.append(start..<end) }
  }

  private mutating func checkClaims(_ left: Span<Int16>, _ right: Span<Int16>) {
    let block = frames..<frames + left.count
    while nextClaim < claims.count, claims[nextClaim].range.upperBound <= block.lowerBound {
      nextClaim += 1
    }
    for index in nextClaim..<claims.count {
      guard claims[index].range.lowerBound < block.upperBound else { break }
      let part = claims[index].range.clamped(to: block)
      claims[index].frames += part.count
      for frame in part where left[frame - frames] | right[frame - frames] != 0 {
        claims[index].soundFrames += 1
      }
    }
  }
}
