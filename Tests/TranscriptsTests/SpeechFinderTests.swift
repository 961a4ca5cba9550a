import Foundation
import Lab
import SplitcapCore
import Testing
import Transcripts

@Suite("Finding speech on an ear")
struct SpeechFinderTests {
  private static let rates = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000]

  @Test("an utterance has its first and last sound, at every rate", arguments: rates)
  func times(rate: Int) {
    let voice = MadeVoice()
    var scene = Scene(seconds: 5.5, rate: rate)
    scene.add(voice.samples(seconds: 1, rate: rate), at: 1)
    scene.add(voice.samples(seconds: 1.5, rate: rate), at: 3)
    let found = utterances(scene.frames, rate: rate)
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.isSpeech(.left, 1, 2, rate: rate) == true, "\(found)")
    #expect(found.last?.isSpeech(.left, 3, 4.5, rate: rate) == true, "\(found)")
  }

  @Test("its sound has the pre-roll and the silence, and no sound is in two of them")
  func sound() {
    let voice = MadeVoice()
    var scene = Scene(seconds: 8)
    scene.add(voice.samples(seconds: 1, rate: 16_000), at: 1.5)
    scene.add(voice.samples(seconds: 1, rate: 16_000), at: 3.2)
    var rules = SpeechRules()
    rules.preRoll = .milliseconds(500)
    let found = utterances(scene.frames, rules: rules)
    #expect(found.count == 2, "\(found)")
    for utterance in found {
      #expect(utterance.sound.upperBound - utterance.speech.upperBound == 9_600)
    }
    #expect(found[0].speech.lowerBound - found[0].sound.lowerBound == 8_000)
    #expect(found[1].sound.lowerBound == found[0].sound.upperBound)
  }

  @Test(
    "the size of the pieces that it comes in changes nothing",
    arguments: [159, 4_096, 200_000])
  func pieces(piece: Int) {
    var scene = Scene(seconds: 6)
    scene.add(MadeVoice().samples(seconds: 2, rate: 16_000), at: 1.2)
    let sound = scene.frames
    #expect(changes(sound, piece: piece) == changes(sound, piece: 1_000))
  }

  @Test("it begins before it is told, and sound that is said to be needed no more never is")
  func needed() {
    var scene = Scene(seconds: 14)
    for second in stride(from: 1.0, to: 12, by: 2.6) {
      scene.add(MadeVoice().samples(seconds: 1.1, rate: 16_000), at: second)
    }
    let sound = scene.frames
    var finder = SpeechFinder(sampleRate: 16_000, ears: [.left], rules: SpeechRules())
    var open: Int?
    var needed = 0
    var count = 0
    for start in stride(from: 0, to: sound.count, by: 160) {
      let part = sound.span.extracting(start..<min(start + 160, sound.count))
      for change in finder.take(left: part, right: part) {
        switch change {
        case .began(_, _, let frame):
          #expect(open == nil && frame >= needed)
          open = frame
        case .ended(let utterance):
          count += 1
          #expect(
            utterance.sound.lowerBound >= open ?? .max && utterance.sound.lowerBound >= needed)
          // Told as soon as the silence has been heard; later only while the noise is learnt.
          #expect(start - utterance.sound.upperBound <= (start < 48_000 ? 32_000 : 800))
          open = nil
        }
      }
      #expect(finder.neededFrom >= needed)
      needed = finder.neededFrom
    }
    #expect(count == 5)
  }

  @Test("what is not speech is none: noise, a fan, a hum, a click, a tap, zeros, a constant")
  func nothing() {
    var hum = Scene(seconds: 8)
    hum.add((0..<128_000).map { 3_000 * sin(Double($0) * 2 * .pi * 300 / 16_000) }, at: 0)
    var clicks = Scene(seconds: 8)
    for second in stride(from: 1.5, to: 7, by: 0.9) {
      clicks.add((0..<320).map { 12_000 * exp(-Double($0) / 60) * cos(Double($0)) }, at: second)
    }
    let zeros = [Int16](repeating: 0, count: 128_000)
    let cases = [
      ("noise", Scene(seconds: 8, noise: 800).frames), ("hum", hum.frames),
      ("clicks", clicks.frames), ("zeros", zeros), ("constant", zeros.map { _ in 1_000 }),
      ("little", [5, -5, 7]), ("none", []),
    ]
    for (name, sound) in cases {
      let found = utterances(sound)
      #expect(found.isEmpty, "\(name): \(found)")
    }
  }

  @Test("speech at the very start of a file is heard, in noise, too", arguments: [2.0, 100])
  func atOnce(noise: Double) {
    var scene = Scene(seconds: 4, noise: noise)
    scene.add(MadeVoice().samples(seconds: 2, rate: 16_000), at: 0)
    let found = utterances(scene.frames)
    #expect(found.count == 1 && found[0].isSpeech(.left, 0, 2), "\(found)")
  }

  @Test("digital silence before and between does not make the room's noise speech")
  func gated() {
    // A file laid on zeros: its own room is heard from 2 s to 7 s only.
    var room = Scene(seconds: 5, noise: 40)
    room.add(MadeVoice().samples(seconds: 2, rate: 16_000), at: 1.5)
    let zeros = [Int16](repeating: 0, count: 32_000)
    let found = utterances(zeros + room.frames + zeros)
    #expect(found.count == 1 && found[0].isSpeech(.left, 3.5, 5.5), "\(found)")
  }

  @Test("a long speech does not become noise; it is cut where it is quietest, without a frame lost")
  func monologue() {
    var voice = MadeVoice().samples(seconds: 20, rate: 16_000)
    // A breath, too short to end it.
    for i in 7 * 16_000..<7 * 16_000 + 5_600 { voice[i] = 0 }
    var scene = Scene(seconds: 24)
    scene.add(voice, at: 2)
    var rules = SpeechRules()
    rules.longest = .seconds(9)
    let found = utterances(scene.frames, rules: rules)
    #expect(found.count > 2, "\(found)")
    #expect(
      zip(found, found.dropFirst()).allSatisfy {
        $0.speech.upperBound + 4_000 >= $1.speech.lowerBound
      }, "\(found)")
    let cut = found.first?.speech.upperBound ?? 0
    #expect((9 * 16_000 - 1_600...9 * 16_000 + 5_600).contains(cut), "\(found)")
    #expect(found.last.map { abs($0.speech.upperBound - 22 * 16_000) < 1_600 } == true, "\(found)")
  }

  @Test("a noise that starts is speech for a few seconds at most, and speech in it is found again")
  func fan() {
    var scene = Scene(seconds: 13)
    scene.add(Scene(seconds: 13, noise: 300, seed: 3).frames.map(Double.init), at: 3)
    scene.add(MadeVoice().samples(seconds: 2, rate: 16_000), at: 10)
    let found = utterances(scene.frames)
    #expect(found.last?.isSpeech(.left, 10, 12) == true, "\(found)")
    #expect(found.dropLast().allSatisfy { $0.speech.upperBound < 7 * 16_000 }, "\(found)")
  }

  @Test("a pause ends an utterance if it is longer than the rule says", arguments: [200, 800])
  func silence(milliseconds: Int) {
    var scene = Scene(seconds: 6)
    scene.add(MadeVoice().samples(seconds: 1, rate: 16_000), at: 1)
    scene.add(MadeVoice().samples(seconds: 1, rate: 16_000), at: 2.5)
    var rules = SpeechRules()
    rules.silence = .milliseconds(milliseconds)
    #expect(utterances(scene.frames, rules: rules).count == (milliseconds < 500 ? 2 : 1))
  }
}
