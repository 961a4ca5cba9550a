import SplitcapCore
import Testing

@testable import Transcripts

@Suite("Which utterance a line is about")
struct LineMatcherTests {
  private static func utterance(_ range: Range<Int>) -> Utterance {
    Utterance(ear: .left, speech: range, sound: range)
  }

  private let first = utterance(1_000..<2_000)
  private let second = utterance(5_000..<6_000)

  private func matcher() -> LineMatcher { LineMatcher(.left, silence: 500, patience: 3_000) }

  @Test("the last one that had ended when the program had read so far")
  func ended() {
    var matcher = matcher()
    matcher.begin(at: 900)
    matcher.end(first)
    matcher.take(LineMatcher.Line(text: "one", frame: 2_400))
    #expect(matcher.advance(to: 2_500) == [])
    #expect(matcher.advance(to: 2_900) == [.line(first, "one")])
    matcher.begin(at: 4_900)
    matcher.end(second)
    matcher.take(LineMatcher.Line(text: "two", frame: 6_800))
    #expect(matcher.advance(to: 7_300) == [.line(second, "two")])
  }

  @Test("one without words is passed, and its line is not the next one's")
  func wordless() {
    var matcher = matcher()
    matcher.end(first)
    matcher.end(second)
    matcher.take(LineMatcher.Line(text: "two", frame: 6_500))
    #expect(matcher.advance(to: 7_000) == [.line(second, "two"), .late(first)])
  }

  @Test("a line in the middle of an utterance waits for its end")
  func middle() {
    var matcher = matcher()
    matcher.begin(at: 900)
    matcher.take(LineMatcher.Line(text: "early", frame: 1_500))
    #expect(matcher.advance(to: 2_400) == [])
    matcher.end(first)
    #expect(matcher.advance(to: 2_600) == [.line(first, "early")])
  }

  @Test("two lines are both of the one utterance, and words without one are kept")
  func more() {
    var matcher = matcher()
    matcher.take(LineMatcher.Line(text: "ghost", frame: 300))
    #expect(matcher.advance(to: 900) == [.line(Self.utterance(300..<300), "ghost")])
    matcher.end(first)
    matcher.take(LineMatcher.Line(text: "one", frame: 2_100))
    matcher.take(LineMatcher.Line(text: "more", frame: 2_200))
    #expect(matcher.advance(to: .max) == [.line(first, "one"), .line(first, "more")])
  }
}

@Suite("The order of a transcript")
struct TranscriptOrderTests {
  private static func utterance(_ ear: Ear, _ range: Range<Int>) -> Utterance {
    Utterance(ear: ear, speech: range, sound: range)
  }

  @Test("an entry waits for all that began before it, whoever is done first")
  func order() {
    var order = TranscriptOrder()
    let long = Self.utterance(.left, 0..<9_000)
    let short = Self.utterance(.right, 500..<900)
    order.begin(.left, isBleed: false, at: 0)
    order.begin(.right, isBleed: false, at: 400)
    order.end(short)
    order.settle(TranscriptEntry(short, text: "yes"))
    #expect(order.takeReady().isEmpty)
    order.end(long)
    #expect(order.takeReady().isEmpty)
    order.settle(TranscriptEntry(long, text: "a long story"))
    #expect(order.takeReady().map(\.text) == ["a long story", "yes"])
    #expect(order.takeReady().isEmpty)
  }

  @Test("one that is passed holds up nothing, and its words still come")
  func passed() {
    var order = TranscriptOrder()
    let first = Self.utterance(.left, 0..<100)
    let second = Self.utterance(.right, 200..<300)
    order.end(first)
    order.end(second)
    order.settle(TranscriptEntry(second, text: "two"))
    order.pass(first)
    #expect(order.takeReady().map(\.text) == ["two"])
    order.settle(TranscriptEntry(first, text: "one, late"))
    #expect(order.takeReady().map(\.text) == ["one, late"])
  }
}
