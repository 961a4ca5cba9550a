internal import CALSA
internal import SplitcapCore

/// The layout in which a device is captured: one that it has itself.
struct Choice: Equatable {
  /// Channels in a frame.
  var channelCount: Int
  /// Frames a second, in hertz.
  var sampleRate: Int
  /// The device's sample format.
  var format: snd_pcm_format_t
  /// Whether it can be read as it is: interleaved, 16 bits.
  var isDirect: Bool
  /// Which of the wanted rates the device has itself, in the order in which they are wanted.
  var wantedRates: [Int]

  /// ALSA's name for the format, such as `S24_3LE`.
  var formatName: String { unsafe String(cString: snd_pcm_format_name(format)) }

  /// The choice as the hardware's layout.
  var native: SourceInfo.Native {
    SourceInfo.Native(
      channelCount: channelCount, sampleRate: sampleRate, sampleFormat: formatName)
  }
}

extension HardwareParameters {
  /// Rates to look for where a device has none of the wanted ones.
  private static let usualRates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    176_400, 192_000, 384_000,
  ]

  /// Formats from which plug-ins make 16 bits, the least work first.
  private static let formats = [
    SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
    SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S20_3LE, SND_PCM_FORMAT_S18_3LE,
    SND_PCM_FORMAT_S16_BE, SND_PCM_FORMAT_S24_3BE, SND_PCM_FORMAT_S24_BE, SND_PCM_FORMAT_S32_BE,
    SND_PCM_FORMAT_FLOAT_BE, SND_PCM_FORMAT_FLOAT64_LE, SND_PCM_FORMAT_U16_LE, SND_PCM_FORMAT_S8,
    SND_PCM_FORMAT_U8, SND_PCM_FORMAT_MU_LAW, SND_PCM_FORMAT_A_LAW,
  ]

  /// All that `pcm` can do without a conversion of the rate.
  static func all(of pcm: borrowing PCM, device: String) throws(SplitcapError) -> Self {
    let parameters = HardwareParameters()
    var status = unsafe snd_pcm_hw_params_any(pcm.raw, parameters.raw)
    if status >= 0 {
      status = unsafe snd_pcm_hw_params_set_rate_resample(pcm.raw, parameters.raw, 0)
    }
    guard status >= 0 else {
      throw SplitcapError(alsa: status, doing: "ask for the abilities of", device: device)
    }
    return parameters
  }

  /// Chooses how to capture `pcm`: channels first, then the format, then the rate.
  ///
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat`.
  func choose(
    _ request: CaptureRequest, on pcm: borrowing PCM, device: String
  ) throws(SplitcapError) -> Choice {
    guard let channelCount = chooseChannels(atLeast: request.minimumChannels, on: pcm) else {
      throw SplitcapError(
        .unsupportedFormat, "ALSA device '\(device)' names no number of channels",
        hint: "choose another device of 'splitcap devices'")
    }
    let formats = Self.formats.filter {
      unsafe snd_pcm_hw_params_test_format(pcm.raw, raw, $0) == 0
    }
    guard let format = formats.first else {
      throw SplitcapError(
        .unsupportedFormat,
        "ALSA device '\(device)' has no sample format that can be turned into 16 bits",
        hint: "choose another device of 'splitcap devices'")
    }
    let isInterleaved =
      unsafe snd_pcm_hw_params_test_access(pcm.raw, raw, SND_PCM_ACCESS_RW_INTERLEAVED) == 0
    unsafe _ = snd_pcm_hw_params_set_format(pcm.raw, raw, format)

    let wanted = request.rates.filter { has(rate: $0, on: pcm) }
    let own = ownRates(on: pcm)
    let nearest = own.first { $0 >= request.rates.first ?? 0 } ?? own.last
    guard let rate = wanted.first ?? (request.fallback == .ownRate ? nearest : nil) else {
      let names = formats.map { unsafe String(cString: snd_pcm_format_name($0)) }
      throw SplitcapError(
        .unsupportedFormat,
        "ALSA device '\(device)' has none of the rates \(list(request.rates)) itself",
        hint: "it has \(list(own)) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s"),"
          + " \(names.joined(separator: ", ")); add one of its rates to --rate, or leave out"
          + " --resample never")
    }
    return Choice(
      channelCount: channelCount, sampleRate: rate, format: format,
      isDirect: isInterleaved && format == SND_PCM_FORMAT_S16_LE, wantedRates: wanted)
  }

  /// Takes two channels if the device can, else its fewest; or as many as are wanted.
  private func chooseChannels(atLeast wanted: Int, on pcm: borrowing PCM) -> Int? {
    var fewest: UInt32 = 0
    var most: UInt32 = 0
    guard unsafe snd_pcm_hw_params_get_channels_min(raw, &fewest) >= 0,
      unsafe snd_pcm_hw_params_get_channels_max(raw, &most) >= 0
    else { return nil }
    let first = UInt32(max(2, wanted))
    let enough = first <= most ? first...most : most...most
    // A device that has not enough of them gives what it has; its user is told by the caller.
    for count in Array(enough) + [most, fewest] {
      if unsafe snd_pcm_hw_params_set_channels(pcm.raw, raw, count) >= 0 { return Int(count) }
    }
    return nil
  }

  private func has(rate: Int, on pcm: borrowing PCM) -> Bool {
    guard let rate = UInt32(exactly: rate) else { return false }
    return unsafe snd_pcm_hw_params_test_rate(pcm.raw, raw, rate, 0) == 0
  }

  /// The device's rates in hertz, the lowest first: the usual ones, its lowest and its highest.
  private func ownRates(on pcm: borrowing PCM) -> [Int] {
    var lowest: UInt32 = 0
    var highest: UInt32 = 0
    unsafe _ = snd_pcm_hw_params_get_rate_min(raw, &lowest, nil)
    unsafe _ = snd_pcm_hw_params_get_rate_max(raw, &highest, nil)
    return Set(Self.usualRates + [Int(lowest), Int(highest)])
      .filter { $0 > 0 && has(rate: $0, on: pcm) }.sorted()
  }

  private func list(_ rates: [Int]) -> String {
    rates.map { "\($0)" }.joined(separator: ", ")
  }
}

extension Definition {
  /// Looks what the device itself can do, and chooses; the device is closed again.
  func choose(_ request: CaptureRequest) throws(SplitcapError) -> Choice {
    let pcm = try PCM(opening: name, in: configuration, device: device)
    return try HardwareParameters.all(of: pcm, device: device)
      .choose(request, on: pcm, device: device)
  }

  /// Opens the device as it is, or through a plug-in that turns its samples into 16 bits.
  func open(_ choice: Choice) throws(SplitcapError) -> PCM {
    let name = choice.isDirect ? name : try addConversion(from: choice)
    return try PCM(opening: name, in: configuration, device: device)
  }

  /// Adds a PCM that converts this one's samples and nothing else; gives its name.
  private func addConversion(from choice: Choice) throws(SplitcapError) -> String {
    let converted = "splitcap_converted"
    let escaped = name.reduce(into: "") { text, letter in
      if letter == "\"" || letter == "\\" { text.append("\\") }
      text.append(letter)
    }
    try configuration.add(
      """
      pcm.\(converted) {
        type plug
        slave {
          pcm "\(escaped)"
          format \(choice.formatName)
          channels \(choice.channelCount)
          rate \(choice.sampleRate)
        }
      }
      """)
    return converted
  }
}

extension PCM {
  /// The longest buffer; a device may offer minutes.
  private static let maximumBufferMicroseconds: UInt32 = 2_000_000

  /// Sets the layout and the buffer, and leaves the PCM ready to start.
  ///
  /// - Returns: Frames in a period, after each of which a reader is woken.
  func configure(
    _ choice: Choice, latency: Duration, device: String
  ) throws(SplitcapError) -> Int {
    let parameters = try HardwareParameters.all(of: self, device: device)
    let params = unsafe parameters.raw
    try check(device) {
      unsafe snd_pcm_hw_params_set_access(raw, params, SND_PCM_ACCESS_RW_INTERLEAVED)
    }
    try check(device) {
      unsafe snd_pcm_hw_params_set_format(raw, params, SND_PCM_FORMAT_S16_LE)
    }
    try check(device) {
      unsafe snd_pcm_hw_params_set_channels(raw, params, UInt32(choice.channelCount))
    }
    try check(device) {
      unsafe snd_pcm_hw_params_set_rate(raw, params, UInt32(choice.sampleRate), 0)
    }
    // The buffer: as long as may be, in at least four periods. A device that can't is taken as it
    // is, since short buffers are better than none.
    var longest = Self.maximumBufferMicroseconds
    var periods: UInt32 = 4
    var period = UInt32(clamping: max(1, Int64(latency / .microseconds(1))))
    unsafe _ = snd_pcm_hw_params_set_buffer_time_max(raw, params, &longest, nil)
    unsafe _ = snd_pcm_hw_params_set_periods_min(raw, params, &periods, nil)
    unsafe _ = snd_pcm_hw_params_set_period_time_near(raw, params, &period, nil)
    var bufferFrames: snd_pcm_uframes_t = 0
    unsafe _ = snd_pcm_hw_params_get_buffer_size_max(params, &bufferFrames)
    unsafe _ = snd_pcm_hw_params_set_buffer_size_near(raw, params, &bufferFrames)
    try check(device) { unsafe snd_pcm_hw_params(raw, params) }

    var periodFrames: snd_pcm_uframes_t = 0
    unsafe _ = snd_pcm_hw_params_get_period_size(params, &periodFrames, nil)
    return Int(periodFrames)
  }

  private func check(_ device: String, _ call: () -> Int32) throws(SplitcapError) {
    let status = call()
    guard status >= 0 else {
      throw SplitcapError(alsa: status, doing: "set up", device: device)
    }
  }
}
