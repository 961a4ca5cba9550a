private import ALSASource
private import PulseSource
internal import SplitcapCore

extension DeviceList {
  /// Asks each back end that is wanted.
  init(gathering options: DevicesOptions) {
    self.init(rates: options.rates)
    if options.backend != .alsa {
      add(.pulse) { () throws(SplitcapError) in
        let server = try PulseServer()
        return (server.description, server.devices(rates: options.rates))
      }
    }
    if options.backend != .pulse {
      add(.alsa) { () throws(SplitcapError) in
        (nil, try ALSASource.devices(rates: options.rates))
      }
    }
  }
}
