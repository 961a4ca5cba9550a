import Lab
import SplitcapCore
import Testing
import Transcripts

@Suite("Bleed of one ear's talker into the other ear")
struct BleedTests {
  private static let anna = MadeVoice(pitch: 210, seed: 1)
  private static let ben = MadeVoice(pitch: 115, seed: 2)

  /// Both ears, where each hears a bit of the other one's talker, later by some frames.
  private static func ears(
    _ decibels: Double, delay: Int, seconds: Double = 12,
    anna: [(at: Double, seconds: Double, level: Double)],
    ben: [(at: Double, seconds: Double, level: Double)]
  ) -> (left: [Int16], right: [Int16]) {
    var left = Scene(seconds: seconds, noise: 4, seed: 11)
    var right = Scene(seconds: seconds, noise: 4, seed: 12)
    let late = Double(delay) / 16_000
    for (at, seconds, level) in anna {
      let voice = Self.anna.samples(seconds: seconds, rate: 16_000)
      left.add(voice, at: at, decibels: level)
      right.add(voice, at: at + late, decibels: level + decibels)
    }
    for (at, seconds, level) in ben {
      let voice = Self.ben.samples(seconds: seconds, rate: 16_000)
      right.add(voice, at: at, decibels: level)
      left.add(voice, at: at + late, decibels: level + decibels)
    }
    return (left.frames, right.frames)
  }

  @Test(
    "it is told apart at every level and delay",
    arguments: zip([-10.0, -15, -20, -25], [0, 320, 5, 48]))
  func alone(decibels: Double, delay: Int) {
    let (left, right) = Self.ears(
      decibels, delay: delay, seconds: 7, anna: [(1.5, 1.5, 0)], ben: [(4, 2, 0)])
    let found = utterances(left, right)
    let own = found.filter { !$0.isBleed }
    #expect(own.count == 2, "\(found)")
    #expect(own.first?.isSpeech(.left, 1.5, 3) == true, "\(found)")
    #expect(own.last?.isSpeech(.right, 4, 6) == true, "\(found)")
    // What is far below speech need not be heard at all.
    if decibels >= -15 {
      #expect(found.contains { $0.isBleed && $0.ear == .right }, "\(found)")
      #expect(found.contains { $0.isBleed && $0.ear == .left }, "\(found)")
    }
  }

  /// Where one covers the other, the edge between them is known to a quarter of a second only.
  @Test("when both talk at once, neither vanishes, whoever is louder", arguments: [-10.0, 0])
  func both(level: Double) {
    let (left, right) = Self.ears(
      -15, delay: 20, seconds: 8, anna: [(2, 3, level / 2)], ben: [(3, 3, -level / 2)])
    let own = utterances(left, right).filter { !$0.isBleed }
    let all = utterances(left, right)
    #expect(own.contains { $0.ear == .left && $0.isSpeech(.left, 2, 5, within: 0.25) }, "\(all)")
    #expect(own.contains { $0.ear == .right && $0.isSpeech(.right, 3, 6, within: 0.25) }, "\(all)")
  }

  @Test(
    "it does not stretch an utterance that it begins in the silence of, or the pre-roll",
    arguments: [-10.0, -20])
  func stretch(decibels: Double) {
    // Ben answers while Anna's silence is still heard; Anna goes on at once when he is done.
    let (left, right) = Self.ears(
      decibels, delay: 16, seconds: 9, anna: [(2, 1.5, 0), (5.3, 1.5, 0)], ben: [(3.7, 1.5, 0)])
    let found = utterances(left, right)
    let own = found.filter { !$0.isBleed && $0.ear == .left }
    #expect(own.count == 2, "\(found)")
    #expect(own.first?.isSpeech(.left, 2, 3.5) == true, "\(found)")
    #expect(own.last?.isSpeech(.left, 5.3, 6.8) == true, "\(found)")
    let ben = found.filter { !$0.isBleed && $0.ear == .right }
    #expect(ben.count == 1 && ben[0].isSpeech(.right, 3.7, 5.2), "\(found)")
  }

  @Test("two ears that are one are no bleed")
  func same() {
    let (left, _) = Self.ears(
      -90, delay: 0, seconds: 5, anna: [(2, 1.5, 0)], ben: [])
    let found = utterances(left, left)
    #expect(found.count == 2 && found.allSatisfy { !$0.isBleed }, "\(found)")
  }
}
