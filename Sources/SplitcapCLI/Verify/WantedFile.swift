internal import SplitcapCore

/// The file of an ear, to be found among those that events tell of.
struct WantedFile: Sendable {
  /// How sure it is that a path of the events is this file.
  enum Closeness: Sendable, Comparable {
    /// The last parts of both paths are the same, so many of them: it may have been moved, or the
    /// events may be those of a run in another folder.
    case name(parts: Int)
    /// It is the same path, or leads to the same file.
    case same
  }

  let feed: Feed
  let path: String
  private let identity: FileIdentity?
  private let parts: [Substring]

  init(_ feed: Feed, _ path: String) {
    self.feed = feed
    self.path = path
    identity = try? FileStatus(path: path).identity
    parts = Self.parts(of: path)
  }

  /// How close a file of the events is.
  ///
  /// - Parameters:
  ///   - told: Its path.
  ///   - toldFeed: What it was made of, in the events' word.
  /// - Returns: How close; `nil` if it is another file.
  func closeness(to told: String, of toldFeed: String?) -> Closeness? {
    if told == path { return .same }
    if let identity, let other = try? FileStatus(path: told), other.identity == identity {
      return .same
    }
    // Folders for each ear may have files of the same names.
    guard toldFeed == feed.rawValue else { return nil }
    let count = zip(parts.reversed(), Self.parts(of: told).reversed()).prefix { $0 == $1 }.count
    return count > 0 ? .name(parts: count) : nil
  }

  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/").filter { $0 != "." }
  }
}
