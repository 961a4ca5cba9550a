private import CPulse
public import SplitcapCore

/// Capture from a source of a PulseAudio server, or of PipeWire's Pulse server.
///
/// The stream has as many channels as the source has itself, so that the server never makes two
/// ears of one; it is tied to that source, so that the server never goes on with another one.
public struct PulseSource: ~Copyable, CaptureSource {
  private let stream: Stream
  /// The server's number of the source that was asked for.
  private let deviceIndex: UInt32
  /// Bytes of the server's present fragment that were read already.
  private var consumed = 0

  /// What is recorded; see ``SourceInfo``.
  public let info: SourceInfo

  /// Connects to the server that other programs would use, and starts to record.
  ///
  /// - Throws: As ``PulseServer/init(address:timeout:)`` and ``init(server:_:)``.
  public init(_ request: CaptureRequest) throws(SplitcapError) {
    try self.init(server: PulseServer(), request)
  }

  /// Starts to record over a connection that stands.
  ///
  /// - Throws: ``SplitcapError`` of kind `sourceUnavailable` or `usage` if the device isn't there or
  ///   isn't told unambiguously, else as the server refuses.
  ///
  /// The corresponding C function is `pa_stream_connect_record`.
  public init(
    server: consuming PulseServer, _ request: CaptureRequest
  ) throws(SplitcapError) {
    guard let rate = request.rates.first else {
      throw SplitcapError(.usage, "no rate is asked for", hint: "name one with --rate")
    }
    let inventory = server.inventory
    let source = try inventory.choose(request)
    let stream = try Stream(
      recording: source, rate: rate, request, on: server.context)
    info = inventory.describe(
      source, rate: rate, channels: stream.channels, latencyFrames: stream.latencyFrames())
    deviceIndex = stream.deviceIndex
    self.stream = stream
  }

  /// Waits for sound; see ``CaptureSource/read(into:)``.
  ///
  /// It runs libpulse's loop and copies out of the server's fragments, as many as fit. It takes no
  /// lock of its own, allocates nothing, writes and logs nothing.
  ///
  /// The corresponding C functions are `pa_stream_peek` and `pa_stream_drop`.
  public mutating func read(
    into buffer: inout MutableSpan<Int16>
  ) throws(SplitcapError) -> ReadResult {
    let frameBytes = info.format.channelCount * MemoryLayout<Int16>.size
    let room = buffer.count / info.format.channelCount * frameBytes
    precondition(room > 0, "a buffer needs room for a frame")
    let deadline = SystemClock.monotonic + 100_000_000
    var filled = 0
    while filled < room {
      var data: UnsafeRawPointer?
      var size = 0
      let status = unsafe pa_stream_peek(stream.raw, &data, &size)
      let isOurs = status >= 0 && stream.deviceIndex == deviceIndex
      let hasSamples = unsafe data != nil
      // What was copied already is delivered first; a fault or a hole is still there next time.
      if filled > 0 && !(isOurs && hasSamples) { break }
      guard isOurs else { throw loss() }
      if size == 0 {
        guard stream.context.loop.handleEvents(until: deadline) else { return .nothing }
      } else if let data = unsafe data {
        // libpulse gives whole frames, whatever the server sent.
        let count = min(size - consumed, room - filled)
        unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe (bytes.baseAddress! + filled).copyMemory(from: data + consumed, byteCount: count)
        }
        filled += count
        consumed += count
        if consumed == size { drop() }
      } else {
        drop()
        let frames = size / frameBytes
        if frames > 0 { return .gap(Gap(frames: frames, cause: .serverHole)) }
      }
    }
    return .frames(filled / frameBytes)
  }

  /// Gives the fragment back.
  private mutating func drop() {
    unsafe _ = pa_stream_drop(stream.raw)
    consumed = 0
  }

  /// Why the stream no longer stands, or no longer is what was asked for.
  private func loss() -> SplitcapError {
    if !stream.context.isGood { return .serverLost(info.name, stream.context.failure) }
    guard stream.isReady else { return .removed(info.name) }
    return .moved(info.name, to: stream.deviceName)
  }
}
