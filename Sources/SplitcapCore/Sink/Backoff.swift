/// How long to wait before a program that ended is started again: longer each time, up to a limit.
struct Backoff {
  private static let shortest: Duration = .seconds(1)
  private static let longest: Duration = .seconds(30)
  /// A program that ran for so long starts anew.
  private static let steady: Duration = .seconds(60)

  private var next = shortest

  /// The wait after a program that ran for `time`.
  mutating func wait(afterRunning time: Duration) -> Duration {
    if time >= Self.steady { next = Self.shortest }
    defer { next = min(next * 2, Self.longest) }
    return next
  }
}
