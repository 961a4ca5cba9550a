internal import SplitcapCore

/// Finds out which utterance a line belongs to that a program printed while it listened to an ear.
///
/// A program says nothing about when the words were said; only how much it had read is known. A line is
/// about the last utterance that had ended by then and has none. Where a program makes two lines of
/// one utterance, both are of that.
struct LineMatcher: Sendable {
  /// A line on its way to an utterance.
  struct Line: Sendable {
    var text: String
    /// What the program had read by then, up to this frame.
    var frame: Int
  }

  /// What is known now.
  enum Finding: Sendable, Equatable {
    /// A line belongs to an utterance.
    case line(Utterance, String)
    /// An utterance has no line yet, and others need not wait for it.
    case late(Utterance)
  }

  private let ear: Ear
  /// The frames after which an utterance without a line holds up nothing.
  private let patience: Int
  /// The frames of silence that end an utterance: it is not known earlier that it has ended.
  private let silence: Int
  /// Utterances without a line, and whether they are late.
  private var waiting: [(utterance: Utterance, isLate: Bool)] = []
  /// The last one that has a line.
  private var last: Utterance?
  private var lines: [Line] = []
  /// Where an utterance began that has not ended.
  private var open: Int?

  init(_ ear: Ear, silence: Int, patience: Int) {
    self.ear = ear
    self.silence = silence
    self.patience = patience
  }

  mutating func begin(at frame: Int) { open = frame }

  mutating func end(_ utterance: Utterance) {
    if !utterance.isBleed { open = nil }
    waiting.append((utterance, isLate: false))
  }

  mutating func take(_ line: Line) { lines.append(line) }

  /// Says that speech is known up to `frame`; `.max` at the end.
  mutating func advance(to frame: Int) -> [Finding] {
    var findings: [Finding] = []
    while let line = lines.first, frame - silence >= line.frame {
      guard let utterance = match(line) else { break }
      lines.removeFirst()
      findings.append(.line(utterance, line.text))
    }
    for place in waiting.indices
    where !waiting[place].isLate && frame - patience > waiting[place].utterance.speech.upperBound {
      waiting[place].isLate = true
      findings.append(.late(waiting[place].utterance))
    }
    return findings
  }

  /// The utterance of a line; `nil` if it is one that has not ended yet.
  private mutating func match(_ line: Line) -> Utterance? {
    let ended = waiting.lastIndex { $0.utterance.speech.upperBound <= line.frame }
    let place = ended ?? waiting.firstIndex { $0.utterance.speech.lowerBound < line.frame }
    if let place {
      last = waiting[place].utterance
      // What came before it and has no line will hardly get one; but it may.
      waiting.remove(at: place)
      return last
    }
    if let open, open < line.frame { return nil }
    // Words where nobody was heard to speak: they are not lost for it.
    let here = min(line.frame, last?.speech.upperBound ?? line.frame)
    return last ?? Utterance(ear: ear, speech: here..<here, sound: here..<here)
  }
}
