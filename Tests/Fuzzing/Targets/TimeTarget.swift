import SplitcapCore

@testable import SplitcapCLI

extension FuzzTarget {
  /// TIME: what is read can be printed, and what is printed is read as the same.
  static let time = FuzzTarget(
    "time",
    seeds: ["10", "10s", "250ms", "1m30s", "2h", "1.5s", ".5", "1h1m1s1.000001ms", "876000h"],
    words: ["h", "m", "s", "ms", ".", "0", "999999999999"]
  ) { text in
    // The bytes are also a number of nanoseconds.
    let number = text.utf8.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2
    let century = Duration.seconds(100 * 366 * 86_400)
    let typed = Duration(timeText: text)
    if let typed { try promise(.zero...century ~= typed, "\(typed) is no time to record") }
    for time in [typed, .nanoseconds(number)].compactMap(\.self) where time <= century {
      let printed = time.timeText
      try promise(Duration(timeText: printed) == time, "\(time) is printed as \(printed)")
    }
  }
}
