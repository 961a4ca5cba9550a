package import SplitcapCore

/// Listens for speech on both ears, or on the only one, and enters it in a transcript.
///
/// It holds no more sound than the utterances that are under way, at most ``SpeechRules/longest`` of
/// each ear.
struct SpeechSink: ~Copyable, Sink {
  private let transcript: Transcript
  private let context: SinkContext
  private let names: SpeakerNames
  private let waits: Bool
  private var finder: SpeechFinder
  private var left = SoundHistory()
  private var right = SoundHistory()
  private let isOver: @Sendable () throws(SplitcapError) -> Bool

  init(
    _ transcript: Transcript, rules: SpeechRules, names: SpeakerNames, waits: Bool,
    isOver: @escaping @Sendable () throws(SplitcapError) -> Bool, _ context: SinkContext
  ) {
    self.transcript = transcript
    self.context = context
    self.names = names
    self.waits = waits
    self.isOver = isOver
    finder = SpeechFinder(
      sampleRate: context.format.sampleRate,
      ears: context.feed == .stereo ? [.left, .right] : [.left], rules: rules)
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    if try isOver() { return .closed }
    fill(upTo: firstFrame)
    listen(to: samples)
    return .more
  }

  /// Puts silence where frames were left out, so that all that follows keeps its time.
  private mutating func fill(upTo frame: Int) {
    while left.endFrame < frame {
      let count = min(frame - left.endFrame, 4096)
      let zeros = [Int16](repeating: 0, count: count * context.format.channelCount)
      listen(to: zeros.span)
    }
  }

  private mutating func listen(to samples: Span<Int16>) {
    let changes: [SpeechChange]
    if context.feed == .stereo {
      let count = samples.count / 2
      var leftEar = [Int16](repeating: 0, count: count)
      var rightEar = leftEar
      var toLeft = leftEar.mutableSpan
      var toRight = rightEar.mutableSpan
      Splitter.split(
        samples, channelCount: 2, ears: ChannelPair(left: 0, right: 1), left: &toLeft,
        right: &toRight)
      left.append(leftEar.span)
      right.append(rightEar.span)
      changes = finder.take(left: leftEar.span, right: rightEar.span)
    } else {
      left.append(samples)
      changes = finder.take(left: samples, right: samples)
    }
    enter(changes)
    left.forget(before: finder.neededFrom)
    right.forget(before: finder.neededFrom)
    transcript.advance(to: left.endFrame)
  }

  private func enter(_ changes: [SpeechChange]) {
    for change in changes {
      switch change {
      case .began(let ear, let isBleed, let frame):
        transcript.begin(ear, isBleed: isBleed, at: frame)
      case .ended(let utterance):
        transcript.end(utterance, waits: waits) { sound(of: utterance) }
      }
    }
  }

  private func sound(of utterance: Utterance) -> UtteranceSound {
    let history = utterance.ear == .left ? left : right
    let format = StreamFormat(sampleRate: context.format.sampleRate, channelCount: 1)
    return UtteranceSound(
      utterance: utterance, samples: history.samples(of: utterance.sound),
      sampleRate: format.sampleRate,
      startNanoseconds: context.startNanoseconds
        + format.nanoseconds(frames: utterance.sound.lowerBound - context.firstFrame),
      speaker: names[utterance.ear])
  }

  mutating func finish() throws(SplitcapError) -> SinkReport {
    enter(finder.finish())
    transcript.finishRecognition(context.patience)
    return SinkReport(bytes: 0)
  }
}

/// What the two speakers are called.
package struct SpeakerNames: Sendable, Equatable {
  /// Whose ear is the left one.
  package var left: String
  /// Whose ear is the right one.
  package var right: String

  /// Names the speakers.
  package init(left: String, right: String) {
    self.left = left
    self.right = right
  }

  /// Whose ear that is.
  package subscript(ear: Ear) -> String { ear == .left ? left : right }
}

extension SinkRequest {
  /// Listens for speech, and enters it in `transcript`.
  ///
  /// - Parameters:
  ///   - feed: Both ears, or the left one where there is one speaker.
  ///   - transcript: What it is entered in.
  ///   - name: What the sink is called in messages.
  ///   - rules: When an utterance is over.
  ///   - names: What the speakers are called.
  ///   - waits: Whether to wait for recognisers that are late, as a file may.
  ///   - isOver: Whether nobody reads the transcript any more; throws if it can't be written.
  /// - Returns: The request.
  package static func speech(
    _ feed: Feed, in transcript: Transcript, name: String, rules: SpeechRules, names: SpeakerNames,
    waits: Bool, isOver: @escaping @Sendable () throws(SplitcapError) -> Bool
  ) -> SinkRequest {
    SinkRequest(feed: feed, name: name) { context throws(SplitcapError) in
      SpeechSink(
        transcript, rules: rules, names: names, waits: waits, isOver: isOver, context)
    }
  }
}
