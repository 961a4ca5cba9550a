import Foundation
import SplitcapCore
import Testing

@Suite("Levels")
struct LevelTests {
  private func level(_ samples: [Int16]) -> BlockLevel { BlockLevel(samples.span) }

  @Test("a sample of -32768 is a peak of 0 dBFS and clipped, not an overflow")
  func lowest() {
    let level = level([0, .min, 5])
    #expect(level.peak == 32_768)
    #expect(level.peakDecibels == 0)
    #expect(level.clippedCount == 1)
  }

  @Test("silence is minus infinity, and so is nothing at all")
  func silence() {
    #expect(level([0, 0]).peakDecibels == -.infinity)
    #expect(level([0, 0]).meanDecibels == -.infinity)
    #expect(level([]).meanDecibels == -.infinity)
    #expect(level([0, 0]).isZero)
  }

  @Test("a sine of half the range has a mean of its amplitude less 3.01 dB")
  func sine() {
    let samples = (0..<16_000).map { Int16(16_384 * sin(2 * .pi * 100 * Double($0) / 16_000)) }
    let level = level(samples)
    #expect(abs(level.meanDecibels - (20 * log10(0.5) - 20 * log10(2.0.squareRoot()))) < 0.01)
    #expect(abs(level.peakDecibels - 20 * log10(0.5)) < 0.01)
    #expect(level.clippedCount == 0)
  }

  @Test("adding levels of parts gives the level of the whole, however it is cut")
  func adds() {
    var generator = SystemRandomNumberGenerator()
    let samples = (0..<999).map { _ in Int16.random(in: .min ... .max, using: &generator) }
    var sum = BlockLevel()
    for part in [0..<1, 1..<500, 500..<500, 500..<999] {
      sum.add(BlockLevel(samples.span.extracting(part)))
    }
    #expect(sum == level(samples))
  }
}

@Suite("EarWatch")
struct EarWatchTests {
  private let second = 1_000

  private func look(
    _ watch: inout EarWatch, left: Int16, right: Int16, frames: Int
  ) -> EarWatch.Finding? {
    let (left, right) = (
      [Int16](repeating: left, count: frames), [Int16](repeating: right, count: frames)
    )
    return watch.look(
      left: left.span, BlockLevel(left.span), right: right.span, BlockLevel(right.span))
  }

  @Test("an ear of zeros is reported after 3 s, once")
  func deadEar() {
    var watch = EarWatch(sampleRate: second)
    #expect(look(&watch, left: 5, right: 0, frames: 2 * second) == nil)
    #expect(look(&watch, left: 5, right: 0, frames: second) == .deadEar(.right))
    #expect(look(&watch, left: 5, right: 0, frames: 9 * second) == nil)
  }

  @Test("a moment of silence is no dead ear")
  func pause() {
    var watch = EarWatch(sampleRate: second)
    for _ in 0..<10 {
      #expect(look(&watch, left: 0, right: 7, frames: 2 * second) == nil)
      #expect(look(&watch, left: 1, right: 7, frames: 1) == nil)
    }
  }

  @Test("two silent ears are one finding")
  func deadEars() {
    var watch = EarWatch(sampleRate: second)
    #expect(look(&watch, left: 0, right: 1, frames: second / 2) == nil)
    #expect(look(&watch, left: 0, right: 0, frames: 3 * second) == .deadEars)
    #expect(look(&watch, left: 0, right: 0, frames: 3 * second) == nil)
  }

  @Test("equal ears are reported after 3 s, silent ones are not called equal")
  func identical() {
    var watch = EarWatch(sampleRate: second)
    #expect(look(&watch, left: 3, right: 3, frames: 3 * second) == .identicalEars)
    #expect(look(&watch, left: 3, right: 3, frames: 3 * second) == nil)
    var other = EarWatch(sampleRate: second)
    #expect(look(&other, left: 3, right: 3, frames: 2 * second) == nil)
    #expect(look(&other, left: 3, right: 4, frames: 1) == nil)
    #expect(look(&other, left: 3, right: 3, frames: 2 * second) == nil)
  }
}
