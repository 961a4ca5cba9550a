/// How a source that went away is opened again.
public struct Reopening: Sendable {
  /// Opens the same device again, never another one.
  ///
  /// Called on the capture thread, again and again while the device is away; should not take long.
  /// What it opens must deliver the ``SourceInfo/format`` that it is given: a device that has changed
  /// its rate is resampled.
  public let open: @Sendable (SourceInfo) throws(SplitcapError) -> any CaptureSource & ~Copyable

  /// Makes a way to open a source again.
  public init(
    open: @escaping @Sendable (SourceInfo) throws(SplitcapError) -> any CaptureSource & ~Copyable
  ) {
    self.open = open
  }
}
