internal import SplitcapCore

/// Bytes that were read, but not yet delivered, in memory that is allocated once.
struct HeldBytes: Sendable {
  private var storage: [UInt8]
  private var range = 0..<0

  /// Makes room for `capacity` bytes.
  init(capacity: Int) { storage = [UInt8](repeating: 0, count: capacity) }

  var count: Int { range.count }

  /// What kind of sound file the bytes that are held are the start of.
  var fileKind: String? { SoundFileKind.of(storage[range]) }

  /// Reads once, at most `limit` bytes, behind those that are held.
  mutating func fill(
    from input: inout StreamInput, limit: Int
  ) throws(SplitcapError) -> StreamInput.Result {
    moveToStart()
    let room = range.upperBound..<(range.upperBound + min(limit, storage.count - range.upperBound))
    var span = storage.mutableSpan
    var bytes = unsafe span.mutableBytes
    var part = bytes._mutatingExtracting(room)
    let result = try input.read(into: &part)
    if case .bytes(let count) = result { range = 0..<(range.upperBound + count) }
    return result
  }

  /// Gives the bytes to `parser`, and keeps those behind the header.
  mutating func feed(_ parser: inout WaveHeaderParser) {
    removeFirst(parser.feed(unsafe storage.span.bytes.extracting(range)))
  }

  /// Converts the first `count` samples, and drops them.
  mutating func take(
    samples count: Int, of format: SampleFormat, into buffer: inout MutableSpan<Int16>
  ) {
    let taken = range.lowerBound..<(range.lowerBound + count * format.byteCount)
    format.convert(unsafe storage.span.bytes.extracting(taken), into: &buffer)
    removeFirst(taken.count)
  }

  /// Copies all bytes to the start of `buffer`, and keeps them.
  func copy(to buffer: inout MutableRawSpan) {
    for (i, byte) in storage[range].enumerated() {
      buffer.storeBytes(of: byte, toByteOffset: i, as: UInt8.self)
    }
  }

  /// Holds `bytes` in place of all others.
  mutating func replace(with bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      for i in bytes.indices { storage[i] = unsafe bytes[i] }
      range = bytes.indices
    }
  }

  /// Puts `bytes` before the others; while opening only, as it allocates.
  mutating func insertFirst(_ bytes: [UInt8]) {
    let all = bytes + storage[range]
    if storage.count < all.count {
      storage += [UInt8](repeating: 0, count: all.count - storage.count)
    }
    replace(with: unsafe all.span.bytes)
  }

  /// Drops all but the first `count` bytes, if there are more.
  mutating func keepFirst(_ count: Int) { range = range.prefix(count) }

  private mutating func removeFirst(_ count: Int) { range = range.dropFirst(count) }

  private mutating func moveToStart() {
    if range.lowerBound == 0 { return }
    for (to, from) in range.enumerated() { storage[to] = storage[from] }
    range = 0..<range.count
  }
}
