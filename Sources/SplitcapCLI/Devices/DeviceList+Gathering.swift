private import ALSASource
private import PulseSource
internal import SplitcapCore

extension DeviceList {
  /// Asks the back ends that are wanted, one after the other.
  init(gathering options: DevicesOptions) {
    self.init(rates: options.rates)
    if options.backend != .alsa {
      add(.pulse) { () throws(SplitcapError) in
        let server = try PulseServer()
        return (server.description, server.devices(rates: options.rates))
      }
    }
    // Names are those that --device takes: of the back end that is recorded from.
    let isNamed = options.form == .names && !answers.isEmpty
    if options.backend != .pulse && !isNamed {
      add(.alsa) { () throws(SplitcapError) in
        (nil, try ALSASource.devices(rates: options.rates))
      }
    }
  }
}
