import Lab

/// What goes wrong with the device in the course of a soak, and when.
struct FaultScript {
  /// The faults, in their order.
  let faults: [VirtualHeadset.Fault]

  /// Makes up faults for so many seconds; the same for the same seed.
  init(seconds: Double, seed: UInt64) {
    var random = SplitMix64(state: seed)
    var faults: [VirtualHeadset.Fault] = []
    var time = 300.0
    // Nothing happens in the last minutes, so that the slow reader has caught up by the end.
    while time < seconds - 300 {
      let length = Double.random(in: 1...3, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: faults.append(.overrun(at: time, for: length))
      case 1: faults.append(.suspended(at: time, for: length))
      case 2: faults.append(.stall(at: time, for: length))
      case 3: faults.append(.loss(at: time, for: length))
      default: faults.append(.gone(at: time, for: length * 8))
      }
      time += Double.random(in: 60...600, using: &random)
    }
    self.faults = faults
  }
}

/// Numbers that look random and are the same for a seed (SplitMix64, by Vigna).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
