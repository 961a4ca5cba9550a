import Lab

/// What goes wrong with the device in the course of a soak, and when.
struct FaultScript {
  /// The faults, in their order.
  let faults: [VirtualHeadset.Fault]

  /// Makes up faults for so many seconds; the same for the same seed.
  init(seconds: Double, seed: UInt64) {
    var random = SplitMix64(seed: seed)
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
