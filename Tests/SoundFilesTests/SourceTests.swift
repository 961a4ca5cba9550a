import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

/// A WAV file of any sample format, made here byte by byte.
private func wave(tag: Int, bits: Int, channelCount: Int = 1, data: [UInt8]) -> [UInt8] {
  func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  let block = channelCount * bits / 8
  let format =
    bytes(tag, 2) + bytes(channelCount, 2) + bytes(16_000, 4) + bytes(16_000 * block, 4)
    + bytes(block, 2) + bytes(bits, 2)
  return Array("RIFF".utf8) + bytes(36 + data.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
    + format + Array("data".utf8) + bytes(data.count, 4) + data
}

/// The little-endian bytes of numbers of any size.
private func bytes<Number: FixedWidthInteger>(_ numbers: [Number], _ count: Int) -> [UInt8] {
  numbers.flatMap { number in
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Number($0))) }
  }
}

@Suite("SoundFileSource")
struct SourceTests {
  @Test("says what a file is: a file, not live, its ears, its own format")
  func info() throws {
    let folder = try TemporaryFolder()
    for (channelCount, right) in [(1, 0), (2, 1), (6, 1)] {
      let data = bytes([Int16](repeating: 1, count: 6_000), 2)
      let path = try folder.write(
        wave(tag: 1, bits: 16, channelCount: channelCount, data: data), to: "x.wav")
      let info = try SoundFileSource(path: path).info
      #expect(info.backend == .file && !info.isLive && info.name == path)
      #expect(info.format == StreamFormat(sampleRate: 16_000, channelCount: channelCount))
      #expect(info.ears == ChannelPair(left: 0, right: right))
      #expect(info.native?.sampleFormat == "s16le" && info.notes == [])
      #expect(try read(path).count == 6_000)
    }
  }

  @Test("cuts integers to 16 bits, and says so of those that had more")
  func integers() throws {
    let folder = try TemporaryFolder()
    var info: SourceInfo?

    let eight = try folder.write(wave(tag: 1, bits: 8, data: [0, 1, 127, 128, 255]), to: "8.wav")
    #expect(try read(eight, info: &info) == [-32_768, -32_512, -256, 0, 32_512])
    #expect(info?.notes == [])

    let wide: [Int32] = [0, 1, 255, 256, -1, -256, -257, 8_388_607, -8_388_608]
    let cut: [Int16] = [0, 0, 0, 1, -1, -1, -2, 32_767, -32_768]
    let data24 = bytes(wide, 3)
    #expect(
      try read(folder.write(wave(tag: 1, bits: 24, data: data24), to: "w"), info: &info) == cut)
    #expect(info?.notes == ["24-bit samples are cut to 16 bits"])

