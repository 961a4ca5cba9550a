import Testing
import Transcripts

@Suite("When an utterance is over")
struct SpeechRulesTests {
  @Test(
    "a pre-roll is shorter than the silence between two utterances, so their sounds share no frame")
  func apart() {
    let rules = SpeechRules()
    #expect(rules.preRoll < rules.silence)
  }
}
