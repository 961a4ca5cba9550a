/// How a recording deals with what the world does to it.
public struct RecordingRules: Sendable {
  /// The longest gap that becomes silence; a source that is away for longer is given up.
  public var longestGap: Duration = .seconds(60)

  /// Makes the usual rules.
  public init() {}
}
