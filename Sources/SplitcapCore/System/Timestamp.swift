private import Glibc

/// Wall-clock times as text.
package enum Timestamp {
  /// The text of a time, in UTC with milliseconds, such as `2026-01-31T08:05:00.250Z`.
  ///
  /// The source of the layout is RFC 3339.
  ///
  /// - Parameter nanoseconds: Since 1970 (UTC), as ``SystemClock/wall`` gives them.
  /// - Returns: 24 characters.
  package static func rfc3339(nanoseconds: Int64) -> String {
    let (second, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var seconds = time_t(second)
    var parts = unsafe tm()
    unsafe _ = gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let day = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { digits($0, 2) }
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }
    let milliseconds = digits(Int32(rest / 1_000_000), 3)
    return day.joined(separator: "-") + "T" + time.joined(separator: ":") + ".\(milliseconds)Z"
  }
}
