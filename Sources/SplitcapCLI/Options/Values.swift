internal import SplitcapCore

/// What the values of options mean, and what is said about those that mean nothing.
extension GivenOption {
  /// Rates in hertz that are believed.
  private static let rateLimits = 1...384_000
  /// More channels than any device has.
  private static let channelLimits = 1...1024
  /// Frames of seven centuries at 44.1 kHz; a count of bytes still fits an `Int`.
  private static let frameLimits = 1...1_000_000_000_000_000

  /// A text that is not empty.
  func text() throws(SplitcapError) -> String {
    guard !value.isEmpty else { throw wrong("a name or text", hint: nil) }
    return value
  }

  /// One of the words of an enumeration.
  func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(SplitcapError) -> Choice {
    if let choice = Choice(rawValue: value) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    let near = Nearest.words(to: value, in: words)
    throw wrong(
      "one of " + words.joined(separator: ", "),
      hint: near.first.map { "did you mean \(option.spelling) \($0)?" })
  }

  /// A time longer than 0, and within `limits`.
  func time(in limits: ClosedRange<Duration>? = nil) throws(SplitcapError) -> Duration {
    guard let time = Duration(timeText: value) else {
      throw wrong("a time", hint: "write 10, 10s, 250ms, 1m30s or 2h")
    }
    guard time > .zero else { throw wrong("a time longer than 0", hint: nil) }
    if let limits, !limits.contains(time) {
      throw wrong(
        "a time from \(limits.lowerBound.timeText) to \(limits.upperBound.timeText)", hint: nil)
    }
    return time
  }

  /// A rate in hertz.
  func rate() throws(SplitcapError) -> Int { try rate(value) }

  /// Rates in hertz, in their order, without those that were named before.
  func rates() throws(SplitcapError) -> [Int] {
    var rates: [Int] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let rate = try rate(String(part))
      if !rates.contains(rate) { rates.append(rate) }
    }
    return rates
  }

  /// A count of channels.
  func channelCount() throws(SplitcapError) -> Int {
    guard let count = Self.number(value, in: Self.channelLimits) else {
      throw wrong("a number of channels", hint: "\(option.spelling) 2")
    }
    return count
  }

  /// How many programs may be at work at once.
  func jobCount() throws(SplitcapError) -> Int {
    guard let count = Self.number(value, in: 1...64) else {
      throw wrong("a number from 1 to 64", hint: "\(option.spelling) 2")
    }
    return count
  }

  /// A count of frames.
  func frameCount() throws(SplitcapError) -> Int {
    guard let count = Self.number(value, in: Self.frameLimits) else {
      throw wrong("a number of frames, at least 1", hint: "--duration takes a time")
    }
    return count
  }

  /// Two channels, counted from 0; the user counts from 1.
  func channelPair() throws(SplitcapError) -> ChannelPair {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Self.number(String($0), in: Self.channelLimits) }
    guard parts.count == 2, numbers.count == 2 else {
      throw wrong(
        "the numbers of two channels, counted from 1", hint: "\(option.spelling) 1,2")
    }
    guard numbers[0] != numbers[1] else {
      throw SplitcapError(
        .usage, "\(option.spelling) \(value) takes one channel for both ears",
        hint: "one channel alone: --left l.wav --channels \(numbers[0]),"
          + "\(numbers[0] == 1 ? 2 : 1); a source of one channel, to both ears: --mono copy")
    }
    return ChannelPair(left: numbers[0] - 1, right: numbers[1] - 1)
  }

  private func rate(_ text: String) throws(SplitcapError) -> Int {
    guard let rate = Self.number(text, in: Self.rateLimits) else {
      throw SplitcapError(
        .usage, "\(option.spelling): \(text.quoted) is no rate in hertz",
        hint: "write a whole number from 1 to 384000, such as 16000")
    }
    return rate
  }

  /// A whole number in plain digits; `nil` for anything else, and for what is out of range.
  private static func number(_ text: String, in limits: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(text), limits.contains(number)
    else { return nil }
    return number
  }

  func wrong(_ wanted: String, hint: String?) -> SplitcapError {
    let usual = option.defaultText.map { "the default is \($0)" }
    return SplitcapError(
      .usage, "\(option.spelling) takes \(wanted), not \(value.quoted)",
      hint: hint ?? usual ?? "'splitcap help' shows what each option takes")
  }
}
