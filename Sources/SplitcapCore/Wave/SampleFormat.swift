/// How one sample is laid out in a stream, and what it is as a signed 16-bit value.
///
/// Wider formats are rounded to the nearest 16-bit value, without dither; what is beyond full scale
/// is clipped to it. A float of 1.0 is 32768 steps, so that 16-bit sound that went through floats
/// comes back as it was.
package enum SampleFormat: String, CaseIterable, Sendable {
  /// Unsigned 8-bit; silence is 128.
  case u8
  /// Signed 8-bit.
  case s8
  /// Signed 16-bit, lowest byte first.
  case s16le
  /// Signed 16-bit, highest byte first.
  case s16be
  /// Signed 24-bit in three bytes, lowest byte first.
  case s24le
  /// Signed 24-bit in three bytes, highest byte first.
  case s24be
  /// Signed 32-bit, lowest byte first.
  case s32le
  /// Signed 32-bit, highest byte first.
  case s32be
  /// 32-bit float, full scale 1.0, lowest byte first.
  case f32le
  /// 32-bit float, full scale 1.0, highest byte first.
  case f32be
  /// 64-bit float, full scale 1.0, lowest byte first.
  case f64le
  /// 64-bit float, full scale 1.0, highest byte first.
  case f64be

  /// Bytes in a sample.
  package var byteCount: Int {
    switch self {
    case .u8, .s8: 1
    case .s16le, .s16be: 2
    case .s24le, .s24be: 3
    case .s32le, .s32be, .f32le, .f32be: 4
    case .f64le, .f64be: 8
    }
  }

  /// Whether the values are floating point.
  package var isFloat: Bool { [.f32le, .f32be, .f64le, .f64be].contains(self) }

  /// Whether 16 bits hold every value.
  package var fitsIn16Bits: Bool { byteCount <= 2 }

  /// Turns `bytes`, whole samples in this format, into 16-bit values at the start of `samples`.
  ///
  /// - Complexity: O(*n*) in samples. Allocates nothing.
  package func convert(_ bytes: RawSpan, into samples: inout MutableSpan<Int16>) {
    let count = bytes.byteCount / byteCount
    precondition(samples.count >= count, "no room for \(count) samples")
    // One loop a format, so that each is a plain one.
    unsafe bytes.withUnsafeBytes { bytes in
      func each(_ sample: (Int) -> Int16) {
        for i in 0..<count { samples[i] = sample(i) }
      }
      func load<Number: BitwiseCopyable>(_ i: Int, as type: Number.Type) -> Number {
        unsafe bytes.loadUnaligned(fromByteOffset: i * MemoryLayout<Number>.size, as: type)
      }
      func load24(_ i: Int, _ low: Int, _ high: Int) -> Int32 {
        let middle = unsafe UInt32(bytes[3 * i + 1]) << 16
        return unsafe Int32(
          bitPattern: UInt32(bytes[3 * i + low]) << 8 | middle | UInt32(bytes[3 * i + high]) << 24)
      }
      switch self {
      case .u8: each { (Int16(load($0, as: UInt8.self)) - 128) << 8 }
      case .s8: each { Int16(load($0, as: Int8.self)) << 8 }
      case .s16le: each { Int16(littleEndian: load($0, as: Int16.self)) }
      case .s16be: each { Int16(bigEndian: load($0, as: Int16.self)) }
      case .s24le: each { Int16(rounding: load24($0, 0, 2)) }
      case .s24be: each { Int16(rounding: load24($0, 2, 0)) }
      case .s32le: each { Int16(rounding: Int32(littleEndian: load($0, as: Int32.self))) }
      case .s32be: each { Int16(rounding: Int32(bigEndian: load($0, as: Int32.self))) }
      case .f32le:
        each { Int16(clipping: Float(bitPattern: .init(littleEndian: load($0, as: UInt32.self)))) }
      case .f32be:
        each { Int16(clipping: Float(bitPattern: .init(bigEndian: load($0, as: UInt32.self)))) }
      case .f64le:
        each { Int16(clipping: Double(bitPattern: .init(littleEndian: load($0, as: UInt64.self)))) }
      case .f64be:
        each { Int16(clipping: Double(bitPattern: .init(bigEndian: load($0, as: UInt64.self)))) }
      }
    }
  }
}

extension Int16 {
  /// The nearest 16-bit value of a 32-bit sample; halves go up, full scale is clipped.
  @inlinable
  package init(rounding sample: Int32) {
    let (sum, overflow) = sample.addingReportingOverflow(1 << 15)
    self = overflow ? .max : Int16(truncatingIfNeeded: sum >> 16)
  }

  /// The nearest 16-bit value of a float sample; halves go to the even one, NaN is silence.
  @inlinable
  package init<Number: BinaryFloatingPoint>(clipping sample: Number) {
    let steps = (sample * 32_768).rounded(.toNearestOrEven)
    if steps >= 32_767 {
      self = .max
    } else if steps > -32_768 {
      self = Int16(steps)
    } else {
      self = sample.isNaN ? 0 : .min
    }
  }
}
