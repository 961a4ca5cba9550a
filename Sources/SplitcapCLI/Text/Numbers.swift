/// Numbers as people read them, in the same form whatever the locale.
enum Numbers {
  /// `number` with `decimals` digits after the point, rounded half away from zero.
  ///
  /// Not a number and infinities are `-`, since they are no figure.
  static func fixed(_ number: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (number.magnitude * scale).rounded()
    guard scaled < 9e15 else { return "-" }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + padded }
    return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// Seconds to the millisecond, without their unit.
  static func seconds(_ number: Double) -> String { fixed(number, decimals: 3) }

  /// `1 frame`, `2 frames`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
