private import ALSASource
private import PulseSource
private import Resampling
internal import SplitcapCore

extension SourceOpening {
  /// How a device that goes away while it is recorded is opened again; `nil` if that is not wanted.
  static func reopening(_ options: RecordOptions) -> Reopening? {
    guard options.input == nil, options.onLost == .wait else { return nil }
    return Reopening { info throws(SplitcapError) in try reopen(info, options) }
  }

  /// Opens the device that was recorded as `info`, and no other one.
  ///
  /// It comes as it was: at the same rate, with the same ears, whatever it has itself now.
  private static func reopen(
    _ info: SourceInfo, _ options: RecordOptions
  ) throws(SplitcapError) -> any CaptureSource & ~Copyable {
    var request = options.captureRequest
    request.device = info.name
    request.isWholeName = true
    // A Ctrl-C must not wait for long meanwhile; the next attempt comes soon.
    request.startLimit = .seconds(2)
    var source: any CaptureSource & ~Copyable =
      info.backend == .alsa ? try ALSASource(request) : try PulseSource(request)
    guard source.info.description == info.description else {
      throw SplitcapError(
        .sourceUnavailable,
        "\(info.name.quoted) is \(source.info.description.quoted) now, another device")
    }
    if source.info.monoReason != nil && info.monoReason == nil && options.mono != .copy
      && options.needsBothEars
    {
      throw SplitcapError(.unsupportedFormat, "\(info.name.quoted) came back with one ear")
    }
    source = try withChannels(of: info, source, options)
    let rate = info.format.sampleRate
    if source.info.format.sampleRate != rate {
      source = try ResampledSource(source, to: rate, because: "the rate of the recording")
    }
    return source
  }

  private static func withChannels(
    of info: SourceInfo, _ source: consuming any CaptureSource & ~Copyable,
    _ options: RecordOptions
  ) throws(SplitcapError) -> any CaptureSource & ~Copyable {
    let count = info.format.channelCount
    let now = source.info.format.channelCount
    guard now != count || options.channels == nil && source.info.ears != info.ears else {
      return source
    }
    let old = options.channels ?? info.ears
    let new = try source.info.ears(choosing: options.channels)
    var channels: [Int?] = (0..<count).map { $0 < now ? $0 : nil }
    channels[old.left] = new.left
    channels[old.right] = new.right
    return RechanneledSource(source, channels: channels, ears: info.ears)
  }
}
