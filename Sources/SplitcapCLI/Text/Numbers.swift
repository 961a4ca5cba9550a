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

  /// `number` with a comma between thousands: `1,234,567`.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (position, digit) in String(number.magnitude).reversed().enumerated() {
      if position > 0 && position % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// A count of bytes in the binary unit that fits it: `44 bytes`, `1.5 MiB`.
  static func bytes(_ count: Int) -> String {
    guard count >= 1024 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var size = Double(count) / 1024
    var units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][...]
    // What would be shown as 1024.0 belongs to the next unit.
    while size >= 1023.95 && units.count > 1 {
      size /= 1024
      units.removeFirst()
    }
    return "\(fixed(size, decimals: 1)) \(units[units.startIndex])"
  }
}
