package import SplitcapCore

/// A source at another rate than its own.
///
/// Its timeline never slips: wherever the inner source stands at frame *n* when a gap begins or
/// ends, or at its own end, this one stands at *n* · rate / inner rate, rounded to the nearest.
package struct ResampledSource: ~Copyable, CaptureSource {
  /// What the inner source is, with the rate that this one delivers.
  package let info: SourceInfo

  /// What is on its way through the resampler, and what waits before it.
  package var pendingFrames: Int {
    resampler.outputFrames(forInput: innerFrames + Self.pendingFrames(of: inner)) - frames
  }

  /// What the inner source has to say at its end.
  package var closingNotes: [String] { Self.notes(of: inner) }

  /// What the source behind it warns of.
  package mutating func takeWarnings() -> [String] { Self.warnings(of: &inner) }

  private var inner: any CaptureSource & ~Copyable
  private var resampler: Resampler
  private let channelCount: Int

  /// Frames from the inner source, of which `waiting` are not resampled yet.
  private var block: [Int16]
  private var waiting = 0..<0

  /// Frames that the inner source gave and lost so far, at its rate.
  private var innerFrames = 0
  /// Frames that this source gave and lost so far, at its own.
  private var frames = 0
  private var state = State.running

  private enum State {
    case running
    /// The resampler is being emptied; then comes the gap, or the end if there is none.
    case draining(until: Gap?)
    case ended
  }

  /// Resamples `inner` to `rate` hertz; the note about it ends with `reason`, if there is one.
  ///
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat` if libsoxr refuses these rates.
  package init(
    _ inner: consuming any CaptureSource & ~Copyable, to rate: Int, because reason: String? = nil
  ) throws(SplitcapError) {
    var info = inner.info
    let own = info.format.sampleRate
    channelCount = info.format.channelCount
    let resampler = try Resampler(channelCount: channelCount, from: own, to: rate)
    info.format = StreamFormat(sampleRate: rate, channelCount: channelCount)
    let delay = try resampler.measuredDelay()
    info.latencyFrames = resampler.outputFrames(forInput: info.latencyFrames) + delay
    info.delayFrames = resampler.outputFrames(forInput: info.delayFrames) + delay
    info.notes.append("resampled \(own) to \(rate)" + (reason.map { ": \($0)" } ?? ""))
    self.info = info
    self.resampler = resampler
    self.inner = inner
    // Fifty milliseconds: a live source returns sooner anyway, a file in few calls.
    block = [Int16](repeating: 0, count: max(own / 20, 1) * channelCount)
  }

  /// Reads at the new rate; see ``CaptureSource/read(into:)``.
  ///
  /// A gap allocates, since the resampler starts anew after it.
  package mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    while true {
      switch state {
      case .running:
        if waiting.isEmpty {
          guard try fill() else { return .nothing }
        } else {
          let count = resample(into: &buffer)
          if count > 0 { return .frames(count) }
        }
      case .draining(let gap):
        let count = drain(into: &buffer, atEnd: gap == nil)
        if count > 0 { return .frames(count) }
        if let gap = try leave(for: gap) { return .gap(gap) }
      case .ended:
        return .end
      }
    }
  }

  /// Reads from the inner source; false if nothing came.
  private mutating func fill() throws(SplitcapError) -> Bool {
    switch try Self.read(from: &inner, into: &block) {
    case .frames(let count):
      waiting = 0..<count
      innerFrames += count
    case .gap(let gap): state = .draining(until: gap)
    case .nothing: return false
    case .end: state = .draining(until: nil)
    }
    return true
  }

  // The five functions below take apart what a use of a stored value would lock as a whole.

  private static func pendingFrames(of source: borrowing any CaptureSource & ~Copyable) -> Int {
    source.pendingFrames
  }

  private static func warnings(of source: inout any CaptureSource & ~Copyable) -> [String] {
    source.takeWarnings()
  }

  private static func notes(of source: borrowing any CaptureSource & ~Copyable) -> [String] {
    source.closingNotes
  }

  private static func read(
    from source: inout any CaptureSource & ~Copyable, into block: inout [Int16]
  ) throws(SplitcapError) -> ReadResult {
    var room = block.mutableSpan
    return try source.read(into: &room)
  }

  private static func resample(
    _ samples: ArraySlice<Int16>, with resampler: inout Resampler,
    into buffer: inout MutableSpan<Int16>
  ) -> (consumed: Int, produced: Int) {
    resampler.process(samples.span, into: &buffer)
  }

  private mutating func resample(into buffer: inout MutableSpan<Int16>) -> Int {
    let samples = waiting.lowerBound * channelCount..<waiting.upperBound * channelCount
    let (consumed, produced) = Self.resample(
      block[samples], with: &resampler, into: &buffer)
    waiting.removeFirst(consumed)
    frames += produced
    return produced
  }

  /// Gives what the resampler holds back, up to where the timeline then has to stand.
  ///
  /// libsoxr rounds the length of each stretch between two gaps, the timeline that of their sum.
  /// A frame too many is left out here, a frame too few is made up by the gap, or at the end by
  /// the last frame that was read.
  private mutating func drain(
    into buffer: inout MutableSpan<Int16>, atEnd: Bool
  ) -> Int {
    let missing = resampler.outputFrames(forInput: innerFrames) - frames
    guard missing > 0 else { return 0 }
    var count = resampler.drain(into: &buffer, atMost: missing)
    if count == 0 && atEnd {
      count = 1
      let last = (waiting.upperBound - 1) * channelCount
      for channel in 0..<channelCount { buffer[channel] = block[last + channel] }
    }
    frames += count
    return count
  }

  /// Goes on after the resampler has been emptied: returns the gap, or ends.
  ///
  /// A gap that is not a frame long at the new rate is none.
  private mutating func leave(for gap: Gap?) throws(SplitcapError) -> Gap? {
    guard let gap else {
      state = .ended
      return nil
    }
    try resampler.restart()
    state = .running
    innerFrames += gap.frames
    let lost = resampler.outputFrames(forInput: innerFrames) - frames
    frames += lost
    return lost > 0 ? Gap(frames: lost, cause: gap.cause) : nil
  }
}
