/// What a server said about itself, its sources and its cards at one time.
struct Inventory: Sendable {
  /// As the server calls itself, such as `pulseaudio` or `PulseAudio (on PipeWire 0.3.65)`.
  var serverName = ""
  var serverVersion = ""
  /// PipeWire gives a placeholder here if it has no source.
  var defaultSourceName = ""
  /// The rate that the server mixes at where nothing else decides, in hertz.
  var defaultRate = 0
  var sources: [Source] = []
  var cards: [Card] = []
  var taps: [Tap] = []

  /// A source as the server describes it.
  struct Source: Sendable {
    var index: UInt32
    var name: String
    var description: String
    /// The position of each channel, such as `front-left`.
    var channels: [String]
    var sampleRate: Int
    var sampleFormat: String
    var isMonitor: Bool
    var isHardware: Bool
    var isMuted: Bool
    /// Of each channel.
    var volumePercent: [Int]
    var state: String
    /// The number of the card that it belongs to.
    var card: UInt32
    var properties: [String: String]
  }

  /// A sound card or headset, of which sources are a part.
  struct Card: Sendable {
    var index: UInt32
    var name: String
    /// The name of the profile that is switched on, such as `headset_head_unit`.
    var profile: String
  }

  /// A stream by which a part of PipeWire's graph takes sound from a source.
  struct Tap: Sendable {
    /// The number of the source that it takes sound from.
    var source: UInt32
    /// The name that it shares with what it gives the sound to; empty outside of PipeWire.
    var group: String
  }

  /// Whether the server is PipeWire's.
  var isPipeWire: Bool { serverName.contains("PipeWire") }

  /// Name and version, as a person would say it.
  var serverDescription: String {
    isPipeWire ? serverName : "PulseAudio \(serverVersion)"
  }

  /// The source that is recorded by default, if there is one.
  var defaultSource: Source? { source(named: defaultSourceName) }

  /// The source of that exact name.
  func source(named name: String) -> Source? { sources.first { $0.name == name } }

  /// The source that sound really comes from: behind any that only remap or filter another one.
  ///
  /// - Complexity: O(*n*²) in sources at worst.
  func origin(of source: Source) -> Source {
    var origin = source
    var seen: Set<UInt32> = [source.index]
    // A circle of filters is nonsense, but must not hang us.
    while let next = master(of: origin), seen.insert(next.index).inserted { origin = next }
    return origin
  }

  /// The source that `source` takes its sound from, if it has none of its own.
  ///
  /// A filter of PulseAudio names it. A filter or loopback of PipeWire shares a link group with the
  /// stream by which it listens.
  func master(of source: Source) -> Source? {
    if let name = source.properties["device.master_device"] { return self.source(named: name) }
    guard let group = source.properties["node.link-group"],
      let tap = taps.first(where: { $0.group == group })
    else { return nil }
    return sources.first { $0.index == tap.source }
  }
}
