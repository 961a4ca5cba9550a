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
  /// - Returns: The runs of silence, in order; their sum of shifts is how far the end is off.
  /// - Throws: ``LabError`` with the first frame that is wrong.
  @discardableResult
  public static func checkWithGaps(
    left: [Int16], right: [Int16], tolerance: Int = 0
  ) throws -> [Silence] {
    guard left.count == right.count else {
      throw LabError("left is \(left.count) frames, right \(right.count)")
    }
    var silences: [Silence] = []
    /// Where the frame before belongs on the ramp, if that is known by now.
    var place: Int?
    var isSilent = false
    for index in left.indices {
      let sample = left[index]
      guard right[index] == 0 - sample, sample >= 0 else {
        throw LabError("frame \(index) is (\(sample), \(right[index])): no frame of the ramp")
      }
      if let known = place { place = (known + 1) % 32_767 }
      if sample == 0 {
        if isSilent {
          silences[silences.count - 1].frames += 1
        } else {
          silences.append(Silence(first: index, frames: 1, shift: 0))
        }
        isSilent = true
        continue
      }
      let now = Int(sample) - 1
      if let place, now != place {
        let shift = (now - place + 32_767 + 16_383) % 32_767 - 16_383
        guard isSilent else {
          throw LabError("frame \(index) is \(shift) frames ahead, without silence before it")
        }
        guard abs(shift) <= tolerance else {
          throw LabError(
            "frame \(index), behind silence, is \(shift) frames ahead: more than \(tolerance)")
        }
        silences[silences.count - 1].shift = shift
      }
      place = now
      isSilent = false
    }
    return silences
  }
}
