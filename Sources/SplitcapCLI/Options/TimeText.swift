private import SplitcapCore

/// Times as they are typed: `10`, `10s`, `250ms`, `1m30s`, `2h`.
extension Duration {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000),
  ]

  /// A century: longer than anyone records, and far from any overflow.
  private static let longest: Int64 = 100 * 366 * 86_400 * 1_000_000_000

  /// Reads a time: numbers with units from the largest to the smallest, or a number of seconds.
  ///
  /// A number may have a fraction of up to nine digits. What is below a nanosecond is dropped.
  /// `nil` for anything else, and for more than a century.
  init?(timeText text: String) {
    var rest = Array(text.utf8)[...]
    var units = Self.units[...]
    var total: Int64 = 0
    repeat {
      guard let number = Decimal(reading: &rest) else { return nil }
      let name = String(decoding: rest.prefix { Decimal.digit($0) == nil }, as: UTF8.self)
      rest = rest.dropFirst(name.utf8.count)
      // Only a number that stands alone needs no unit: 1m30 may mean either.
      let isAlone = name.isEmpty && total == 0 && units.count == Self.units.count
      let wanted = isAlone ? "s" : name
      guard let unit = units.firstIndex(where: { $0.name == wanted }),
        let part = number.times(units[unit].nanoseconds), part <= Self.longest - total
      else { return nil }
      total += part
      units = units[(unit + 1)...]
    } while !rest.isEmpty
    self = .nanoseconds(total)
  }

  /// The time as it may be typed, in the largest units: `1m30s`, `10ms`.
  var timeText: String {
    var nanoseconds = nanoseconds
    var text = ""
    for unit in Self.units.dropLast() where nanoseconds >= unit.nanoseconds {
      text += "\(nanoseconds / unit.nanoseconds)\(unit.name)"
      nanoseconds %= unit.nanoseconds
    }
    guard nanoseconds > 0 || text.isEmpty else { return text }
    var fraction = String(String(nanoseconds % 1_000_000 + 1_000_000).dropFirst())
    while fraction.last == "0" { fraction.removeLast() }
    return text + "\(nanoseconds / 1_000_000)\(fraction.isEmpty ? "" : "." + fraction)ms"
  }
}
