/// Test sound whose every sample can be checked: the left ear counts up, the right ear down.
///
/// Frame *i* is (*v*, -*v*) with *v* = 1 + *i* mod 32767. A lost, repeated, swapped or altered
/// sample breaks the count, and silence that was filled in (0) never looks like the ramp.
public enum Ramp {
  /// The left ear's sample of frame `index`.
  public static func left(_ index: Int) -> Int16 { Int16(1 + index % 32_767) }

  /// The right ear's sample of frame `index`.
  public static func right(_ index: Int) -> Int16 { -left(index) }

  /// Frames, left sample first.
  public static func stereo(frames: Range<Int>) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(2 * frames.count)
    for index in frames {
      samples.append(left(index))
      samples.append(right(index))
    }
    return samples
  }

  /// Frames of any number of channels, interleaved; see ``sample(_:channel:)``.
  public static func frames(_ frames: Range<Int>, channels: Int) -> [Int16] {
    frames.flatMap { index in (0..<channels).map { sample(index, channel: $0) } }
  }

  /// One channel's sample of frame `index`: even channels count up, odd ones down, and each pair
  /// of channels is 1000 frames ahead of the one before.
  public static func sample(_ index: Int, channel: Int) -> Int16 {
    let value = left(index + 1_000 * (channel / 2))
    return channel.isMultiple(of: 2) ? value : -value
  }

  /// Checks that one ear's samples are a piece of its ramp, silence before and after it aside.
  ///
  /// - Returns: The first ramp value's place and value and how many ramp samples there are.
  /// - Throws: ``LabError`` with the first sample that is wrong.
  @discardableResult
  public static func check(
    _ samples: some Sequence<Int16>, isRight: Bool = false
  ) throws -> Piece {
    var piece = Piece(start: 0, first: 0, count: 0)
    var isOver = false
    for (place, raw) in samples.enumerated() {
      if raw == 0 {
        if piece.count > 0 { isOver = true }
        continue
      }
      guard isRight ? (raw < 0 && raw > -32_768) : raw > 0 else {
        let ear = isRight ? "right" : "left"
        throw LabError("sample \(place) is \(raw): it is not of the \(ear) ear")
      }
      let value = Int(isRight ? -raw : raw)
      if isOver { throw LabError("sample \(place) is \(raw) after silence inside the ramp") }
      if piece.count == 0 {
        piece = Piece(start: place, first: value, count: 1)
        continue
      }
      let wanted = (piece.first + piece.count - 1) % 32_767 + 1
      guard value == wanted else {
        throw LabError("sample \(place) is \(raw), not \(isRight ? -wanted : wanted)")
      }
      piece.count += 1
    }
    return piece
  }

  /// Checks two ears that were recorded together: each is its ramp, on the same frames.
  @discardableResult
  public static func check(left: [Int16], right: [Int16]) throws -> Piece {
    let piece = try check(left)
    let other = try check(right, isRight: true)
    guard left.count == right.count, piece == other else {
      throw LabError("left is \(left.count) samples, \(piece); right \(right.count), \(other)")
    }
    return piece
  }

  /// Checks interleaved frames; see ``check(left:right:)``.
  @discardableResult
  public static func check(stereo samples: [Int16]) throws -> Piece {
    let (left, right) = deinterleave(samples)
    return try check(left: left, right: right)
  }

  /// A piece of the ramp in a recording.
  public struct Piece: Sendable, Equatable {
    /// Samples of silence before it.
    public var start: Int
    /// Its first value, without the sign.
    public var first: Int
    /// Its samples.
    public var count: Int

    /// Makes a piece; see the properties.
    public init(start: Int, first: Int, count: Int) {
      self.start = start
      self.first = first
      self.count = count
    }
  }
}

/// The samples of two interleaved channels.
public func deinterleave(_ samples: [Int16]) -> (left: [Int16], right: [Int16]) {
  (channel(0, of: 2, in: samples), channel(1, of: 2, in: samples))
}

/// The samples of one of `count` interleaved channels.
public func channel(_ index: Int, of count: Int, in samples: [Int16]) -> [Int16] {
  stride(from: index, to: samples.count, by: count).map { samples[$0] }
}
