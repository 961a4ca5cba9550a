internal import SplitcapCore

extension DeviceList {
  /// Asks each back end that is wanted; none is part of the program yet.
  init(gathering options: DevicesOptions) {
    self.init(rates: options.rates)
    let backends: [SourceInfo.Backend] =
      switch options.backend {
      case .auto: [.pulse, .alsa]
      case .pulse: [.pulse]
      case .alsa: [.alsa]
      }
    for backend in backends {
      add(backend) { () throws(SplitcapError) in
        throw SplitcapError(.backend, "\(backend.rawValue) can't be asked yet")
      }
    }
  }
}
