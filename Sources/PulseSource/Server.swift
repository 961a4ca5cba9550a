private import CPulse
public import SplitcapCore

/// A connection to a PulseAudio server, or to PipeWire's Pulse server, and what could be recorded
/// there when it was made.
///
/// A server that runs is never started, stopped or changed. Used by one thread at a time.
public struct PulseServer: ~Copyable, Sendable {
  let context: Context
  let inventory: Inventory

  /// Connects, and asks what there is; one round trip after the log-in.
  ///
  /// - Parameters:
  ///   - address: As `PULSE_SERVER` has it; `nil` for the server that other programs would use.
  ///   - timeout: How long a server, or a socket that nobody serves, may keep us waiting.
  /// - Throws: ``SplitcapError`` of kind `sourceUnavailable` or `permissionDenied`.
  ///
  /// The corresponding C function is `pa_context_connect`.
  public init(
    address: String? = nil, timeout: Duration = .seconds(1)
  ) throws(SplitcapError) {
    let deadline = SystemClock.monotonic + Int64(timeout / .nanoseconds(1))
    let context = try Context("splitcap", on: Mainloop())
    Context.hideMemoryFromChildren()
    let status = unsafe pa_context_connect(context.raw, address, PA_CONTEXT_NOAUTOSPAWN, nil)
    guard status >= 0 else {
      throw .noServer(context.failure, address: address, after: nil)
    }
    while context.state != PA_CONTEXT_READY {
      guard context.isGood else {
        throw .noServer(context.failure, address: address, after: nil)
      }
      guard context.loop.handleEvents(until: deadline) else {
        throw .noServer(context.failure, address: address, after: timeout)
      }
    }
    inventory = try Inventory(of: context, until: deadline)
    self.context = context
  }

  /// Name and version, such as `PulseAudio 16.1` or `PulseAudio (on PipeWire 0.3.65)`.
  public var description: String { inventory.serverDescription }

  /// The name of the source that is recorded when none is named; `nil` if the server has none.
  public var defaultSource: String? { inventory.defaultSource?.name }

  /// The sources that were there when the connection was made, microphones first.
  ///
  /// Of the wanted `rates` in hertz, ``DeviceInfo/ownRates`` tells which need no conversion.
  public func devices(rates: [Int] = StreamFormat.preferredRates) -> [DeviceInfo] {
    inventory.devices(rates: rates)
  }
}
