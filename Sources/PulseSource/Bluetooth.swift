/// What a server tells of the Bluetooth link behind a source.
struct Bluetooth: Sendable, Equatable {
  /// Such as `headset_head_unit`, `headset-head-unit-msbc` or `bap-duplex`, in the server's spelling.
  var profile: String?
  /// Such as `mSBC` or `lc3`, in the server's spelling.
  var codec: String?
  /// Whether this is the front that WirePlumber 0.5 keeps for a microphone that is switched off.
  var isFront: Bool

  /// Looks for a Bluetooth link; `nil` if the source is not of that kind.
  ///
  /// PulseAudio tells `bluetooth.protocol` and `bluetooth.codec`, PipeWire `api.bluez5.profile` and
  /// `api.bluez5.codec`. The front of WirePlumber 0.5 has neither; its card has the profile.
  init?(_ source: Inventory.Source, cards: [Inventory.Card]) {
    let properties = source.properties
    guard
      properties["device.bus"] == "bluetooth"
        || properties["device.api"].map({ $0.hasPrefix("bluez") }) ?? false
        || properties["bluez5.loopback"] == "true" || source.name.hasPrefix("bluez_")
    else { return nil }
    let card = cards.first { $0.index == source.card } ?? Self.card(of: source, in: cards)
    profile =
      properties["bluetooth.protocol"] ?? properties["api.bluez5.profile"] ?? card?.profile
    codec = properties["bluetooth.codec"] ?? properties["api.bluez5.codec"]
    isFront = properties["bluez5.loopback"] == "true"
  }

  /// Whether the profile is one of a telephone headset, which sends one microphone.
  var isHeadsetProfile: Bool {
    guard let profile = profile?.lowercased() else { return false }
    return ["headset", "handsfree", "hfp", "hsp"].contains { profile.hasPrefix($0) }
  }

  /// Whether the headset plays music now and would change to its telephone profile if recorded.
  var leavesMusicProfile: Bool { isFront && profile?.hasPrefix("a2dp") ?? false }

  /// Whether the codec gives two channels even if the headset sends one microphone.
  var mayDoubleMono: Bool { codec?.lowercased().hasPrefix("faststream") ?? false }

  /// The card of the same address: both names hold it, with `_` or `:` between the bytes.
  private static func card(
    of source: Inventory.Source, in cards: [Inventory.Card]
  ) -> Inventory.Card? {
    let name = String(source.name.map { $0 == ":" ? "_" : $0 })
    return cards.first { card in
      guard card.name.hasPrefix("bluez_card.") else { return false }
      return name.contains(card.name.dropFirst("bluez_card.".count))
    }
  }
}
