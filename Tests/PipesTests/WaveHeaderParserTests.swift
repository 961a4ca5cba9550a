import Lab
import SplitcapCore
import Testing

@Suite("WAV header parser")
struct WaveHeaderParserTests {
  /// What the parser makes of `bytes`, and where the sound starts.
  private func parse(
    _ bytes: [UInt8], step: Int = .max
  ) -> (outcome: WaveHeaderParser.Outcome, consumed: Int) {
    var parser = WaveHeaderParser()
    var consumed = 0
    while consumed < bytes.count && parser.outcome == .incomplete {
      let part = Array(bytes[consumed...].prefix(step))
      consumed += unsafe parser.feed(part.span.bytes)
    }
    return (parser.outcome, consumed)
  }

  private func layout(_ bytes: [UInt8]) -> WaveLayout? {
    guard case .complete(let layout) = parse(bytes).outcome else { return nil }
    return layout
  }

  private func refusal(_ bytes: [UInt8]) -> String? {
    guard case .refused(let reason) = parse(bytes).outcome else { return nil }
    return reason
  }

  @Test("reads our own header, at any cut of the bytes", arguments: [1, 2, 3, 7, 44, 1000])
  func plain(step: Int) {
    let format = StreamFormat(sampleRate: 22_050, channelCount: 1)
    let bytes = WaveHeader(format: format, dataBytes: 200).bytes + [1, 2, 3]
    let result = parse(bytes, step: step)
    #expect(
      result.outcome
        == .complete(WaveLayout(format: format, sampleFormat: .s16le, dataBytes: 200)))
    #expect(result.consumed == WaveHeader.byteCount)
  }

  @Test(
    "takes a size that writers put where they know none as no size",
    arguments: [
      0, 0x7fff_f000, 0x7fff_f024, 0x7fff_ffff, 0x7fff_ffff - 36, 0x8000_0000, 0xffff_ffff,
      0xffff_ffff - 36, 0xffff_ffff - 44,
    ] as [UInt32])
  func placeholders(size: UInt32) throws {
    let layout = try #require(self.layout(WaveBytes.pcm([], dataSize: size)))
    #expect(layout.dataBytes == nil)
  }

  @Test("believes any other size", arguments: [2, 4, 0x1000, 0x9000_0000, 0xf000_0000] as [UInt32])
  func sizes(size: UInt32) throws {
    let layout = try #require(self.layout(WaveBytes.pcm([], dataSize: size)))
    #expect(layout.dataBytes == Int(size))
  }

  @Test("reads over chunks before the sound, odd ones with their padding")
  func otherChunks() {
    var wave = WaveBytes()
    wave.append(chunk: "JUNK", [UInt8](repeating: 7, count: 28))
    wave.append(chunk: "bext", [UInt8](repeating: 7, count: 603))
    wave.appendFormat(channels: 1, rate: 8000)
    wave.append(chunk: "fact", [1, 0, 0, 0])
    wave.append(chunk: "LIST", Array("INFOISFT".utf8) + [1, 0, 0, 0, 65])
    wave.append(chunk: "zero", [])
    wave.append(text: "data")
    wave.append(UInt32(10))
    for step in [1, 5, 4096] {
      let result = parse(wave.bytes + [9, 9], step: step)
      #expect(
        result.outcome
          == .complete(
            WaveLayout(
              format: StreamFormat(sampleRate: 8000, channelCount: 1), sampleFormat: .s16le,
              dataBytes: 10)))
      #expect(result.consumed == wave.bytes.count)
    }
  }

  @Test("reads over 1000 chunks before the sound, and says so of more")
  func manyChunks() {
    for (count, isRead) in [(999, true), (1000, false), (200_000, false)] {
      var wave = WaveBytes()
      wave.appendFormat()
      for _ in 0..<count { wave.append(chunk: "JUNK", []) }
      wave.append(chunk: "data", [1, 2, 3, 4])
      #expect((layout(wave.bytes) != nil) == isRead)
      let reason = isRead ? nil : "has more than 1000 chunks before its sound"
      #expect(refusal(wave.bytes) == reason)
    }
  }

  @Test(
    "knows PCM of 8 to 32 bits and floats",
    arguments: [
      (1, 8, SampleFormat.u8), (1, 16, .s16le), (1, 12, .s16le), (1, 24, .s24le), (1, 20, .s24le),
      (1, 32, .s32le), (3, 32, .f32le), (3, 64, .f64le),
    ] as [(UInt16, Int, SampleFormat)])
  func codecs(codec: UInt16, bits: Int, expected: SampleFormat) {
    var wave = WaveBytes()
    wave.appendFormat(codec: codec, bits: bits)
    wave.append(chunk: "data", [])
    #expect(layout(wave.bytes)?.sampleFormat == expected)
  }

  @Test("reads the PCM and float subformats of WAVE_FORMAT_EXTENSIBLE, and refuses others by name")
  func extensible() throws {
    var pcm = WaveBytes()
    pcm.appendExtensibleFormat(subformat: [1, 0], channels: 6, bits: 24)
    pcm.append(chunk: "data", [])
    #expect(
      layout(pcm.bytes)
        == WaveLayout(
          format: StreamFormat(sampleRate: 16_000, channelCount: 6), sampleFormat: .s24le,
          dataBytes: nil))

    var float = WaveBytes()
    float.appendExtensibleFormat(subformat: [3, 0], bits: 32)
    float.append(chunk: "data", [])
    #expect(layout(float.bytes)?.sampleFormat == .f32le)

    var muLaw = WaveBytes()
    muLaw.appendExtensibleFormat(subformat: [7, 0], bits: 8)
    #expect(refusal(muLaw.bytes)?.contains("µ-law") == true)

    var ambisonic = WaveBytes()
    ambisonic.appendExtensibleFormat(subformat: Array(1...16))
    #expect(refusal(ambisonic.bytes)?.contains("GUID") == true)

    var short = WaveBytes()
    short.appendFormat(codec: 0xfffe)
    #expect(refusal(short.bytes)?.contains("too short") == true)
  }

  @Test(
    "refuses other codecs by name",
    arguments: [
      (2, "MS ADPCM"), (6, "A-law"), (7, "µ-law"), (0x11, "IMA ADPCM"), (0x55, "MP3"),
      (0x1234, "0x1234"),
    ] as [(UInt16, String)])
  func otherCodecs(codec: UInt16, name: String) {
    var wave = WaveBytes()
    wave.appendFormat(codec: codec, bits: 4)
    #expect(refusal(wave.bytes)?.contains(name) == true)
  }

  @Test("does not believe a block align that contradicts the other fields")
  func blockAlign() {
    for align in [0, 1, 4, 6, 65_535] {
      var wave = WaveBytes()
      wave.appendFormat(channels: 1, blockAlign: align)
      wave.append(chunk: "data", [])
      #expect(layout(wave.bytes)?.sampleFormat == .s16le)
    }
    var ambiguous = WaveBytes()
    ambiguous.appendFormat(bits: 24, blockAlign: 8)
    #expect(refusal(ambiguous.bytes) != nil)
  }

  @Test("reads RIFX, whose numbers and samples start with the highest byte")
  func bigEndian() {
    var wave = WaveBytes("RIFX")
    wave.append(chunk: "LIST", [1, 2, 3])
    wave.appendFormat(channels: 2, rate: 44_100)
    wave.append(text: "data")
    wave.append(UInt32(400))
    #expect(
      layout(wave.bytes)
        == WaveLayout(
          format: StreamFormat(sampleRate: 44_100, channelCount: 2), sampleFormat: .s16be,
          dataBytes: 400))
  }

  @Test("reads the size of RF64 and BW64 from its ds64 chunk", arguments: ["RF64", "BW64"])
  func rf64(name: String) {
    for (size, expected) in [
      (UInt64(5_000_000_000), 5_000_000_000), (0, nil), (.max, nil),
    ] as [(UInt64, Int?)] {
      var wave = WaveBytes(name)
      wave.append(text: "ds64")
      wave.append(UInt32(28))
      wave.append(UInt64(0))
      wave.append(size)
      wave.append(UInt64(0))
      wave.append(UInt32(0))
      wave.appendFormat()
      wave.append(text: "data")
      wave.append(UInt32.max)
      #expect(layout(wave.bytes) != nil)
      #expect(layout(wave.bytes)?.dataBytes == expected)
    }
  }

  @Test(
    "refuses formats that can't be",
    arguments: [(0, 16_000, 16), (65_535, 16_000, 16), (2, 0, 16), (2, -1, 16), (2, 8000, 0)])
  func nonsense(channels: Int, rate: Int, bits: Int) {
    var wave = WaveBytes()
    wave.appendFormat(channels: channels, rate: rate, bits: bits)
    #expect(refusal(wave.bytes) != nil)
  }

  @Test("refuses sound before its format, and a format chunk that is too short")
  func order() {
    var early = WaveBytes()
    early.append(chunk: "data", [1, 2])
    #expect(refusal(early.bytes)?.contains("before its format") == true)
    var empty = WaveBytes()
    empty.append(chunk: "fmt ", [])
    #expect(refusal(empty.bytes) != nil)
    var short = WaveBytes()
    short.append(chunk: "fmt ", [1, 0, 2, 0])
    #expect(refusal(short.bytes)?.contains("4 bytes") == true)
  }

  @Test("tells what is no WAV stream at its first wrong byte, and keeps what it took")
  func notWave() {
    for bytes in [Array("RIFF\0\0\0\0AVI ".utf8), [1, 2, 3], Array("RIF\0".utf8)] {
      var parser = WaveHeaderParser()
      let consumed = unsafe parser.feed(bytes.span.bytes)
      #expect(parser.outcome == .notWave)
      #expect(!parser.isWave)
      #expect(parser.prefix == Array(bytes[..<consumed]))
    }
    #expect(parse(Array("RIFF\0\0\0\0WAVE".utf8)).outcome == .incomplete)
  }

  @Test("survives thousands of headers made of rubbish")
  func garbage() {
    var dice = SplitMix64(seed: 2)
    var outcomes = [0, 0, 0, 0]
    for round in 0..<6000 {
      var wave = WaveBytes(["RIFF", "RIFX", "RF64"].randomElement(using: &dice)!)
      let names = ["fmt ", "data", "ds64", "LIST", "JUNK", "\0\0\0\0"]
      for _ in 0..<Int.random(in: 0...5, using: &dice) {
        let content = (0..<Int.random(in: 0...60, using: &dice)).map { _ in
          UInt8.random(in: 0...255, using: &dice)
        }
        let name = names.randomElement(using: &dice)!
        let lies = [nil, nil, 0, .max, UInt32.random(in: 0 ... .max, using: &dice)]
        wave.append(chunk: name, content, size: lies.randomElement(using: &dice)!)
        if Bool.random(using: &dice) { wave.appendFormat(codec: UInt16(round % 4)) }
      }
      for _ in 0..<Int.random(in: 0...4, using: &dice) {
        wave.bytes[Int.random(in: 0..<wave.bytes.count, using: &dice)] = dice.next().byte
      }
      let whole = parse(wave.bytes)
      #expect(parse(wave.bytes, step: 1) == whole)
      switch whole.outcome {
      case .incomplete: outcomes[0] += 1
      case .complete: outcomes[1] += 1
      case .notWave: outcomes[2] += 1
      case .refused: outcomes[3] += 1
      }
    }
    #expect(outcomes.allSatisfy { $0 > 0 })
  }
}

extension UInt64 {
  fileprivate var byte: UInt8 { UInt8(truncatingIfNeeded: self) }
}
