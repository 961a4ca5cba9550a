internal import SplitcapCore

extension DeviceList {
  /// Asks each back end that is wanted; none is part of the program yet.
  init(gathering options: DevicesOptions) {
    self.init(rates: options.rates)
    for backend in [SourceInfo.Backend.pulse, .alsa] {
      add(backend) { () throws(SplitcapError) in
        throw SplitcapError(.backend, "\(backend.rawValue) can't be asked yet")
      }
    }
  }
}
