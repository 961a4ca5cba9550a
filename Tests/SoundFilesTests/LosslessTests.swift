import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

@Suite("Lossless files")
struct LosslessTests {
  static let containers = Container.allCases.filter { $0.isLossless && $0 != .raw }

  /// What each container is called by those who read it.
  private func name(_ container: Container) -> String { "ear.\(container.rawValue)" }

  @Test(
    "give back every sample at every rate of the list, one ear and both",
    arguments: containers, [8_000, 48_000, 96_000] + StreamFormat.preferredRates)
  func roundTrip(container: Container, rate: Int) throws {
    let folder = try TemporaryFolder()
    for channelCount in [1, 2] {
      let path = folder(name(container))
      let written = ramp(frames: 20_011, channelCount: channelCount)
      let report = try record(written, to: path, rate: rate, channelCount: channelCount)
      var info: SourceInfo?
      #expect(difference(try read(path, info: &info), written) == nil)
      #expect(info?.format == StreamFormat(sampleRate: rate, channelCount: channelCount))
      #expect(report.bytes == (try folder.bytes(of: name(container)).count))
      #expect([nil, written.count / channelCount].contains(report.frames))
    }
  }

  @Test("are read by ffmpeg, bit for bit", arguments: containers)
  func byFFmpeg(container: Container) throws {
    let folder = try TemporaryFolder()
    let written = ramp(frames: 70_001, channelCount: 2)
    try record(written, to: folder(name(container)), rate: 44_100, channelCount: 2)
    #expect(difference(try samplesByFFmpeg(folder(name(container))), written) == nil)
  }

  @Test("are read by sox, bit for bit", arguments: [Container.wav, .flac, .aiff, .au, .caf, .w64])
  func bySox(container: Container) throws {
    let folder = try TemporaryFolder()
    let written = ramp(frames: 70_001, channelCount: 1)
    let path = folder(name(container))
    try record(written, to: path, rate: 16_000, channelCount: 1)
    // It warns of every AU file whose header is the plain one.
    let got = try samples(
      readBy: "sox", container == .au ? "-V1" : "-V2", "-D", path, "-t", "raw", "-e", "signed",
      "-b", "16", "-L", "-")
    #expect(difference(got, written) == nil)
  }

  @Test("flac itself finds nothing wrong, and its checksum right")
  func byFlac() throws {
    let folder = try TemporaryFolder()
    let written = ramp(frames: 70_001, channelCount: 2)
    let path = folder("ear.flac")
    try record(written, to: path, rate: 22_050, channelCount: 2)
    let arguments = ["-s", "-d", "-c", "--force-raw-format", "--endian=little", "--sign=signed"]
    let outcome = try Program.run("flac", ["-s", "-t", path])
    #expect(outcome.status == .exited(0) && outcome.errors == "")
    let got = samples(try Program.run("flac", arguments + [path]).output)
    #expect(difference(got, written) == nil)
  }

  @Test("headerless files hold the samples and nothing else", arguments: ["raw", "pcm", "S16"])
  func raw(pathExtension: String) throws {
    let folder = try TemporaryFolder()
    let written = ramp(frames: 70_001, channelCount: 2)
    let name = "ears.\(pathExtension)"
    let report = try record(written, to: folder(name), rate: 16_000, channelCount: 2)
    let bytes = try folder.bytes(of: name)
    #expect(difference(samples(bytes), written) == nil)
    #expect(report.bytes == bytes.count && bytes.count == 70_001 * 4)
  }

  @Test("without a single frame are whole all the same", arguments: containers)
  func empty(container: Container) throws {
    let folder = try TemporaryFolder()
    try record([], to: folder(name(container)), rate: 16_000, channelCount: 1)
    #expect(try read(folder(name(container))) == [])
  }

  @Test("hold what was written more than a second ago, at any moment", arguments: containers)
  func meanwhile(container: Container) throws {
    let folder = try TemporaryFolder()
    let written = ramp(frames: 24_000, channelCount: 2)
    var sink = try SinkRequest.file(.stereo, path: folder(name(container)))
      .open(context(rate: 16_000, channelCount: 2))
    _ = try sink.write(written.span.extracting(first: 32_000), firstFrame: 0)
    Thread.sleep(forTimeInterval: 0.6)  // longer than a header may lag behind
    _ = try sink.write(written.span.extracting(32_000..<40_000), firstFrame: 16_000)

    // A copy is what a kill would leave.
    try folder.write(try folder.bytes(of: name(container)), to: "copy.\(container.rawValue)")
    let got = try samplesByFFmpeg(folder("copy.\(container.rawValue)"))
    #expect(got.count >= 2 * (20_000 - 4_096))
    #expect(difference(got, Array(written[..<got.count])) == nil)
    _ = try sink.finish()
  }

  @Test("a longer file that was there before leaves nothing behind", arguments: containers)
  func overwrites(container: Container) throws {
    let folder = try TemporaryFolder()
    try folder.write([UInt8](repeating: 0x55, count: 300_000), to: name(container))
    let written = ramp(frames: 100, channelCount: 1)
    try record(written, to: folder(name(container)), rate: 16_000, channelCount: 1)
    #expect(difference(try read(folder(name(container))), written) == nil)
    #expect(try folder.bytes(of: name(container)).count < 10_000)
  }
}
