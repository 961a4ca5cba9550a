import Foundation
import Lab
import Pipes
import SplitcapCore
import Testing

@Suite("Stream source")
struct StreamSourceTests {
  @Test(
    "delivers a WAV file's samples bit for bit, in reads of any size", arguments: [1, 3, 70_000])
  func file(frames: Int) throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 50_000)
    let path = try folder.write(WaveBytes.pcm(samples, rate: 44_100), to: "in.wav")
    let heard = hear(.file(path), frames: frames)
    #expect(heard.error == nil)
    #expect(heard.samples == samples)
    #expect(heard.notes.isEmpty)
    #expect(heard.info?.format == StreamFormat(sampleRate: 44_100, channelCount: 2))
    #expect(heard.info?.backend == .file)
    #expect(heard.info?.isLive == false)
    #expect(heard.info?.ears == ChannelPair(left: 0, right: 1))
  }

  @Test(
    "reads to the end of the file whatever nonsense its header says of its size",
    arguments: [0, 0x7fff_f000, 0x8000_0000, 0xffff_ffff, 0xffff_ffff - 36] as [UInt32])
  func placeholder(size: UInt32) throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 300)
    let path = try folder.write(WaveBytes.pcm(samples, dataSize: size), to: "in.wav")
    let heard = hear(.file(path))
    #expect(heard.samples == samples)
    #expect(heard.notes.isEmpty)
  }

  @Test("says how much is missing of a file that was cut off")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 300)
    let path = try folder.write(WaveBytes.pcm(samples, dataSize: 4000), to: "in.wav")
    let heard = hear(.file(path))
    #expect(heard.samples == samples)
    #expect(heard.notes == ["'\(path)' ends 700 frames before the length in its header"])
  }

  @Test("never takes what follows the sound for sound, and reads it all so that its writer lives")
  func trailer() throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 300)
    // More than a pipe holds, so that the program would get SIGPIPE.
    let bytes = WaveBytes.pcm(samples) + [UInt8](repeating: 0x55, count: 300_000)
    let path = try folder.write(bytes, to: "in.wav")
    #expect(hear(.file(path)).samples == samples)
    let heard = hear(.program("cat '\(path)' && echo done > '\(folder("said"))'"))
    #expect(heard.error == nil)
    #expect(heard.samples == samples)
    #expect(folder.said("said") == "done")
  }

  @Test("an odd number of bytes at the end is dropped with a note, and never shifts a sample")
  func partialFrame() throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 100)
    for extra in 1...3 {
      let bytes = Lab.bytes(of: samples) + [UInt8](repeating: 9, count: extra)
      let path = try folder.write(bytes, to: "in.raw")
      let heard = hear(.file(path), headerless: HeaderlessFormat(sampleRate: 8000), frames: 7)
      #expect(heard.samples == samples)
      #expect(heard.notes.count == 1)
      #expect(heard.notes.first?.hasSuffix("its last bytes, \(extra) of 4, were dropped") == true)
    }
  }

  @Test(
    "puts frames together that come in pieces of 1 to 3 bytes", arguments: [1, 2, 3], [true, false])
  func dribble(step: Int, isWave: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFIFO("in")
    let samples = ramp(frames: 400)
    let bytes = isWave ? WaveBytes.pcm(samples) : Lab.bytes(of: samples)
    let writer = Background {
      let fifo = unsafe open(path, O_WRONLY)
      defer { close(fifo) }
      for start in stride(from: 0, to: bytes.count, by: step) {
        let part = Array(bytes[start...].prefix(step))
        guard unsafe Foundation.write(fifo, part, part.count) == part.count else { return false }
        if start % 100 == 0 { usleep(100) }
      }
      return true
    }
    let heard = hear(.file(path), headerless: isWave ? nil : HeaderlessFormat(sampleRate: 8000))
    #expect(writer.wait() == true)
    #expect(heard.samples == samples)
    #expect(heard.info?.backend == .pipe)
  }

  @Test(
    "converts what is not 16-bit, in pieces that cut samples, and says so",
    arguments: [SampleFormat.u8, .s24le, .s32be, .f32le, .f64le])
  func converts(format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let fits = format == .u8
    let samples = ramp(frames: 9000).map { fits ? $0 << 8 : $0 }
    let bytes = samples.flatMap { sample -> [UInt8] in
      func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
      }
      return switch format {
      case .u8: [UInt8(bitPattern: Int8(sample >> 8)) ^ 0x80]
      case .s24le: Array(little(Int32(sample) << 8)[..<3])
      case .s32be: little((Int32(sample) << 16).byteSwapped)
      case .f32le: little((Float(sample) / 32_768).bitPattern)
      default: little((Double(sample) / 32_768).bitPattern)
      }
    }
    let path = try folder.write(bytes, to: "in.raw")
    let headerless = HeaderlessFormat(sampleRate: 48_000, sampleFormat: format)
    let heard = hear(.program("dd bs=1001 status=none < '\(path)'"), headerless: headerless)
    #expect(heard.error == nil)
    #expect(heard.samples == samples)
    #expect(heard.info?.notes.isEmpty == fits)
    #expect(heard.info?.native?.sampleFormat == format.rawValue)
  }

  @Test("reads any number of channels, as they are")
  func channels() throws {
    let folder = try TemporaryFolder()
    for channels in [1, 3, 6] {
      let samples = (0..<40_000 * channels).map { Int16($0 % 30_000) }
      let path = try folder.write(WaveBytes.pcm(samples, channels: channels), to: "in.wav")
      // A pipe's pieces of 65536 bytes cut the frames of 3 and 6 channels.
      let heard = hear(.program("cat '\(path)'"))
      #expect(heard.samples == samples)
      #expect(heard.info?.format.channelCount == channels)
      #expect(heard.info?.ears == ChannelPair(left: 0, right: channels > 1 ? 1 : 0))
    }
  }

  @Test("a header wins over the format that the user gave, with a note")
  func headerWins() throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 10)
    let path = try folder.write(WaveBytes.pcm(samples, rate: 22_050), to: "in.wav")
    let heard = hear(.file(path), headerless: HeaderlessFormat(sampleRate: 8000))
    #expect(heard.samples == samples)
    #expect(heard.info?.format.sampleRate == 22_050)
    #expect(heard.info?.notes.count == 1)
  }

  @Test("a headerless stream that is shorter than a header is sound all the same")
  func shortRaw() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("RIFF".utf8), to: "in.raw")
    let heard = hear(.file(path), headerless: HeaderlessFormat(sampleRate: 8000))
    #expect(heard.samples == [0x4952, 0x4646])
  }

  @Test("says what to do about sound without a header")
  func noHeader() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3, 4, 5], to: "in.raw")
    let heard = hear(.file(path))
    #expect(heard.error?.kind == .unsupportedFormat)
    #expect(heard.error?.hint?.contains("--input-rate") == true)
  }

  @Test("one clear error for each input that can't be read")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let missing = hear(.file(folder("none.wav")))
    #expect(missing.error?.kind == .sourceUnavailable)
    #expect(missing.error?.message.contains("none.wav") == true)
    #expect(hear(.file(folder.path)).error?.kind == .sourceUnavailable)

    let empty = try folder.write([], to: "empty.wav")
    #expect(hear(.file(empty)).error?.kind == .sourceUnavailable)

    let cut = try folder.write(Array(WaveBytes.pcm([]).prefix(30)), to: "cut.wav")
    #expect(hear(.file(cut)).error?.kind == .unsupportedFormat)
    #expect(hear(.file(cut)).error?.message.contains("ends before its sound") == true)

    var law = WaveBytes()
    law.appendFormat(codec: 6, bits: 8)
    let aLaw = hear(.file(try folder.write(law.bytes, to: "law.wav")))
    #expect(aLaw.error?.kind == .unsupportedFormat)
    #expect(aLaw.error?.message.contains("A-law") == true)
    #expect(aLaw.error?.hint != nil)
  }

  @Test("reads standard input, and leaves /dev/null in its place")
  func standardInput() throws {
    let ends = pipeEnds()
    let saved = dup(STDIN_FILENO)
    dup2(ends.reading, STDIN_FILENO)
    close(ends.reading)
    let samples = ramp(frames: 20_000)
    let writer = Background {
      let bytes = WaveBytes.pcm(samples, dataSize: .max)
      let count = unsafe Foundation.write(ends.writing, bytes, bytes.count)
      close(ends.writing)
      return count == bytes.count
    }
    let heard = hear(.standardInput)
    let left = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0")
    dup2(saved, STDIN_FILENO)
    close(saved)
    #expect(writer.wait() == true)
    #expect(heard.samples == samples)
    #expect(heard.info?.name == "-")
    #expect(left == "/dev/null")
  }

  @Test("knows which files are its own, and leaves a FIFO untouched")
  func canRead() throws {
    let folder = try TemporaryFolder()
    #expect(StreamSource.canRead(try folder.write(WaveBytes.pcm([1, 2]), to: "a.wav")))
    #expect(!StreamSource.canRead(try folder.write(Array("fLaC0000".utf8), to: "a.flac")))
    #expect(!StreamSource.canRead(try folder.write([], to: "empty")))
    #expect(!StreamSource.canRead(folder("none")))
    var law = WaveBytes()
    law.appendFormat(codec: 6, bits: 8)
    #expect(!StreamSource.canRead(try folder.write(law.bytes, to: "law.wav")))
    #expect(StreamSource.canRead(try folder.makeFIFO("fifo")))
  }

  @Test("gives up waiting for a header when asked to")
  func cancelled() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFIFO("in")
    do throws(SplitcapError) {
      _ = try StreamSource(.file(path), isCancelled: { true })
      Issue.record("opened a FIFO that nobody writes")
    } catch {
      #expect(error.kind == .cancelled)
    }
  }
}

