import SplitcapCore
import Testing

@Suite("Comparing two ears")
struct EarComparisonTests {
  /// Compares in blocks of every length that matters, and expects the same of each.
  private func compare(
    _ left: [Int16], _ right: [Int16], silenceFrames: Int = 3,
    claims: [EarComparison.Claim] = [], _ check: (EarComparison) -> Void
  ) {
    for block in [1, 2, 3, 7, left.count] {
      var comparison = EarComparison(silenceFrames: silenceFrames, claims: claims)
      for start in stride(from: 0, to: left.count, by: block) {
        let part = start..<min(start + block, left.count)
        comparison.add(left: left.span.extracting(part), right: right.span.extracting(part))
      }
      comparison.finish()
      check(comparison)
    }
  }

  @Test("zeros count where both ears have them, at the start, inside and at the end")
  func silences() {
    let left: [Int16] = [0, 0, 0, 1, 0, 0, 0, 0, 5, 0, 0, 1, 0, 0, 0]
    let right: [Int16] = [0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0]
    compare(left, right) {
      #expect($0.silences.first == [0..<3, 5..<8, 12..<15])
      #expect($0.silences.count == 3 && $0.silences.frames == 9)
      #expect($0.deadEars.isEmpty && !$0.isIdentical && $0.frames == 15)
    }
  }

  @Test("what is listed is bounded, what is counted is not")
  func bounded() {
    let sound: [Int16] = Array(repeating: [0, 0, 0, 1], count: 1500).flatMap { $0 }
    compare(sound, sound) {
      #expect($0.silences.first.count == EarComparison.listLimit)
      #expect($0.silences.count == 1500 && $0.silences.frames == 4500)
      #expect($0.isIdentical)
    }
  }

  @Test("a gap that was told of is there, is not silent in one ear, or is behind the end")
  func claims() {
    let left: [Int16] = [1, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    let right: [Int16] = [1, 0, 0, 0, 1, 0, 2, 1, 0, 0]
    let claims = [
      EarComparison.Claim(8..<12, cause: "c"), .init(1..<4, cause: "a"), .init(4..<7, cause: "b"),
    ]
    compare(left, right, claims: claims) {
      #expect($0.claims.map(\.cause) == ["a", "b", "c"])
      #expect($0.claims.map(\.isTrue) == [true, false, false])
      #expect($0.claims.map(\.soundFrames) == [0, 2, 0])
      #expect($0.claims.map(\.frames) == [3, 3, 2])
    }
  }

  @Test("an ear of zeros is dead, and nothing at all is not")
  func deadEars() {
    compare([0, 0, 0], [1, 2, 3]) { #expect($0.deadEars == [.left]) }
    compare([1, 2, 3], [0, 0, 0]) { #expect($0.deadEars == [.right]) }
    compare([0, 0, 0], [0, 0, 0]) { #expect($0.deadEars == [.left, .right]) }
    #expect(EarComparison(silenceFrames: 1).deadEars.isEmpty)
  }
}
