internal import CPulse
internal import SplitcapCore

extension Inventory {
  /// The source that `request` means, and never another one.
  func choose(_ request: CaptureRequest) throws(SplitcapError) -> Source {
    let devices = devices(rates: request.rates)
    if let wanted = request.device {
      do throws(SplitcapError) {
        let found = try DeviceNames.find(wanted, in: devices, isWholeName: request.isWholeName)
        if let source = source(named: found.name) { return source }
      } catch {
        throw Self.isALSAName(wanted) ? SplitcapError(alsaName: wanted) : error
      }
    } else if let source = defaultSource {
      // A server without a microphone takes a monitor: what is played is not what is meant.
      guard source.isMonitor else { return source }
      throw SplitcapError(
        .sourceUnavailable,
        "the default source of \(serverDescription) is no microphone, but"
          + " '\(source.name)', a monitor of what the computer plays",
        hint: "connect a microphone, or name the monitor: --device \(source.name)")
    }
    guard !devices.isEmpty else {
      throw SplitcapError(
        .sourceUnavailable, "\(serverDescription) has nothing to record",
        hint: "connect a microphone or headset; 'splitcap devices' shows what is there")
    }
    throw SplitcapError(
      .sourceUnavailable, "\(serverDescription) has no default source",
      hint: "name one with --device: "
        + devices.prefix(3).map { "'\($0.name)'" }.joined(separator: ", "))
  }

  /// Whether `name` is one of the common names of ALSA's PCMs, with or without their arguments.
  private static func isALSAName(_ name: String) -> Bool {
    ["hw", "plughw", "sysdefault", "front", "dsnoop"].contains(name.prefix { $0 != ":" })
  }

  /// Describes a stream that stands: `channels` are the positions it really has.
  func describe(
    _ source: Source, rate: Int, channels: [String], latencyFrames: Int
  ) -> SourceInfo {
    let origin = origin(of: source)
    let (ears, order) = Ears.order(channels)
    var notes = notes(on: source)
    notes += [order, conversion(from: origin.sampleRate, to: rate)].compactMap { $0 }
    return SourceInfo(
      backend: .pulse, name: source.name, description: source.description,
      format: StreamFormat(sampleRate: rate, channelCount: channels.count),
      native: origin.native, ears: ears, isLive: true, latencyFrames: latencyFrames,
      monoReason: channels.count == 1
        ? monoReason(of: source) ?? "it has one channel" : monoReason(of: source),
      notes: notes)
  }

  /// What the server does to the rate.
  private func conversion(from native: Int, to rate: Int) -> String? {
    if native != rate { return "pulse resamples \(native) to \(rate)" }
    // PipeWire shows the rate of the source, not that of the graph between it and us.
    guard isPipeWire, defaultRate != rate else { return nil }
    return "PipeWire mixes at \(defaultRate) unless all agree on \(rate): it may resample"
  }
}

extension Stream {
  /// Starts to record `source` in its own number of channels, and waits until the stream stands.
  ///
  /// The corresponding C function is `pa_stream_connect_record`.
  init(
    recording source: Inventory.Source, rate: Int, _ request: CaptureRequest,
    on context: consuming Context
  ) throws(SplitcapError) {
    let channelCount = source.channels.count
    // The server takes the source's own channels in place of these two: see FIX_CHANNELS.
    let specification = pa_sample_spec(
      format: PA_SAMPLE_S16LE, rate: UInt32(clamping: rate), channels: 2)
    let stream = try Stream("recording of two ears", specification, on: context)

    let frames = StreamFormat(sampleRate: rate, channelCount: channelCount).frames(
      in: request.latency)
    let unset = UInt32.max
    var buffer = pa_buffer_attr(
      maxlength: unset, tlength: unset, prebuf: unset, minreq: unset,
      fragsize: UInt32(clamping: max(frames, 1) * channelCount * MemoryLayout<Int16>.size))
    let flags =
      PA_STREAM_FIX_CHANNELS.rawValue  // never two ears of one
      | PA_STREAM_DONT_MOVE.rawValue  // never another source
      | PA_STREAM_ADJUST_LATENCY.rawValue  // the source's own blocks, too, follow the latency
      | PA_STREAM_START_UNMUTED.rawValue  // silence is never what a desktop remembers of us
    let status = unsafe pa_stream_connect_record(
      stream.raw, source.name, &buffer, pa_stream_flags_t(rawValue: flags))
    guard status >= 0 else { throw .cannotRecord(source.name, stream.context.failure) }
    // A source that is suspended wakes first, which has been seen to take 2 s.
    let deadline = SystemClock.monotonic + Int64(request.startLimit / .nanoseconds(1))
    while stream.isPending && stream.context.isGood {
      guard stream.context.loop.handleEvents(until: deadline) else {
        throw .cannotRecord(source.name, PulseFailure(code: Int32(PA_ERR_TIMEOUT.rawValue)))
      }
    }
    guard stream.isReady else { throw .cannotRecord(source.name, stream.context.failure) }
    self = stream
  }

