internal import CPulse
internal import SplitcapCore

extension Inventory {
  /// Asks the server; all questions travel together, which costs one round trip.
  ///
  /// The corresponding C functions are `pa_context_get_server_info`,
  /// `pa_context_get_source_info_list`, `pa_context_get_card_info_list` and
  /// `pa_context_get_source_output_info_list`.
  init(of context: borrowing Context, until deadline: Int64) throws(SplitcapError) {
    let answers = Answers()
    let pointer = unsafe Unmanaged.passUnretained(answers).toOpaque()
    let server = unsafe Operation(pa_context_get_server_info(context.raw, takeServer, pointer))
    let sources = unsafe Operation(
      pa_context_get_source_info_list(context.raw, takeSource, pointer))
    let cards = unsafe Operation(pa_context_get_card_info_list(context.raw, takeCard, pointer))
    let taps = unsafe Operation(
      pa_context_get_source_output_info_list(context.raw, takeTap, pointer))
    while answers.isOpen && context.isGood && context.loop.handleEvents(until: deadline) {}
    // What has not been answered by now is taken back, so nothing writes to `answers` later.
    _ = consume server
    _ = consume sources
    _ = consume cards
    _ = consume taps
    guard !answers.isOpen && !answers.hasFailed else {
      throw .noAnswer(
        answers.isOpen && context.isGood
          ? PulseFailure(code: Int32(PA_ERR_TIMEOUT.rawValue)) : context.failure)
    }
    self = answers.inventory
  }
}

/// Collects what callbacks bring while the loop runs; a class, since they carry one pointer.
private final class Answers {
  var inventory = Inventory()
  var hasFailed = false
  private var open = 4

  var isOpen: Bool { open > 0 }

  func end(isFailure: Bool) {
    open -= 1
    if isFailure { hasFailed = true }
  }

  /// The object behind the pointer that a callback carries.
  @unsafe
  static func behind(_ pointer: UnsafeMutableRawPointer?) -> Answers {
    unsafe Unmanaged<Answers>.fromOpaque(pointer!).takeUnretainedValue()
  }
}

private let takeServer: pa_server_info_cb_t = { _, info, pointer in
  let answers = unsafe Answers.behind(pointer)
  if let info = unsafe info?.pointee {
    unsafe answers.inventory.serverName = text(info.server_name)
    unsafe answers.inventory.serverVersion = text(info.server_version)
    unsafe answers.inventory.defaultSourceName = text(info.default_source_name)
    unsafe answers.inventory.defaultRate = Int(info.sample_spec.rate)
  }
  answers.end(isFailure: unsafe info == nil)
}

private let takeSource: pa_source_info_cb_t = { _, info, isLast, pointer in
  let answers = unsafe Answers.behind(pointer)
  if isLast != 0 { return answers.end(isFailure: isLast < 0) }
  if let info = unsafe info?.pointee {
    unsafe answers.inventory.sources.append(Inventory.Source(info))
  }
}

private let takeCard: pa_card_info_cb_t = { _, info, isLast, pointer in
  let answers = unsafe Answers.behind(pointer)
  if isLast != 0 { return answers.end(isFailure: isLast < 0) }
  if let info = unsafe info?.pointee {
    let profile = unsafe info.active_profile2?.pointee
    unsafe answers.inventory.cards.append(
      Inventory.Card(
        index: info.index, name: text(info.name), profile: text(profile?.name)))
  }
}

private let takeTap: pa_source_output_info_cb_t = { _, info, isLast, pointer in
  let answers = unsafe Answers.behind(pointer)
  if isLast != 0 { return answers.end(isFailure: isLast < 0) }
  if let info = unsafe info?.pointee {
    let group = unsafe text(pa_proplist_gets(info.proplist, "node.link-group"))
    unsafe answers.inventory.taps.append(Inventory.Tap(source: info.source, group: group))
  }
}

extension Inventory.Source {
  @unsafe
  fileprivate init(_ info: pa_source_info) {
    unsafe index = info.index
    unsafe name = text(info.name)
    unsafe description = text(info.description)
    unsafe channels = positions(in: info.channel_map)
    unsafe sampleRate = Int(info.sample_spec.rate)
    unsafe sampleFormat = text(pa_sample_format_to_string(info.sample_spec.format))
    unsafe isMonitor = info.monitor_of_sink != UInt32.max
    unsafe isHardware = info.flags.rawValue & PA_SOURCE_HARDWARE.rawValue != 0
    unsafe isMuted = info.mute != 0
    unsafe volumePercent = percent(info.volume)
    switch unsafe info.state {
    case PA_SOURCE_RUNNING: state = "running"
    case PA_SOURCE_IDLE: state = "idle"
    case PA_SOURCE_SUSPENDED: state = "suspended"
    default: state = "unknown"
    }
    unsafe card = info.card
    unsafe properties = dictionary(info.proplist)
  }
}

/// A C string as text; empty if there is none.
@unsafe
private func text(_ string: UnsafePointer<CChar>?) -> String {
  unsafe string.map { unsafe String(cString: $0) } ?? ""
}

/// The names of a map's positions, such as `front-left`.
///
/// The corresponding C function is `pa_channel_position_to_string`.
func positions(in map: pa_channel_map) -> [String] {
  var map = map
  return unsafe withUnsafeBytes(of: &map.map) { bytes in
    unsafe bytes.bindMemory(to: pa_channel_position_t.self).prefix(Int(map.channels)).map {
      unsafe text(pa_channel_position_to_string($0))
    }
  }
}

/// Volumes in percent; 0 is silence, 100 leaves samples as they are.
private func percent(_ volume: pa_cvolume) -> [Int] {
  unsafe withUnsafeBytes(of: volume.values) { bytes in
    unsafe bytes.bindMemory(to: pa_volume_t.self).prefix(Int(volume.channels)).map {
      // Rounded up, so that only silence is 0.
      (Int($0) * 100 + 0xFFFF) / 0x10000
    }
  }
}

/// A property list as a dictionary; values that are no text are left out.
///
/// The corresponding C functions are `pa_proplist_iterate` and `pa_proplist_gets`.
@unsafe
private func dictionary(_ list: OpaquePointer?) -> [String: String] {
  guard let list = unsafe list else { return [:] }
  var entries: [String: String] = [:]
  var state: UnsafeMutableRawPointer?
  while let key = unsafe pa_proplist_iterate(list, &state) {
    if let value = unsafe pa_proplist_gets(list, key) {
      unsafe entries[String(cString: key)] = unsafe String(cString: value)
    }
  }
  return entries
}
