/// What a source is, what it delivers, and what stands behind it.
public struct SourceInfo: Sendable, Equatable {
  /// What kind of thing frames come from.
  public enum Backend: String, Sendable {
    /// A PCM of ALSA.
    case alsa
    /// A source of PulseAudio, or of PipeWire's Pulse server.
    case pulse
    /// A file that was read to its end.
    case file
    /// Standard input, a FIFO, or a character device.
    case pipe
    /// A program's standard output.
    case program
  }

  /// The layout that the hardware, or the file, has itself.
  public struct Native: Sendable, Equatable {
    /// Channels before any server or plug-in changed them.
    public var channelCount: Int
    /// Frames per second before any server or plug-in changed them, in hertz.
    public var sampleRate: Int
    /// The sample format in the back end's own word, such as `S24_3LE` or `s16le`.
    public var sampleFormat: String

    /// Makes a native layout.
    public init(channelCount: Int, sampleRate: Int, sampleFormat: String) {
      self.channelCount = channelCount
      self.sampleRate = sampleRate
      self.sampleFormat = sampleFormat
    }
  }

  /// Where the frames come from.
  public var backend: Backend

  /// The name that opens this source again: a PCM, a Pulse source, a path, a command.
  public var name: String

  /// A text for people, such as `Virtual headset`; may equal ``name``.
  public var description: String

  /// What ``CaptureSource/read(into:)`` delivers.
  public var format: StreamFormat

  /// What stands behind it; `nil` where that can't be known.
  public var native: Native?

  /// The channels of ``format`` that are the left and the right ear, counted from 0.
  ///
  /// Both are 0 for a source of one channel. The user may choose others.
  public var ears: ChannelPair

  /// Whether time decides how fast frames come.
  ///
  /// A live source never waits for a sink; any other source does, and loses nothing.
  public var isLive: Bool

  /// How much sound may be on its way between the device and a read, in frames of ``format``.
  public var latencyFrames: Int
  /// How many of ``latencyFrames`` are on their way through the source itself, as
  /// ``CaptureSource/pendingFrames`` tells.
  public var delayFrames = 0

  /// Why both ears can't be had: the reason that there is but one microphone.
  ///
  /// `nil` if there are two, or none is known to be missing.
  public var monoReason: String?

  /// What a user should know about how this source is captured; a line each, no full stop.
  public var notes: [String]

  /// Makes a description; see the properties.
  public init(
    backend: Backend, name: String, description: String, format: StreamFormat,
    native: Native? = nil, ears: ChannelPair, isLive: Bool, latencyFrames: Int = 0,
    monoReason: String? = nil, notes: [String] = []
  ) {
    self.backend = backend
    self.name = name
    self.description = description
    self.format = format
    self.native = native
    self.ears = ears
    self.isLive = isLive
    self.latencyFrames = latencyFrames
    self.monoReason = monoReason
    self.notes = notes
  }
}

extension SourceInfo {
  /// The channels to record: the `chosen` ones, else those that the source calls its ears.
  ///
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat` if it lacks one of them.
  public func ears(choosing chosen: ChannelPair?) throws(SplitcapError) -> ChannelPair {
    let ears = chosen ?? self.ears
    let highest = max(ears.left, ears.right) + 1
    let count = format.channelCount
    guard highest > count else { return ears }
    let hint =
      if isLive {
        "see what it has with 'splitcap devices', then choose with --channels"
      } else if count > 1 {
        "choose two of 1 to \(count) with --channels"
      } else {
        "leave out --channels"
      }
    throw SplitcapError(
      .unsupportedFormat, "'\(name)' has no channel \(highest), only \(count)", hint: hint)
  }
}

/// The two channels of a source that are recorded as ears, counted from 0.
public struct ChannelPair: Sendable, Equatable {
  /// The channel that is the left ear.
  public var left: Int
  /// The channel that is the right ear.
  public var right: Int

  /// Makes a pair; the channels may be the same one.
  public init(left: Int, right: Int) {
    self.left = left
    self.right = right
  }
}