  /// The positions of the channels that the stream really has.
  ///
  /// The corresponding C function is `pa_stream_get_channel_map`.
  var channels: [String] {
    unsafe pa_stream_get_channel_map(raw).map { unsafe positions(in: $0.pointee) } ?? []
  }

  /// Asks how much sound may be on its way, in frames: what the source holds back, and a fragment.
  ///
  /// The fragments that come meanwhile wait in the stream.
  ///
  /// The corresponding C functions are `pa_stream_update_timing_info`, `pa_stream_get_timing_info`
  /// and `pa_stream_get_buffer_attr`.
  func latencyFrames() -> Int {
    let question = unsafe Operation(pa_stream_update_timing_info(raw, nil, nil))
    let deadline = SystemClock.monotonic + 1_000_000_000
    while question.isRunning && context.isGood && context.loop.handleEvents(until: deadline) {}
    guard let buffer = unsafe pa_stream_get_buffer_attr(raw),
      let specification = unsafe pa_stream_get_sample_spec(raw)
    else { return 0 }
    let fragment = unsafe Int(buffer.pointee.fragsize) / pa_frame_size(specification)
    let timing = unsafe pa_stream_get_timing_info(raw)
    let held = unsafe timing.map {
      unsafe max($0.pointee.source_usec, $0.pointee.configured_source_usec)
    }
    let heldFrames = unsafe Int(held ?? 0) * Int(specification.pointee.rate) / 1_000_000
    return max(heldFrames, fragment) + fragment
  }
}

/// Which channels are the ears.
enum Ears {
  /// Pairs of positions that are a left and a right one, the best first.
  private static let pairs = [
    ("front-left", "front-right"), ("front-left-of-center", "front-right-of-center"),
    ("side-left", "side-right"), ("rear-left", "rear-right"),
    ("top-front-left", "top-front-right"), ("top-rear-left", "top-rear-right"),
  ]

  /// Finds the ears by the names of the channels' positions, else takes the first two.
  ///
  /// - Returns: The ears, and what a user should know of how they were found.
  static func order(_ channels: [String]) -> (ChannelPair, note: String?) {
    guard channels.count > 1 else { return (ChannelPair(left: 0, right: 0), nil) }
    let names = channels.joined(separator: ",")
    for (leftName, rightName) in pairs {
      guard let left = channels.firstIndex(of: leftName),
        let right = channels.firstIndex(of: rightName)
      else { continue }
      let isPlain = left == 0 && right == 1 && channels.count == 2 && leftName == "front-left"
      return (
        ChannelPair(left: left, right: right),
        isPlain
          ? nil
          : "the server names channel \(left + 1) (\(leftName)) left and"
            + " \(right + 1) (\(rightName)) right, of \(names)"
      )
    }
    return (
      ChannelPair(left: 0, right: 1),
      "the server names no channel left or right: they are \(names)"
    )
  }
}
