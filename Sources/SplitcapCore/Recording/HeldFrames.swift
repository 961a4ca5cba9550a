/// Frames and gaps that are held back until it is known what belongs between them.
///
/// Used while something is wrong only: it allocates.
struct HeldFrames: Sendable {
  private enum Piece {
    case frames(Range<Int>)
    case gap(Gap)
  }

  private let channelCount: Int
  private var samples: [Int16] = []
  private var pieces: [Piece] = []
  /// Frame indices at which a read began.
  private var readStarts: [Int] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Whether nothing is held.
  var isEmpty: Bool { pieces.isEmpty }

  /// Frames that are held.
  var frameCount: Int { samples.count / channelCount }

  /// Puts the `count` frames of one read behind all others.
  mutating func append(_ frames: Span<Int16>, count: Int) {
    let start = frameCount
    readStarts.append(start)
    for i in 0..<count * channelCount { samples.append(frames[i]) }
    if case .frames(let range)? = pieces.last {
      pieces[pieces.count - 1] = .frames(range.lowerBound..<start + count)
    } else {
      pieces.append(.frames(start..<start + count))
    }
  }

  /// Puts a gap behind all that is held.
  mutating func append(_ gap: Gap) { pieces.append(.gap(gap)) }

  /// Puts a gap before frame `frame` of what is held, or where the read that brought that frame
  /// began: a sound server loses whole blocks, and each comes with a read of its own.
  ///
  /// It stands behind all other gaps, and not before frame `first`.
  mutating func insert(_ gap: Gap, before frame: Int, notBefore first: Int = 0) {
    guard case .frames(let last)? = pieces.last else { return pieces.append(.gap(gap)) }
    let start = max(readStarts.last { $0 <= frame } ?? 0, first)
    let place = min(max(start, last.lowerBound), last.upperBound)
    pieces[pieces.count - 1] = .gap(gap)
    if place > last.lowerBound {
      pieces.insert(.frames(last.lowerBound..<place), at: pieces.count - 1)
    }
    if place < last.upperBound { pieces.append(.frames(place..<last.upperBound)) }
  }

  /// Drops the last gap, and what stands behind it.
  mutating func cutAtLastGap() {
    while let piece = pieces.popLast() {
      if case .gap = piece { return }
    }
  }

  /// Takes the next frames, as many as fit into `buffer`, or the gap that stands before them.
  mutating func next(into buffer: inout MutableSpan<Int16>) -> ReadResult? {
    guard let piece = pieces.first else { return nil }
    switch piece {
    case .gap(let gap):
      pieces.removeFirst()
      if pieces.isEmpty { removeAll() }
      return .gap(gap)
    case .frames(let range):
      let count = min(range.count, buffer.count / channelCount)
      let first = range.lowerBound * channelCount
      for i in 0..<count * channelCount { buffer[i] = samples[first + i] }
      if count < range.count {
        pieces[0] = .frames(range.lowerBound + count..<range.upperBound)
      } else {
        pieces.removeFirst()
        if pieces.isEmpty { removeAll() }
      }
      return .frames(count)
    }
  }

  private mutating func removeAll() {
    samples = []
    pieces = []
    readStarts = []
  }
}
