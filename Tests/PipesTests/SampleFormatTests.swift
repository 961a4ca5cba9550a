import SplitcapCore
import Testing

@Suite("Sample formats")
struct SampleFormatTests {
  private func convert(_ format: SampleFormat, _ bytes: [UInt8]) -> [Int16] {
    var samples = [Int16](repeating: 99, count: bytes.count / format.byteCount)
    var room = samples.mutableSpan
    unsafe format.convert(bytes.span.bytes, into: &room)
    return samples
  }

  private func bytes<Number: FixedWidthInteger>(
    _ numbers: [Number], bigEndian: Bool = false
  ) -> [UInt8] {
    numbers.flatMap { number in
      let little = (0..<Number.bitWidth / 8).map {
        UInt8(truncatingIfNeeded: number >> Number($0 * 8))
      }
      return bigEndian ? little.reversed() : little
    }
  }

  @Test("a format of 8 or 16 bits keeps every value")
  func narrow() {
    #expect(convert(.u8, [0, 127, 128, 129, 255]) == [-32_768, -256, 0, 256, 32_512])
    #expect(convert(.s8, [0x80, 0xff, 0, 1, 0x7f]) == [-32_768, -256, 0, 256, 32_512])
    let all = (Int16.min...Int16.max).map(\.self)
    #expect(convert(.s16le, bytes(all)) == all)
    #expect(convert(.s16be, bytes(all, bigEndian: true)) == all)
  }

  @Test("wider integers are rounded to the nearest, and clipped")
  func wide() {
    let cases: [(Int32, Int16)] = [
      (0, 0), (0x7fff, 0), (0x8000, 1), (-0x8000, 0), (-0x8001, -1), (0x1_7fff, 1),
      (0x7fff_7fff, 32_767), (.max, 32_767), (.min, -32_768), (-65_536, -1),
    ]
    let numbers = cases.map(\.0)
    let expected = cases.map(\.1)
    #expect(convert(.s32le, bytes(numbers)) == expected)
    #expect(convert(.s32be, bytes(numbers, bigEndian: true)) == expected)
    // The lowest byte of four is what 24 bits lack.
    let triples = cases.map { $0.0 & ~0xff }
    let rounded = triples.map { Int16(rounding: $0) }
    let three = triples.flatMap { bytes([$0])[1...] }
    #expect(convert(.s24le, three) == rounded)
    #expect(convert(.s24be, triples.flatMap { bytes([$0], bigEndian: true)[..<3] }) == rounded)
  }

  @Test("floats are clipped, NaN is silence, and 16-bit values come back as they were")
  func floats() {
    let cases: [(Double, Int16)] = [
      (0, 0), (1, 32_767), (-1, -32_768), (1e30, 32_767), (-1e30, -32_768), (.infinity, 32_767),
      (-.infinity, -32_768), (.nan, 0), (-.nan, 0), (0.5, 16_384), (-0.5, -16_384),
      (1.4 / 32_768, 1), (1.6 / 32_768, 2), (-1.6 / 32_768, -2), (.leastNonzeroMagnitude, 0),
    ]
    let expected = cases.map(\.1)
    let doubles = cases.map { $0.0.bitPattern }
    let singles = cases.map { Float($0.0).bitPattern }
    #expect(convert(.f64le, bytes(doubles)) == expected)
    #expect(convert(.f64be, bytes(doubles, bigEndian: true)) == expected)
    #expect(convert(.f32le, bytes(singles)) == expected)
    #expect(convert(.f32be, bytes(singles, bigEndian: true)) == expected)
    let all = (Int16.min...Int16.max).map(\.self)
    #expect(convert(.f32le, bytes(all.map { (Float($0) / 32_768).bitPattern })) == all)
  }
}
