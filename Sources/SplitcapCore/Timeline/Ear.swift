/// One side of a two-ear device.
public enum Ear: Sendable {
  /// The ear whose sample comes first in a frame.
  case left
  /// The ear whose sample comes second in a frame.
  case right
}

/// What of a recording a sink gets: one ear, or both interleaved.
public enum Feed: String, Sendable {
  /// The left ear's samples.
  case left
  /// The right ear's samples.
  case right
  /// Both ears, left sample first in each frame.
  case stereo

  /// Samples in each frame of this feed: 1 for an ear, 2 for both.
  public var channelCount: Int { self == .stereo ? 2 : 1 }
}
