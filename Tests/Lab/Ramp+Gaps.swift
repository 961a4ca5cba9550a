extension Ramp {
  /// A run of silence in a recording of the ramp.
  public struct Silence: Sendable, Equatable {
    /// Its first frame.
    public var first: Int
    /// Its frames.
    public var frames: Int
    /// By how many frames the ramp behind it is ahead of where it should be.
    ///
    /// More than 0: the silence is shorter than what was lost. 0 at both ends of the recording.
    public var shift: Int

    /// Makes a run of silence; see the properties.
    public init(first: Int, frames: Int, shift: Int) {
      self.first = first
      self.frames = frames
      self.shift = shift
    }
  }

  /// Checks two ears that were recorded together and have silence for what was lost.
  ///
  /// Outside of silence the right ear is the negative of the left one on the same frame, and both
  /// go on along the ramp; silence is in both ears, and what follows is where the ramp would be
  /// if it had gone on under the silence, give or take `tolerance` frames.
  ///
  /// - Parameters:
  ///   - left: All samples of the left ear.
  ///   - right: All samples of the right ear.
  ///   - tolerance: By how many frames the length of each silence may be wrong.
  ///   - misplacement: How many frames at either edge of a silence may belong to its other side.
  /// - Returns: The runs of silence, in order; their sum of shifts is how far the end is off.
  /// - Throws: ``LabError`` with the first frame that is wrong.
  @discardableResult
  public static func checkWithGaps(
    left: [Int16], right: [Int16], tolerance: Int = 0, misplacement: Int = 0
  ) throws -> [Silence] {
    guard left.count == right.count else {
      throw LabError("left is \(left.count) frames, right \(right.count)")
    }
    var reader = RampReader(tolerance: tolerance, misplacement: misplacement)
    for index in left.indices { try reader.take(left[index], right[index]) }
    return reader.silences
  }
}

/// Reads a recording of the ramp of any length, frame by frame; see
/// ``Ramp/checkWithGaps(left:right:tolerance:misplacement:)``.
public struct RampReader: Sendable {
  /// The runs of silence so far, in order.
  public private(set) var silences: [Ramp.Silence] = []
  /// Frames that were read.
  public private(set) var frames = 0
  /// Frames at the edge of a silence that belong to its other side.
  public private(set) var misplacedFrames = 0

  private let tolerance: Int
  private let misplacement: Int
  /// Where the frame before belongs on the ramp, if that is known by now.
  private var place: Int?
  private var isSilent = false
  /// A jump that is not behind silence, so that silence must follow.
  private var jump: (frame: Int, length: Int)?

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - tolerance: By how many frames the length of each silence may be wrong.
  ///   - misplacement: How many frames at either edge of a silence may belong to its other side.
  public init(tolerance: Int = 0, misplacement: Int = 0) {
    self.tolerance = tolerance
    self.misplacement = misplacement
  }

  /// Takes the next frame.
  ///
  /// - Throws: ``LabError`` if it is wrong.
  public mutating func take(_ left: Int16, _ right: Int16) throws {
    guard left >= 0, right == 0 - left else {
      throw LabError("frame \(frames) is (\(left), \(right)): no frame of the ramp")
    }
    defer { frames += 1 }
    if let known = place { place = known == 32_766 ? 0 : known + 1 }
    guard left > 0 else { return takeSilence() }
    let now = Int(left) - 1
    if let place, now != place { try takeJump(of: now - place) }
    if let jump, frames - jump.frame >= misplacement {
      throw LabError(
        "frame \(jump.frame) is \(jump.length) frames ahead, without silence beside it")
    }
    place = now
    isSilent = false
  }

  private mutating func takeJump(of length: Int) throws {
    let last = silences.count - 1
    let sound = last < 0 ? Int.max : frames - silences[last].first - silences[last].frames
    guard sound == 0 || sound <= misplacement else {
      jump = (frames, length)
      return
    }
    misplacedFrames += sound
    // The ramp tells no more than a shift by less than half of it.
    let shift = (silences[last].shift + length + 3 * 32_767 + 16_383) % 32_767 - 16_383
    guard abs(shift) <= tolerance else {
      throw LabError(
        "frame \(frames), behind silence, is \(shift) frames ahead: more than \(tolerance)")
    }
    silences[last].shift = shift
  }

  private mutating func takeSilence() {
    if isSilent {
      silences[silences.count - 1].frames += 1
      return
    }
    misplacedFrames += jump.map { frames - $0.frame } ?? 0
    silences.append(Ramp.Silence(first: frames, frames: 1, shift: jump?.length ?? 0))
    jump = nil
    isSilent = true
  }
}
