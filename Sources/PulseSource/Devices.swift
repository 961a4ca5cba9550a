internal import SplitcapCore

extension Inventory {
  /// What can be recorded, microphones first, each kind in the server's order.
  func devices(rates: [Int]) -> [DeviceInfo] {
    let all = sources.map { device($0, rates: rates) }
    return [DeviceInfo.Kind.microphone, .virtual, .monitor].flatMap { kind in
      all.filter { $0.kind == kind }
    }
  }

  private func device(_ source: Source, rates: [Int]) -> DeviceInfo {
    let origin = origin(of: source)
    let bluetooth = Bluetooth(origin, cards: cards)
    return DeviceInfo(
      backend: .pulse, name: source.name, description: source.description, kind: kind(of: source),
      native: origin.native, ownRates: rates.filter { $0 == origin.sampleRate },
      isDefault: source.name == defaultSourceName && !source.isMonitor, isMuted: source.isMuted,
      volumePercent: source.volumePercent, state: source.state,
      bluetoothProfile: bluetooth?.profile, bluetoothCodec: bluetooth?.codec,
      notes: [monoReason(of: source)].compactMap { $0 } + notes(on: source))
  }

  private func kind(of source: Source) -> DeviceInfo.Kind {
    if source.isMonitor { return .monitor }
    let properties = source.properties
    if properties["device.class"] == "filter" { return .virtual }
    // Before the next line, since WirePlumber 0.5 puts a loopback in front of a real headset.
    if Bluetooth(source, cards: cards) != nil { return .microphone }
    let isMade =
      master(of: source) != nil || properties["node.virtual"] == "true"
      || properties["media.class"]?.hasSuffix("/Virtual") ?? false
    return source.isHardware && !isMade ? .microphone : .virtual
  }

  /// Why only one ear can come from a source, or `nil` if two may.
  func monoReason(of source: Source) -> String? {
    let origin = origin(of: source)
    if let bluetooth = Bluetooth(origin, cards: cards), bluetooth.isHeadsetProfile,
      let profile = bluetooth.profile
    {
      return "its profile \(profile) sends one microphone"
    }
    guard origin.channels.count == 1 else { return nil }
    return origin.index == source.index
      ? "it has one channel"
      : "it copies the one channel of '\(origin.name)' to \(source.channels.count)"
  }

  /// What a user should know of a source before and while it is recorded.
  func notes(on source: Source) -> [String] {
    var notes: [String] = []
    if source.isMonitor { notes.append("a monitor: what the computer plays, no microphone") }
    let origin = origin(of: source)
    if origin.index != source.index { notes.append("takes its sound from '\(origin.name)'") }
    for part in origin.index == source.index ? [source] : [source, origin] {
      notes += part.silenceNotes
    }
    if let bluetooth = Bluetooth(origin, cards: cards) {
      if bluetooth.leavesMusicProfile {
        notes.append(
          "recording switches this headset from music (A2DP) to its telephone profile;"
            + " what it plays will sound worse until the recording ends")
      }
      if bluetooth.mayDoubleMono {
        notes.append("its codec gives two channels even if the headset sends one microphone")
      }
    }
    return notes
  }
}

extension Inventory.Source {
  /// The layout that the server shows for it.
  var native: SourceInfo.Native {
    SourceInfo.Native(
      channelCount: channels.count, sampleRate: sampleRate, sampleFormat: sampleFormat)
  }

  /// What makes it silent in the server, which looks exactly like a dead microphone.
  fileprivate var silenceNotes: [String] {
    if isMuted {
      return ["'\(name)' is muted in the sound server: 'pactl set-source-mute \(name) 0'"]
    }
    return zip(channels, volumePercent).filter { $0.1 == 0 }.map { channel, _ in
      "channel \(channel) of '\(name)' is at 0 % in the sound server:"
        + " 'pactl set-source-volume \(name) 100%'"
    }
  }
}
