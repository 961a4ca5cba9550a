package import SplitcapCore
private import Synchronization

/// Who says what and when: what is known of it so far, and what is told in its order.
///
/// The sink that listens for speech, the threads of recognisers and those that read what programs print
/// all bring what they know, on their own threads. Observers are called on any of them, one at a time.
package final class Transcript: Sendable {
  /// What turns speech into text.
  package enum Recognition: Sendable {
    /// Nothing: who speaks and when is all that is wanted.
    case none
    /// A command for each utterance, so many at a time.
    case utterances(RecognizerRules, jobs: Int)
    /// Programs that listen to a whole ear each, and print a line for an utterance.
    case lines
  }

  /// What there is to tell.
  package enum Event: Sendable {
    /// The next entry, in the order in which they began.
    case entry(TranscriptEntry)
    /// A recogniser failed on an utterance; told at once, and again with its entry.
    case failed(Utterance, SplitcapError)
  }

  /// Frames of sound that an utterance waits for the line of a program before others pass it, in seconds.
  private static let linePatience: Duration = .seconds(5)

  private struct State {
    var order = TranscriptOrder()
    var matchers: [Ear: LineMatcher] = [:]
    var counts = TranscriptCounts()
  }

  private let recognition: Recognition
  private let keepsBleed: Bool
  private let format: StreamFormat
  private let rules: SpeechRules
  private let observer: @Sendable (Event) -> Void
  private let state = Mutex(State())
  private let pool: Mutex<RecognizerPool?> = Mutex(nil)

  /// Begins a transcript.
  ///
  /// - Parameters:
  ///   - recognition: What turns speech into text.
  ///   - rules: When an utterance is over.
  ///   - keepsBleed: Whether bleed is recognised, too.
  ///   - format: Of the recording.
  ///   - observer: Hears what there is to tell; must not block.
  package init(
    _ recognition: Recognition, rules: SpeechRules, keepsBleed: Bool, format: StreamFormat,
    observer: @escaping @Sendable (Event) -> Void
  ) {
    self.recognition = recognition
    self.rules = rules
    self.keepsBleed = keepsBleed
    self.format = format
    self.observer = observer
    if case .lines = recognition {
      state.withLock { state in
        for ear in [Ear.left, .right] {
          state.matchers[ear] = LineMatcher(
            ear, silence: format.frames(in: rules.silence),
            patience: format.frames(in: Self.linePatience))
        }
      }
    }
  }

  /// How much was said so far.
  package var counts: TranscriptCounts { state.withLock { $0.counts } }

  /// Utterances that no recogniser has got yet.
  package var waitingCount: Int { pool.withLock { $0?.waitingCount ?? 0 } }
}

// What the sink brings that listens.
extension Transcript {
  /// Someone has begun to speak.
  func begin(_ ear: Ear, isBleed: Bool, at frame: Int) {
    state.withLock { state in
      state.order.begin(ear, isBleed: isBleed, at: frame)
      if !isBleed { state.matchers[ear]?.begin(at: frame) }
    }
  }

  /// Someone has finished; what was said is asked of a recogniser, if that is wanted.
  ///
  /// - Parameters:
  ///   - utterance: Whose it was, and when.
  ///   - waits: Whether to wait while recognisers have enough to do.
  ///   - sound: Its samples, and when the first of them was captured.
  func end(
    _ utterance: Utterance, waits: Bool, sound: () -> UtteranceSound
  ) {
    let isAsked = keepsBleed || !utterance.isBleed
    state.withLock { state in
      state.counts.count(utterance)
      state.order.end(utterance)
      switch recognition {
      case .lines: state.matchers[utterance.ear]?.end(utterance)
      case .utterances where isAsked: break
      case .utterances, .none:
        state.order.settle(TranscriptEntry(utterance))
        tell(&state)
      }
    }
    if case .utterances(let rules, let jobs) = recognition, isAsked {
      recognizers(rules, jobs).submit(sound(), waiting: waits)
    }
  }

  /// All speech up to `frame` is known.
  func advance(to frame: Int) {
    state.withLock { state in
      for ear in [Ear.left, .right] {
        for finding in state.matchers[ear]?.advance(to: frame) ?? [] {
          switch finding {
          case .line(let utterance, let text):
            if utterance.isBleed && !keepsBleed {
              state.order.pass(utterance)
            } else {
              state.order.settle(TranscriptEntry(utterance, text: text))
            }
          case .late(let utterance): state.order.pass(utterance)
          }
        }
      }
      tell(&state)
    }
  }

  private func recognizers(_ rules: RecognizerRules, _ jobs: Int) -> RecognizerPool {
    pool.withLock { pool in
      if let pool { return pool }
      let new = RecognizerPool(rules, jobs: jobs) { [weak self] utterance, result in
        self?.settle(utterance, result)
      }
      pool = new
      return new
    }
  }

  private func settle(_ utterance: Utterance, _ result: Result<String, SplitcapError>) {
    state.withLock { state in
      switch result {
      case .success(let text):
        if text.isEmpty { state.counts.wordless += 1 }
        state.order.settle(TranscriptEntry(utterance, text: text))
      case .failure(let error):
        state.counts.failed += 1
        observer(.failed(utterance, error))
        state.order.settle(TranscriptEntry(utterance, error: error))
      }
      tell(&state)
    }
  }

  /// Tells what is ready, in order, which is why the lock is held for it.
  private func tell(_ state: inout State) {
    for entry in state.order.takeReady() { observer(.entry(entry)) }
  }
}

// What others bring.
extension Transcript {
  /// A program that listens to an ear has printed a line, after it had read its sound up to `frame`.
  package func line(_ text: String, of ear: Ear, at frame: Int) {
    state.withLock { $0.matchers[ear]?.take(LineMatcher.Line(text: text, frame: frame)) }
  }

  /// Waits until recognisers have done what they have got, or `patience` is over.
  func finishRecognition(_ patience: Patience) { pool.withLock { $0 }?.finish(patience) }

  /// Tells all that is left; to be called once all sinks have ended.
  package func close() { advance(to: .max) }
}
