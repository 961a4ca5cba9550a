import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

@Suite("FIFOs")
struct FIFOTests {
  private static let containers = Container.allCases.filter {
    $0.canStream && $0 != .wav && $0 != .raw
  }

  private func fifo(_ folder: TemporaryFolder, _ container: Container) throws -> String {
    let path = folder("ear.\(container.rawValue)")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    return path
  }

  /// Writes to the FIFO while a thread copies what comes out of it to a file.
  private func stream(
    _ container: Container, _ written: [Int16], in folder: TemporaryFolder
  ) throws -> String {
    let path = try fifo(folder, container)
    let copy = folder("copy.\(container.rawValue)")
    let reader = Thread {
      let bytes = try? FileHandle(forReadingAtPath: path)?.readToEnd()
      try? bytes?.write(to: URL(fileURLWithPath: copy + ".part"))
      try? FileManager.default.moveItem(atPath: copy + ".part", toPath: copy)
    }
    reader.start()
    let sink = try SinkRequest.encodedFIFO(.stereo, path: path, container: container)
      .open(context(rate: 48_000, channelCount: 2))
    try record(written, to: sink, channelCount: 2)
    let deadline = Date(timeIntervalSinceNow: 60)
    while !FileManager.default.fileExists(atPath: copy) && Date() < deadline { usleep(5_000) }
    return copy
  }

  @Test("get a stream that reads like the file", arguments: containers)
  func streams(container: Container) throws {
    let folder = try TemporaryFolder()
    let written = ramp(frames: 100_003, channelCount: 2)
    let copy = try stream(container, written, in: folder)
    let (own, other) = (try read(copy), try samplesByFFmpeg(copy))
    if container.isLossless {
      #expect(difference(own, written) == nil)
      #expect(difference(other, written) == nil)
    } else {
      #expect(own.count == written.count && other.count == written.count)
    }
  }

  @Test("get no byte after the stream: flac accepts it")
  func nothingStray() throws {
    let folder = try TemporaryFolder()
    let copy = try stream(.flac, ramp(frames: 100_003, channelCount: 2), in: folder)
    let outcome = try Program.run("flac", ["-s", "-t", copy])
    #expect(outcome.status == .exited(0))
  }

  @Test("a reader that leaves ends the sink normally", arguments: containers)
  func readerLeaves(container: Container) throws {
    signal(SIGPIPE, SIG_IGN)
    let folder = try TemporaryFolder()
    let path = try fifo(folder, container)
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    var sink = try SinkRequest.encodedFIFO(.left, path: path, container: container)
      .open(context(rate: 48_000, channelCount: 1))
    close(reader)
    let second = ramp(frames: 48_000, channelCount: 1)
    var result = WriteResult.more
    var seconds = 0
    while result == .more && seconds < 60 {
      result = try sink.write(second.span, firstFrame: 48_000 * seconds)
      seconds += 1
    }
    #expect(result == .closed)
    _ = try sink.finish()
  }

  @Test("a reader that never comes, or takes nothing, is given up once patience is over")
  func noReader() throws {
    let folder = try TemporaryFolder()
    let path = try fifo(folder, .flac)
    let patience = Patience()
    patience.end()
    let told = context(rate: 48_000, channelCount: 1, patience: patience)
    let request = SinkRequest.encodedFIFO(.left, path: path, container: .flac)
    do throws(SplitcapError) {
      let sink = try request.open(told)
      _ = consume sink
      Issue.record("opened a FIFO that nobody reads")
    } catch {
      #expect(error.kind == .cancelled && error.message.contains(path))
    }

    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var sink = try request.open(told)
    let noise = (0..<500_000).map { Int16(truncatingIfNeeded: $0 &* $0 &* 7_919) }
    do throws(SplitcapError) {
      _ = try sink.write(noise.span, firstFrame: 0)
      Issue.record("wrote more than the FIFO holds")
    } catch {
      #expect(error.kind == .cancelled)
    }
    _ = try sink.finish()
  }

  @Test("other containers are refused in words", arguments: [Container.mp3, .w64, .caf])
  func refused(container: Container) throws {
    let folder = try TemporaryFolder()
    let path = try fifo(folder, container)
    let error = #expect(throws: SplitcapError.self) {
      let sink = try SinkRequest.encodedFIFO(.left, path: path, container: container)
        .open(context(rate: 48_000, channelCount: 1))
      _ = consume sink
    }
    #expect(error?.kind == .sinkFailed && error?.hint?.contains(".flac") == true)
  }
}
