import Lab
import SplitcapCore
import Testing

@Suite("Repair of WAV files, byte by byte")
struct WaveRepairTests {
  /// What a plan makes of a file.
  private func repaired(_ file: [UInt8], _ plan: WaveRepair) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    for edit in plan.edits {
      result += file[offset..<edit.range.lowerBound] + edit.bytes
      offset = edit.range.upperBound
    }
    return result + file[offset...]
  }

  private func plan(_ file: [UInt8]) throws -> WaveRepair {
    try WaveRepair(
      WaveFileMap(byteCount: file.count) { offset, count in
        Array(file[min(offset, file.count)..<min(offset + count, file.count)])
      })
  }

  /// A file of `sound` with chunks around it and any sizes.
  private func file(
    kind name: String = "RIFF", bits: Int = 16, channels: Int = 2, codec: UInt16 = 1,
    before: [(String, [UInt8])] = [], _ sound: [UInt8], size: UInt32? = nil,
    riff: UInt32? = nil, after: [(String, [UInt8])] = []
  ) -> [UInt8] {
    var wave = WaveBytes(name, riffSize: 0)
    for (name, content) in before { wave.append(chunk: name, content) }
    wave.appendFormat(codec: codec, channels: channels, bits: bits)
    wave.append(chunk: "data", sound, size: size)
    for (name, content) in after { wave.append(chunk: name, content) }
    var number = WaveBytes(name, riffSize: riff ?? UInt32(wave.bytes.count - 8)).bytes
    number = Array(number[4..<8])
    return wave.bytes[..<4] + number + wave.bytes[8...]
  }

  private let sound = bytes(of: Ramp.stereo(frames: 0..<100))
  private let list: (String, [UInt8]) = ("LIST", Array("INFOISFT".utf8) + [3, 0, 0, 0, 65, 66, 0])

  @Test("sizes that are none or not true become those of the file, in every kind of WAV")
  func sizes() throws {
    let lies: [UInt32] = [
      0, 4, 396, 404, 0x7fff_f000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffdb, .max,
    ]
    for name in ["RIFF", "RIFX"] {
      let right = file(kind: name, sound)
      #expect(try plan(right).problems.isEmpty)
      for size in lies {
        for riff in [nil, UInt32(0), size, size &+ 36, .max] {
          let broken = file(kind: name, sound, size: size, riff: riff)
          let plan = try plan(broken)
          #expect(!plan.problems.isEmpty && plan.frames == 100)
          #expect(repaired(broken, plan) == right, "\(name) \(size) \(String(describing: riff))")
          #expect(plan.canBeInPlace)
        }
      }
      for riff in [UInt32(0), 36, .max] {
        let broken = file(kind: name, sound, riff: riff)
        #expect(try repaired(broken, plan(broken)) == right)
      }
    }
  }

  @Test("chunks around the sound are neither sound nor lost, whether the sizes are true or not")
  func chunks() throws {
    let before = [("JUNK", [UInt8](repeating: 7, count: 33)), ("fact", [100, 0, 0, 0])]
    let right = file(before: before, sound, after: [list, ("id3 ", [1, 2, 3, 4])])
    #expect(try plan(right).problems.isEmpty)
    #expect(try plan(right).soundBytes == sound.count)
    for size in [UInt32(0), 0x7fff_f000, .max] {
      let broken = file(
        before: before, sound, size: size, riff: size, after: [list, ("id3 ", [1, 2, 3, 4])])
      #expect(try repaired(broken, plan(broken)) == right)
    }
    // The size is true, and only that of the file does not count what stands behind.
    let uncounted = file(sound, riff: UInt32(36 + sound.count), after: [("abcd", [1, 2])])
    #expect(try repaired(uncounted, plan(uncounted)) == file(sound, after: [("abcd", [1, 2])]))
    // An empty recording with a chunk behind it has no sound.
    #expect(try plan(file([], after: [list])).problems.isEmpty)
  }

  @Test("a tag behind a healthy file, or a missing last byte, is no damage")
  func healthy() throws {
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    #expect(try plan(file(sound) + tag).problems.isEmpty)
    let odd = file(bits: 8, channels: 1, [1, 2, 3])
    #expect(try plan(odd).problems.isEmpty)
    #expect(try plan(Array(odd.dropLast())).problems.isEmpty)
  }

  @Test("a chunk behind the sound that is cut off stays a chunk, as long as it is")
  func cutChunk() throws {
    let whole = file(sound, after: [("LIST", [UInt8](repeating: 9, count: 40))])
    let cut = Array(whole.dropLast(10))
    let plan = try plan(cut)
    #expect(plan.problems.contains(.cutChunk(name: "LIST")) && plan.soundBytes == sound.count)
    #expect(repaired(cut, plan) == file(sound, after: [("LIST", [UInt8](repeating: 9, count: 30))]))
  }

  @Test("a last frame that is cut off is completed with silence, and no byte of it is lost")
  func partFrames() throws {
    for (bits, channels) in [(8, 1), (8, 2), (16, 1), (16, 2), (24, 1), (24, 2), (32, 2), (32, 3)] {
      let frameBytes = bits / 8 * channels
      for count in 0..<3 * frameBytes {
        let part = (0..<count).map { UInt8($0 + 1) }
        let missing = (frameBytes - count % frameBytes) % frameBytes
        let fill = [UInt8](repeating: bits == 8 ? 0x80 : 0, count: missing)
        let right = file(bits: bits, channels: channels, part + fill)
        let cut = Array(file(bits: bits, channels: channels, [], size: .max, riff: 0)) + part
        let plan = try plan(cut)
        #expect(repaired(cut, plan) == right, "\(bits) bits, \(channels) channels, \(count) bytes")
        #expect(plan.canBeInPlace)
        #expect(plan.frames == (count + missing) / frameBytes)
      }
    }
    // Before other chunks there is no room in place.
    let broken = file(Array(sound.dropLast(3)), after: [list])
    let plan = try plan(broken)
    #expect(!plan.canBeInPlace)
    #expect(repaired(broken, plan) == file(sound.dropLast(3) + [0, 0, 0], after: [list]))
  }

  @Test("samples of 0 bits are nonsense, and refused, but of a codec that counts no bits")
  func noBits() throws {
    for codec in [UInt16(1), 3] {
      var wave = WaveBytes()
      wave.appendFormat(codec: codec, bits: 0, blockAlign: 4)
      wave.append(chunk: "data", sound)
      #expect {
        try plan(wave.bytes)
      } throws: {
        ($0 as? WaveFileMap.Refusal)?.reason.contains("samples of 0 bits") == true
      }
    }
    var wave = WaveBytes()
    wave.appendFormat(codec: 0x55, bits: 0)
    wave.append(chunk: "data", sound)
    #expect(try plan(wave.bytes).soundBytes == sound.count)
  }

  @Test("a count of frames in a fact chunk is made right, too")
  func factChunk() throws {
    func float(_ count: UInt8, size: UInt32?) -> [UInt8] {
      file(
        bits: 32, codec: 3, before: [("fact", [count, 0, 0, 0])], sound, size: size,
        riff: size == nil ? nil : 0)
    }
    let broken = float(0, size: 0)
    #expect(try repaired(broken, plan(broken)) == float(50, size: nil))
  }

  @Test("RF64 gets sizes of 64 bits, and what had none that are needed becomes RIFF")
  func largeSizes() throws {
    func ds64(_ numbers: [UInt64]) -> (String, [UInt8]) {
      (
        "ds64",
        numbers.flatMap { n in (0..<8).map { UInt8(truncatingIfNeeded: n >> ($0 * 8)) } } + [
          0, 0, 0, 0,
        ]
      )
    }
    for name in ["RF64", "BW64"] {
      let right = file(
        kind: name, before: [ds64([UInt64(72 + sound.count), UInt64(sound.count), 100])], sound,
        size: .max, riff: .max)
      #expect(try plan(right).problems.isEmpty)
      for lie in [0, 8, UInt64(UInt32.max), .max] {
        let sizes = ds64([lie, lie, lie])
        let broken = file(kind: name, before: [sizes], sound, size: .max, riff: .max)
        #expect(try repaired(broken, plan(broken)) == right)
      }
      let none = file(kind: name, sound, size: .max, riff: .max)
      #expect(try repaired(none, plan(none)) == file(sound))
    }
  }

  @Test("sound without a header gets one, in its own format")
  func headerless() throws {
    for format in SampleFormat.allCases where WaveRepair.canHold(format) {
      let layout = WaveLayout(
        format: StreamFormat(sampleRate: 16_000, channelCount: 2), sampleFormat: format,
        dataBytes: nil)
      let part = Array(sound.dropLast())
      let plan = WaveRepair(headerless: layout, byteCount: part.count)
      #expect(plan.problems.first == .noHeader && !plan.canBeInPlace)
      let made = repaired(part, plan)
      // Read again, it is what was said, and healthy.
      let again = try self.plan(made)
      #expect(again.problems.isEmpty && again.sampleFormat == format && again.frames == plan.frames)
      let soundBytes = (plan.frames ?? 0) * 2 * format.byteCount
      #expect(made.suffix(soundBytes).starts(with: part))
    }
  }

  @Test("whatever bytes a file has, a repaired file is healthy and holds all of its sound")
  func anyBytes() throws {
    var random = SystemRandomNumberGenerator()
    let whole = file(before: [("fact", [100, 0, 0, 0])], sound, after: [list])
    for _ in 0..<4000 {
      var broken = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<(Bool.random() ? 60 : broken.count), using: &random)
        broken[place] = [0, 1, 0x7f, 0x80, 0xff, .random(in: 0...255)].randomElement()!
      }
      if Bool.random() { broken.removeLast(.random(in: 0..<broken.count)) }
      guard let plan = try? plan(broken) else { continue }
      let result = repaired(broken, plan)
      #expect(result.count == plan.repairedByteCount)
      let again = try self.plan(result)
      #expect(again.problems.isEmpty, "\(broken) \(plan.problems) \(again.problems)")
      #expect(again.soundBytes >= plan.soundBytes)
    }
  }
}
