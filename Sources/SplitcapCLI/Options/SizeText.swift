internal import SplitcapCore

/// Sizes as they are typed: `500M`, `1.5G`, `700MB`, `65536`.
enum SizeText {
  private static let units: [String: Int64] = [
    "": 1, "b": 1,
    "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
    "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
  ]

  /// Reads a size in bytes: a number, which may have a fraction, and a unit, in any case.
  ///
  /// K, M, G and T count in 1024, as KiB and so on; KB and so on count in 1000. What is below a byte
  /// is dropped. `nil` for anything else, and for what no file can be.
  static func bytes(_ text: String) -> Int? {
    var rest = Array(text.utf8)[...]
    guard let number = Decimal(reading: &rest),
      let unit = units[String(decoding: rest, as: UTF8.self).lowercased()]
    else { return nil }
    return number.times(unit).map(Int.init)
  }
}

extension GivenOption {
  /// A size of at least `least` bytes.
  func size(atLeast least: Int) throws(SplitcapError) -> Int {
    guard let bytes = SizeText.bytes(value) else {
      throw wrong("a size", hint: "write 500M, 1.5G or 700MB")
    }
    guard bytes >= least else {
      throw wrong("a size of at least \(least / 1024)K", hint: "a few minutes of sound are 20M")
    }
    return bytes
  }

  /// Which segments stay: a number of them, or a time, which has a unit.
  func keep() throws(SplitcapError) -> RecordOptions.Keep {
    if let count = Int(value), count > 0, value.first != "+" { return .count(count) }
    // What ends in a digit has no unit: 1.5 is no time here.
    let hasUnit = value.utf8.last.map { Decimal.digit($0) == nil && $0 != UInt8(ascii: ".") }
    guard hasUnit == true, let time = Duration(timeText: value), time > .zero else {
      throw wrong(
        "a number of segments, at least 1, or a time with its unit",
        hint: "--keep 10 keeps ten segments, --keep 24h those of a day")
    }
    return .time(time)
  }
}
