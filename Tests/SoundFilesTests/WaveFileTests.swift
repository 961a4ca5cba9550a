import Foundation
import Lab
import SplitcapCore
import Testing

@testable import SoundFiles

/// What Python's `wave` module says of a WAV file: channels, rate, bytes a sample, frames.
private func byPython(_ path: String) throws -> [Int] {
  let script = """
    import sys, wave
    w = wave.open(sys.argv[1])
    assert len(w.readframes(w.getnframes())) == w.getnframes() * w.getnchannels() * 2
    print(w.getnchannels(), w.getframerate(), w.getsampwidth(), w.getnframes())
    """
  let outcome = try Program.run("python3", ["-c", script, path])
  #expect(outcome.errors == "")
  return String(decoding: outcome.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    .compactMap { Int($0) }
}

/// The numbers of a plain WAV header, each read at its place in the file.
private struct Header: Equatable {
  var riffBytes, formatBytes, tag, channels, rate, byteRate, blockAlign, bits, dataBytes: Int

  init(_ file: [UInt8]) {
    func number(_ place: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
    }
    func tag(_ place: Int) -> String { String(decoding: file[place..<place + 4], as: UTF8.self) }
    #expect(tag(0) == "RIFF" && tag(8) == "WAVE" && tag(12) == "fmt " && tag(36) == "data")
    (riffBytes, formatBytes, self.tag, channels) =
      (number(4, 4), number(16, 4), number(20, 2), number(22, 2))
    (rate, byteRate, blockAlign, bits, dataBytes) =
      (number(24, 4), number(28, 4), number(32, 2), number(34, 2), number(40, 4))
  }
}

@Suite("WAV files")
struct WaveFileTests {
  @Test(
    "state the right byte rate and block size at every rate",
    arguments: [8_000, 32_000, 48_000, 96_000, 192_000, 384_000] + StreamFormat.preferredRates,
    [1, 2])
  func header(rate: Int, channelCount: Int) throws {
    let folder = try TemporaryFolder()
    try record(
      ramp(frames: 333, channelCount: channelCount), to: folder("ear.wav"), rate: rate,
      channelCount: channelCount)
    let file = try folder.bytes(of: "ear.wav")
    let header = Header(file)
    #expect(file.count == 44 + 333 * channelCount * 2)
    #expect(header.riffBytes == file.count - 8 && header.dataBytes == file.count - 44)
    #expect(header.formatBytes == 16 && header.tag == 1 && header.bits == 16)
    #expect(header.channels == channelCount && header.rate == rate)
    #expect(header.blockAlign == channelCount * 2)
    #expect(header.byteRate == rate * channelCount * 2)
    #expect(try byPython(folder("ear.wav")) == [channelCount, rate, 2, 333])
  }

  @Test("are whole when the recorder dies between two blocks")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    let path = folder("ear.wav")
    let written = ramp(frames: 4_000, channelCount: 1)
    do {
      var sink = try SinkRequest.file(.left, path: path)
        .open(context(rate: 16_000, channelCount: 1))
      for start in stride(from: 0, to: 4_000, by: 1_000) {
        _ = try sink.write(written.span.extracting(start..<start + 1_000), firstFrame: start)
        // A copy now is what a kill would leave.
        try folder.write(try folder.bytes(of: "ear.wav"), to: "copy.wav")
        #expect(try byPython(folder("copy.wav")).last == start + 1_000)
      }
    }
    // Dropped without an end.
    #expect(try byPython(path) == [1, 16_000, 2, 4_000])
    #expect(difference(try read(path), written) == nil)
  }

  @Test("are valid before the first sample")
  func fresh() throws {
    let folder = try TemporaryFolder()
    let sink = try SinkRequest.file(.left, path: folder("ear.wav"))
      .open(context(rate: 16_000, channelCount: 1))
    #expect(try byPython(folder("ear.wav")) == [1, 16_000, 2, 0])
    _ = consume sink
  }

  @Test("stop with an error, full and valid, before the header would lie", arguments: [1, 2])
  func full(channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder("ear.wav")
    let written = ramp(frames: 3_000, channelCount: channelCount)
    // An odd limit, so that it falls inside a frame.
    let format = StreamFormat(sampleRate: 16_000, channelCount: channelCount)
    let layout = try #require(PCMLayout(.wav, format))
    let file = try OutputFile(creating: path, OutputFile.Care())
    var sink = try PCMFileSink(file, layout, dataLimit: 2_001 * channelCount * 2 + 1)
    _ = try sink.write(written.span.extracting(first: 2_000 * channelCount), firstFrame: 0)
    do throws(SplitcapError) {
      let rest = written.span.extracting(droppingFirst: 2_000 * channelCount)
      _ = try sink.write(rest, firstFrame: 2_000)
      Issue.record("went on beyond the limit")
    } catch {
      #expect(error.kind == .sinkFailed && error.message.contains("'\(path)'"))
      #expect(error.hint?.contains(".w64") == true)
    }
    #expect(try sink.finish().bytes == 44 + 2_001 * channelCount * 2)
    #expect(try byPython(path) == [channelCount, 16_000, 2, 2_001])
    #expect(difference(try read(path), Array(written[..<(2_001 * channelCount)])) == nil)
  }

  @Test("the limit is the most that a header can say", arguments: [Container.wav, .aiff])
  func limit(container: Container) throws {
    let layout = try #require(
      PCMLayout(container, StreamFormat(sampleRate: 16_000, channelCount: 1)))
    let limit = try #require(container.maximumDataBytes)
    let header = layout.header(dataBytes: limit)
    // The size of all that follows it.
    let size = header[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
    #expect(size == .max)
    #expect(limit + header.count - 8 == Int(UInt32.max))
  }
}