    let data32 = bytes(wide.map { $0 << 8 }, 4)
    #expect(
      try read(folder.write(wave(tag: 1, bits: 32, data: data32), to: "w"), info: &info) == cut)
    #expect(info?.notes == ["32-bit samples are cut to 16 bits"])
  }

  @Test("rounds floating point, clips beyond full scale, takes no number for silence")
  func floats() throws {
    let folder = try TemporaryFolder()
    let given: [Float] = [
      0, 0.5, -0.5, 1, -1, 1.5, -1.5, 1e30, -.infinity, .infinity, .nan, 1 / 32_768, 0.4 / 32_768,
      0.6 / 32_768, -0.6 / 32_768, 32_766.4 / 32_768,
    ]
    let wanted: [Int16] = [
      0, 16_384, -16_384, 32_767, -32_768, 32_767, -32_768, 32_767, -32_768, 32_767, 0, 1, 0,
      1, -1, 32_766,
    ]
    let single = wave(tag: 3, bits: 32, data: bytes(given.map(\.bitPattern), 4))
    let double = wave(tag: 3, bits: 64, data: bytes(given.map { Double($0).bitPattern }, 8))
    for file in [single, double] {
      var info: SourceInfo?
      #expect(try read(folder.write(file, to: "f.wav"), info: &info) == wanted)
      #expect(
        info?.notes == [
          "floating-point samples are rounded to 16 bits, and clipped beyond full scale"
        ])
    }
  }

  @Test("every 16-bit value survives a trip through floating point")
  func floatsExact() throws {
    let folder = try TemporaryFolder()
    let all = (Int16.min...Int16.max).map { $0 }
    let data = bytes(all.map { (Float($0) / 32_768).bitPattern }, 4)
    let path = try folder.write(wave(tag: 3, bits: 32, data: data), to: "f.wav")
    #expect(difference(try read(path), all) == nil)
  }

  @Test("clips what a codec decodes beyond full scale, never wraps it round")
  func codecsClip() throws {
    let folder = try TemporaryFolder()
    // A square wave at full scale, which no lossy codec gives back without overshoot.
    let square = (0..<32_000).map { $0 / 40 % 2 == 0 ? Int16.max : Int16.min }
    for name in ["ear.ogg", "ear.opus", "ear.mp3"] {
      try record(square, to: folder(name), rate: 16_000, channelCount: 1)
      let got = try read(folder(name))
      var wrong = 0
      for frame in 4_000..<28_000 where 10..<30 ~= frame % 40 {
        let isHigh = frame / 40 % 2 == 0
        if isHigh ? got[frame] < 10_000 : got[frame] > -10_000 { wrong += 1 }
      }
      #expect(wrong == 0, "\(name)")
      #expect(got.contains(.max) && got.contains(.min), "\(name)")
    }
  }

  @Test("reads what other programs write", arguments: ["flac", "aiff", "au", "caf", "w64"])
  func others(pathExtension: String) throws {
    let folder = try TemporaryFolder()
    // Even, since ffmpeg counts the padding of W64 as samples.
    let written = ramp(frames: 30_012, channelCount: 2)
    try folder.write(bytes(written, 2), to: "in.raw")
    let path = folder("x.\(pathExtension)")
    let raw = ["-f", "s16le", "-ar", "44100", "-ac", "2", "-i", folder("in.raw")]
    let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error"] + raw + [path])
    #expect(outcome.errors == "")
    #expect(difference(try read(path), written) == nil)
  }

  @Test("reads compressed WAV files")
  func compressed() throws {
    let folder = try TemporaryFolder()
    let written = (0..<32_000).map { Int16(8_000 * sin(Double($0) / 12)) }
    try folder.write(bytes(written, 2), to: "in.raw")
    for codec in ["adpcm_ms", "adpcm_ima_wav", "pcm_mulaw", "pcm_alaw"] {
      let path = folder("\(codec).wav")
      let raw = ["-f", "s16le", "-ar", "16000", "-ac", "1", "-i", folder("in.raw")]
      _ = try Program.run("ffmpeg", ["-nostdin", "-v", "error"] + raw + ["-c:a", codec, path])
      let got = try read(path)
      #expect(got.count >= written.count)
      // ADPCM takes some samples to follow the first steps.
      let worst = zip(got, written).dropFirst(100).map { abs(Int($0) - Int($1)) }.max()
      #expect(try #require(worst) < 1_000, "\(codec)")
    }
  }

  @Test("reads an MP3 file that does not state its length to its end")
  func mp3WithoutLength() throws {
    let folder = try TemporaryFolder()
    // Quiet first, so that a length guessed from the first bit rates would be far off.
    var sound = [Int16](repeating: 0, count: 10 * 44_100)
    var state: UInt32 = 1
    for _ in 0..<10 * 44_100 {
      state = state &* 1_664_525 &+ 1_013_904_223
      sound.append(Int16(truncatingIfNeeded: state >> 17))
    }
    try folder.write(bytes(sound, 2), to: "in.raw")
    let path = folder("x.mp3")
    let raw = ["-f", "s16le", "-ar", "44100", "-ac", "1", "-i", folder("in.raw")]
    let mp3 = ["-c:a", "libmp3lame", "-q:a", "3", "-write_xing", "0", path]
    _ = try Program.run("ffmpeg", ["-nostdin", "-v", "error"] + raw + mp3)
    #expect(try read(path).count >= sound.count)
  }
}

@Suite("Files that can't be read")
struct BadFileTests {
  private func refusal(_ path: String) -> SplitcapError? {
    let error = #expect(throws: SplitcapError.self) { _ = try SoundFileSource(path: path) }
    #expect(error?.message.hasPrefix("cannot read '\(path)': ") == true)
    return error
  }

