import Lab

extension FuzzTarget {
  /// A bad input made from good ones: the same for a seed in each run.
  func input(seed: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(seed))
    var bytes = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) { change(&bytes, using: &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let few = place..<min(bytes.count, place + Int.random(in: 1...8, using: &random))
    let word = words.randomElement(using: &random) ?? []
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.removeSubrange(few)
    case 1: bytes.insert(contentsOf: bytes[few], at: place)
    case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
    case 3: bytes.insert(contentsOf: word, at: place)
    case 4: bytes.replaceSubrange(few, with: word)
    case 5: bytes.removeSubrange(place...)
    case 6: bytes += seeds.randomElement(using: &random) ?? []
    default: for i in few.prefix(1) { bytes[i] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    }
  }
}