@Suite("Program as a source")
struct ProgramSourceTests {
  @Test("a program that fails before any sound says which status it had")
  func failsAtOnce() {
    let failed = hear(.program("exit 3")).error
    #expect(failed?.kind == .sourceUnavailable)
    #expect(failed?.message == "program 'exit 3' exited with status 3")
    let unknown = hear(.program("no-such-command-here 2>&-")).error
    #expect(unknown?.kind == .sourceUnavailable)
    #expect(unknown?.message.contains("not found") == true)
    #expect(hear(.program("true")).error?.message.contains("no sound") == true)
  }

  @Test("a program that fails after sound came is a lost source; its sound was delivered")
  func failsLater() throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 5000)
    let path = try folder.write(WaveBytes.pcm(samples, dataSize: .max), to: "in.wav")
    for (end, text) in [("exit 4", "status 4"), ("kill -9 $$", "signal 9")] {
      let heard = hear(.program("cat '\(path)'; \(end)"))
      #expect(heard.samples == samples)
      #expect(heard.error?.kind == .sourceLost)
      #expect(heard.error?.message.contains(text) == true)
    }
  }

  @Test(
    "reads what other programs stream, to the sample",
    arguments: [
      "sox IN -t wav -", "cat IN | sox -t wav - -t wav -", "sox IN -b 24 -t wav -",
      "sox IN -e float -b 32 -t wav -", "ffmpeg -v error -i IN -f wav -",
      "ffmpeg -v error -i IN -rf64 always -f wav -",
      "ffmpeg -v error -i IN -c:a pcm_f64le -f wav -",
      "ffmpeg -v error -i IN -c:a pcm_s32le -f wav - | cat",
    ])
  func peers(command: String) throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 50_000)
    let path = try folder.write(WaveBytes.pcm(samples, rate: 22_050), to: "in.wav")
    let heard = hear(.program(command.replacingOccurrences(of: "IN", with: path)))
    #expect(heard.error == nil)
    #expect(heard.samples == samples)
    #expect(heard.notes.isEmpty)
    #expect(heard.info?.format.sampleRate == 22_050)
  }

  @Test("has nothing on its standard input, descriptor 3 to write to, and no variable of ours")
  func surroundings() throws {
    let folder = try TemporaryFolder()
    unsafe _ = setenv("SPLITCAP_LEFTOVER", "1", 1)
    defer { unsafe _ = unsetenv("SPLITCAP_LEFTOVER") }
    let path = try folder.write(WaveBytes.pcm(ramp(frames: 1)), to: "in.wav")
    let report = folder("report")
    let command = """
      { cat; echo to-nobody >&3 && echo open; env | grep -c SPLITCAP_; ls /proc/self/fd; } \
      > '\(report)'; cat '\(path)'
      """
    #expect(hear(.program(command)).error == nil)
    let lines = try #require(folder.said("report")).split(separator: "\n")
    // The last number is the folder that 'ls' reads.
    #expect(lines == ["open", "0", "0", "1", "2", "3", "4"])
  }

  @Test("is ended with all that it started when its source is dropped")
  func dropped() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(WaveBytes.pcm(ramp(frames: 1), dataSize: .max), to: "in.wav")
    let command = "cat '\(path)'; sleep 1000 & echo $! > '\(folder("pid"))'; wait"
    do {
      let source = try StreamSource(.program(command))
      #expect(source.info.backend == .program)
      #expect(source.info.name == "exec:" + command)
      try waitUntil("it has started") { folder.said("pid")?.isEmpty == false }
    }
    let id = try #require(folder.said("pid"))
    try waitUntil("it has ended") { !isRunning(id) }
  }
}

/// Whether a process is there and no zombie that waits for its parent.
func isRunning(_ id: String) -> Bool {
  guard let data = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return false }
  let text = String(decoding: data, as: UTF8.self)
  return !text.contains(") Z ")
}
