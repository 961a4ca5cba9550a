internal import CALSA
private import Glibc
internal import SplitcapCore

/// Owns the description of a PCM.
///
/// The corresponding C type is `snd_pcm_info_t`.
@safe
private struct PCMInfo: ~Copyable {
  let raw: OpaquePointer

  /// The corresponding C function is `snd_pcm_info_malloc`.
  init() {
    var raw: OpaquePointer?
    unsafe _ = snd_pcm_info_malloc(&raw)
    unsafe self.raw = raw!  // fails only without memory
  }

  deinit { unsafe snd_pcm_info_free(raw) }

  /// The corresponding C function is `snd_pcm_info_get_name`.
  var name: String { unsafe String(cString: snd_pcm_info_get_name(raw)) }
}

extension PCM {
  /// What the hardware is called, with its card, so that another card that gets the same number is
  /// seen to be another; `nil` for a PCM without hardware.
  ///
  /// The corresponding C function is `snd_pcm_info`.
  var hardwareName: String? {
    let info = PCMInfo()
    guard unsafe snd_pcm_info(raw, info.raw) >= 0 else { return nil }
    let card = unsafe snd_pcm_info_get_card(info.raw)
    guard card >= 0 else { return nil }
    guard let names = CardControl(card: card)?.names else {
      return info.name.isEmpty ? nil : info.name
    }
    return Cards.description(card: names.text, device: info.name)
  }
}

/// Owns an open control device of a card.
///
/// The corresponding C type is `snd_ctl_t`.
@safe
private struct CardControl: ~Copyable {
  let raw: OpaquePointer

  /// The corresponding C function is `snd_ctl_open`.
  init?(card: Int32) {
    var raw: OpaquePointer?
    guard unsafe snd_ctl_open(&raw, "hw:\(card)", SND_CTL_NONBLOCK) >= 0, let raw = unsafe raw
    else { return nil }
    unsafe self.raw = raw
  }

  deinit { unsafe _ = snd_ctl_close(raw) }

  /// What a card is called: its id, as in `hw:CARD=id`, and a text for people.
  ///
  /// The corresponding C function is `snd_ctl_card_info`.
  var names: (id: String, text: String)? {
    var info: OpaquePointer?
    guard unsafe snd_ctl_card_info_malloc(&info) >= 0, let info = unsafe info else { return nil }
    defer { unsafe snd_ctl_card_info_free(info) }
    guard unsafe snd_ctl_card_info(raw, info) >= 0 else { return nil }
    return unsafe (
      String(cString: snd_ctl_card_info_get_id(info)),
      String(cString: snd_ctl_card_info_get_name(info))
    )
  }

  /// The name of a capture device, or `nil` if the card's device `number` does not capture.
  ///
  /// The corresponding C function is `snd_ctl_pcm_info`.
  func captureName(device number: Int32) -> String? {
    let info = PCMInfo()
    unsafe snd_pcm_info_set_device(info.raw, UInt32(number))
    unsafe snd_pcm_info_set_subdevice(info.raw, 0)
    unsafe snd_pcm_info_set_stream(info.raw, SND_PCM_STREAM_CAPTURE)
    return unsafe snd_ctl_pcm_info(raw, info.raw) >= 0 ? info.name : nil
  }
}

/// The sound cards that the kernel knows.
enum Cards {
  /// Devices of all cards that capture, by names that stay the same when cards are plugged.
  static func captureDevices() -> [ALSADevices.Entry] {
    var entries: [ALSADevices.Entry] = []
    var card: Int32 = -1
    while unsafe snd_card_next(&card) >= 0 && card >= 0 {
      guard let control = CardControl(card: card), let names = control.names else { continue }
      var device: Int32 = -1
      while unsafe snd_ctl_pcm_next_device(control.raw, &device) >= 0 && device >= 0 {
        guard let name = control.captureName(device: device) else { continue }
        entries.append(
          ALSADevices.Entry(
            name: "hw:CARD=\(names.id),DEV=\(device)",
            description: description(card: names.text, device: name)))
      }
    }
    return entries
  }
}

extension Cards {
  /// A text for people.
  static func description(card: String, device: String) -> String {
    device.isEmpty || device == card ? card : "\(card), \(device)"
  }
}

/// The names that ALSA would show to a user.
enum NameHints {
  /// Names of the PCMs that capture.
  ///
  /// The corresponding C function is `snd_device_name_hint`.
  static func captureNames() -> [String] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    let everyCard: Int32 = -1
    guard unsafe snd_device_name_hint(everyCard, "pcm", &hints) >= 0, let hints = unsafe hints
    else { return [] }
    defer { unsafe _ = snd_device_name_free_hint(hints) }
    var names: [String] = []
    var place = unsafe hints
    while let hint = unsafe place.pointee {
      // No direction means both.
      if unsafe text("IOID", of: hint) != "Output", let name = unsafe text("NAME", of: hint) {
        names.append(name)
      }
      unsafe place += 1
    }
    return names
  }

  /// The corresponding C function is `snd_device_name_get_hint`.
  private static func text(_ id: String, of hint: UnsafeRawPointer) -> String? {
    guard let text = unsafe snd_device_name_get_hint(hint, id) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
