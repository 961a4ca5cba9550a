private import ALSASource
private import Glibc
private import Pipes
private import PulseSource
private import Resampling
private import SoundFiles
internal import SplitcapCore

/// The source that was opened, and what the user is told of it.
struct SourceReport: Sendable {
  /// What the outputs are made from.
  var info: SourceInfo
  /// The channels that are recorded.
  var ears: ChannelPair
  /// Why this back end was taken; `nil` if there was no choice.
  var reason: String?
  /// What the user should not miss.
  var warnings: [String] = []
}

/// Opens the source that a command asks for, and makes sure that it is fit for what is wanted.
struct SourceOpening: ~Copyable {
  private(set) var source: any CaptureSource & ~Copyable
  private(set) var report: SourceReport

  /// Opens the source; with `--wait`, as soon as it is there.
  ///
  /// - Parameters:
  ///   - options: What the user asked for.
  ///   - isCancelled: Whether to give up waiting for the first bytes of a pipe, or for a device.
  ///   - onAbsence: Hears, once, why the device is waited for.
  /// - Throws: ``SplitcapError`` if it can't be opened, or is no source for what is wanted.
  init(
    _ options: RecordOptions, isCancelled: () -> Bool, onAbsence: (SplitcapError) -> Void
  ) throws(SplitcapError) {
    let deadline = SystemClock.monotonic + (options.wait ?? .zero).nanoseconds
    var isToldOfAbsence = false
    while true {
      do throws(SplitcapError) {
        self = try SourceOpening(options, isCancelled: isCancelled)
        return
      } catch {
        guard options.input == nil, error.kind == .sourceUnavailable,
          SystemClock.monotonic < deadline, !isCancelled()
        else { throw error }
        if !isToldOfAbsence { onAbsence(error) }
        isToldOfAbsence = true
        _ = usleep(400_000)
      }
    }
  }

  /// Opens the source.
  ///
  /// - Parameters:
  ///   - options: What the user asked for.
  ///   - isCancelled: Whether to give up waiting for the first bytes of a pipe.
  /// - Throws: ``SplitcapError`` if it can't be opened, or is no source for what is wanted.
  private init(_ options: RecordOptions, isCancelled: () -> Bool) throws(SplitcapError) {
    var reason: String?
    var warnings: [String] = []
    var source: any CaptureSource & ~Copyable =
      if let input = options.input {
        try Self.open(input, options, isCancelled)
      } else {
        try Self.openDevice(options, &reason, &warnings)
      }
    if let (rate, why) = options.outputRate(of: source.info) {
      source = try ResampledSource(source, to: rate, because: why)
    }
    if let warning = try MonoRule.judge(source.info, options) { warnings.append(warning) }
    report = SourceReport(
      info: source.info, ears: try source.info.ears(choosing: options.channels), reason: reason,
      warnings: warnings)
    self.source = source
  }

  private static func open(
    _ input: InputChoice, _ options: RecordOptions, _ isCancelled: () -> Bool
  ) throws(SplitcapError) -> any CaptureSource & ~Copyable {
    let headerless = options.headerless
    let origin: StreamSource.Origin =
      switch input {
      case .file(let path): .file(path)
      case .standardInput: .standardInput
      case .program(let command): .program(command)
      }
    if case .file(let path) = origin, headerless == nil {
      return try SoundFile.open(path, isCancelled: isCancelled)
    }
    return try StreamSource(origin, headerless: headerless, isCancelled: isCancelled)
  }

  private static func openDevice(
    _ options: RecordOptions, _ reason: inout String?, _ warnings: inout [String]
  ) throws(SplitcapError) -> any CaptureSource & ~Copyable {
    let request = options.captureRequest
    switch options.backend {
    case .alsa: return try ALSASource(request)
    case .pulse: return try PulseSource(request)
    case .auto: break
    }
    let server: PulseServer
    do throws(SplitcapError) {
      server = try PulseServer()
    } catch {
      if ALSASource.leadsToPulse(options.device) {
        throw SplitcapError(
          error.kind,
          "\(error.message); ALSA's device '\(options.device ?? "default")' leads there, too",
          hint: error.hint)
      }
      // A server that was named and does not answer is not what the user expects to be left out.
      if unsafe getenv("PULSE_SERVER") != nil {
        warnings.append("\(error.message); recording with ALSA instead")
      }
      reason = "no Pulse server answers"
      do throws(SplitcapError) {
        return try ALSASource(request)
      } catch let other {
        throw SplitcapError(
          other.kind, "\(other.message), and \(error.message)", hint: other.hint ?? error.hint)
      }
    }
    reason = "\(server.description) answers"
    return try PulseSource(server: server, request)
  }
}

/// What happens to a source of one microphone when both ears are wanted.
enum MonoRule {
  /// Refuses, or says what is recorded instead.
  ///
  /// - Returns: A warning; `nil` if there are two ears.
  static func judge(
    _ info: SourceInfo, _ options: RecordOptions
  ) throws(SplitcapError) -> String? {
    guard info.format.channelCount == 1 || info.monoReason != nil else { return nil }
    let reason = info.monoReason ?? "it has one channel"
    guard options.needsBothEars else {
      if options.transcript != nil {
        return "'\(info.name.printable)' has one speaker: \(reason)"
      }
      let sound = info.monoReason.map { "one microphone: \($0)" } ?? "one channel"
      let ear = options.sinks[0].feed
      return "'\(info.name.printable)' has \(sound); it is recorded as the \(ear) ear"
    }
    guard options.mono == .copy else {
      throw SplitcapError(
        .unsupportedFormat, "'\(info.name.printable)' has no two ears: \(reason)",
        hint: "record one ear (--left l.wav), or the same sound on both: --mono copy")
    }
    return "'\(info.name.printable)' has no two ears: \(reason); left and right are copies"
  }
}

extension RecordOptions {
  var captureRequest: CaptureRequest {
    var request = CaptureRequest(
      device: device, rates: rates, fallback: resample == .never ? .fail : .ownRate,
      latency: latency)
    if let channels { request.minimumChannels = max(channels.left, channels.right) + 1 }
    return request
  }

  fileprivate var headerless: HeaderlessFormat? {
    inputRate.map { rate in
      HeaderlessFormat(
        sampleRate: rate, sampleFormat: inputFormat, channelCount: inputChannels)
    }
  }

  /// The rate of the outputs, if it is not that of the source, and the reason if it is not asked for.
  fileprivate func outputRate(of info: SourceInfo) -> (rate: Int, why: String?)? {
    let own = info.format.sampleRate
    switch resample {
    case .rate(let rate) where rate != own: return (rate, nil)
    // Only a device has a list of rates to keep to.
    case .ifNeeded where info.isLive && !rates.contains(own):
      let list = rates.map { "\($0)" }.joined(separator: ", ")
      return (rates[0], "the device has none of \(list) Hz")
    case .rate, .ifNeeded, .never: return nil
    }
  }
}
