/// Why a test could not go on.
public struct LabError: Error, CustomStringConvertible {
  /// What happened, for the person who reads the test's report.
  public let description: String

  /// Makes an error; see the property.
  public init(_ description: String) { self.description = description }
}

/// Asks `condition` every few milliseconds until it holds.
///
/// - Throws: ``LabError`` that names `what` after `limit`, which is there to end a hang and
///   nothing else; or what `condition` throws.
public func waitUntil(
  _ what: @autoclosure () -> String, within limit: Duration = .seconds(30),
  _ condition: () throws -> Bool
) throws {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  while try !condition() {
    guard clock.now < deadline else { throw LabError("waited \(limit) in vain until \(what())") }
    pause(milliseconds: 5)
  }
}
