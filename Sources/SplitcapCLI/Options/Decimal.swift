/// A number without a sign, exact to nine digits after the point.
struct Decimal {
  private let whole: Int64
  private let billionths: Int64

  /// Reads `12`, `12.5` or `.5` from the start of `text`; `nil` if none stands there.
  init?(reading text: inout ArraySlice<UInt8>) {
    var whole: Int64 = 0
    var billionths: Int64 = 0
    var digits = 0
    while let digit = text.first.flatMap(Self.digit) {
      guard whole < 1_000_000_000_000 else { return nil }
      whole = whole * 10 + digit
      digits += 1
      text.removeFirst()
    }
    if text.first == UInt8(ascii: ".") {
      text.removeFirst()
      var place: Int64 = 100_000_000
      while let digit = text.first.flatMap(Self.digit) {
        guard place > 0 else { return nil }
        billionths += digit * place
        place /= 10
        digits += 1
        text.removeFirst()
      }
    }
    guard digits > 0 else { return nil }
    self.whole = whole
    self.billionths = billionths
  }

  /// The product, rounded down; `nil` if it fits no `Int64`.
  func times(_ factor: Int64) -> Int64? {
    let billion: Int128 = 1_000_000_000
    let product = (Int128(whole) * billion + Int128(billionths)) * Int128(factor) / billion
    return Int64(exactly: product)
  }

  static func digit(_ byte: UInt8) -> Int64? {
    let zero = UInt8(ascii: "0")
    return (zero...zero + 9).contains(byte) ? Int64(byte - zero) : nil
  }
}
