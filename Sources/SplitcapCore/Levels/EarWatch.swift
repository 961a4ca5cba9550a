/// Watches for ears that can't be right: one that is dead, or two that are one.
///
/// Each is reported once, after ``limitSeconds`` in a row, since a moment of silence means nothing.
public struct EarWatch: Sendable {
  /// What can't be right.
  public enum Finding: Sendable, Equatable {
    /// An ear has been exact zeros all this time.
    case deadEar(Ear)
    /// Both ears have been exact zeros all this time.
    case deadEars
    /// Both ears have been the same, sample for sample, and not silent.
    case identicalEars
  }

  /// Seconds that something must last before it is reported.
  public static let limitSeconds = 3

  private let limitFrames: Int
  private var zeroFrames: [Int] = [0, 0]
  private var identicalFrames = 0
  private var hasReportedDeath = false
  private var hasReportedIdentity = false

  /// Starts to watch ears of `sampleRate` frames per second.
  ///
  /// With `expectsCopies` nothing is wrong with ears that are alike: they are known to be copies.
  package init(sampleRate: Int, expectsCopies: Bool = false) {
    limitFrames = sampleRate * Self.limitSeconds
    hasReportedIdentity = expectsCopies
  }

  /// Looks at the next frames of both ears.
  ///
  /// - Returns: What has just become certain.
  /// - Complexity: O(1) unless the ears are alike, then O(*n*).
  package mutating func look(
    left: Span<Int16>, _ leftLevel: BlockLevel, right: Span<Int16>, _ rightLevel: BlockLevel
  ) -> Finding? {
    zeroFrames[0] = leftLevel.isZero ? zeroFrames[0] + left.count : 0
    zeroFrames[1] = rightLevel.isZero ? zeroFrames[1] + right.count : 0
    if !hasReportedIdentity {
      let isAlike = !leftLevel.isZero && Self.areIdentical(left, right)
      identicalFrames = isAlike ? identicalFrames + left.count : 0
      if identicalFrames >= limitFrames {
        hasReportedIdentity = true
        return .identicalEars
      }
    }
    guard !hasReportedDeath, let longest = zeroFrames.max(), longest >= limitFrames else {
      return nil
    }
    // An ear that fell silent a moment after the other is as dead as that one.
    let isOther = zeroFrames.allSatisfy { $0 * 2 >= longest }
    if isOther && zeroFrames.contains(where: { $0 < limitFrames }) { return nil }
    hasReportedDeath = true
    return isOther ? .deadEars : .deadEar(zeroFrames[0] == longest ? .left : .right)
  }

  private static func areIdentical(_ left: Span<Int16>, _ right: Span<Int16>) -> Bool {
    for i in left.indices where left[i] != right[i] { return false }
    return true
  }
}