  @Test("are named with the reason: missing, folder, empty, garbage, pipe")
  func refused() throws {
    let folder = try TemporaryFolder()
    let missing = refusal(folder("no.wav"))
    #expect(missing?.kind == .sourceUnavailable && missing?.hint != nil)
    #expect(missing?.message.hasSuffix("No such file or directory") == true)

    #expect(refusal(folder.path)?.message.hasSuffix("Is a directory") == true)

    let empty = refusal(try folder.write([], to: "empty.wav"))
    #expect(empty?.kind == .unsupportedFormat && empty?.message.hasSuffix("empty") == true)

    try #require(unsafe mkfifo(folder("pipe"), 0o600) == 0)
    #expect(refusal(folder("pipe"))?.hint?.contains("--input -") == true)

    var state: UInt32 = 1
    for length in [1, 3, 44, 5_000] {
      let garbage = (0..<length).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
      let error = refusal(try folder.write(garbage, to: "garbage.wav"))
      #expect(error?.kind == .unsupportedFormat && error?.hint?.contains("--input-rate") == true)
    }
  }

  /// Root may read anything, so another user tries; in a child, since it counts for a whole
  /// process.
  @Test("that this user may not read are told apart")
  func notAllowed() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(wave(tag: 1, bits: 16, data: [1, 2]), to: "x.wav")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let user = geteuid()
      if user == 0 { #expect(seteuid(65_534) == 0) }
      defer { _ = seteuid(user) }
      let error = #expect(throws: SplitcapError.self) { _ = try SoundFileSource(path: path) }
      #expect(error?.kind == .permissionDenied)
    }
  }

  /// Cut at any place, from the header on, each either opens or is refused, and never gives a
  /// sample that was not in it.
  @Test(
    "are given as far as they go when they are cut short",
    arguments: Container.allCases.filter { $0 != .raw })
  func cut(container: Container) throws {
    let folder = try TemporaryFolder()
    let name = "ear.\(container.rawValue)"
    let written = ramp(frames: 60_000, channelCount: 2)
    try record(written, to: folder(name), rate: 48_000, channelCount: 2)
    let whole = try read(folder(name))
    let file = try folder.bytes(of: name)
    for eighths in 1..<8 {
      try folder.write(Array(file[..<(file.count * eighths / 8)]), to: "cut-\(name)")
      var source: SoundFileSource
      do throws(SplitcapError) {
        source = try SoundFileSource(path: folder("cut-\(name)"))
      } catch {
        #expect(error.kind == .unsupportedFormat)
        continue
      }
      var got: [Int16] = []
      var buffer = [Int16](repeating: 0, count: 4_000)
      do throws(SplitcapError) {
        reading: while true {
          var room = buffer.mutableSpan
          guard case .frames(let count) = try source.read(into: &room) else { break reading }
          got += buffer[..<(2 * count)]
        }
      } catch {
        #expect(error.kind == .backend && error.message.contains("breaks off after"))
      }
      #expect(got.count < whole.count)
      if container.isLossless { #expect(difference(got, Array(whole[..<got.count])) == nil) }
    }
  }

  @Test("a file whose killed writer left a length of 0 is not taken for an empty one")
  func killed() throws {
    let folder = try TemporaryFolder()
    var file = wave(tag: 1, bits: 16, data: [UInt8](repeating: 1, count: 20_000))
    for place in [4, 5, 6, 7, 40, 41, 42, 43] { file[place] = 0 }
    let error = refusal(try folder.write(file, to: "killed.wav"))
    #expect(error?.message.contains("these 20044 bytes hold no sound") == true)
  }

  @Test("an MP3 file that was cut off within its first frame is not said to be missing")
  func cutMP3() throws {
    let folder = try TemporaryFolder()
    try record(
      ramp(frames: 8_000, channelCount: 1), to: folder("ear.mp3"), rate: 16_000, channelCount: 1)
    let start = Array(try folder.bytes(of: "ear.mp3").prefix(300))
    let error = refusal(try folder.write(start, to: "cut.mp3"))
    #expect(error?.kind == .unsupportedFormat)
    #expect(error?.message.hasSuffix("nothing in it can be decoded") == true)
  }

  @Test("a FLAC file that is damaged in the middle is not taken for a shorter one")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try record(
      ramp(frames: 60_000, channelCount: 2), to: folder("ear.flac"), rate: 48_000,
      channelCount: 2)
    var file = try folder.bytes(of: "ear.flac")
    for i in file.count / 2..<file.count / 2 + 300 { file[i] = 0x5A }
    let path = try folder.write(file, to: "ear.flac")
    let error = #expect(throws: SplitcapError.self) { _ = try read(path) }
    #expect(error?.message.contains("breaks off after") == true)
  }
}
