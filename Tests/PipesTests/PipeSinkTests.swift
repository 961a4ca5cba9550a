import Foundation
import Lab
import Pipes
import SplitcapCore
import Testing

@Suite("Pipes as sinks")
struct PipeSinkTests {
  /// Starts to read a FIFO to its end.
  private func read(_ fifo: String) -> Background<[UInt8]> {
    Background { drain(unsafe open(fifo, O_RDONLY)) }
  }

  @Test("a FIFO's reader may come before the writer or after it", arguments: [true, false])
  func fifo(readerFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFIFO("left")
    let samples = ramp(frames: 100_000)  // more than a pipe holds
    let request = SinkRequest.fifo(.stereo, path: path, as: .raw)
    let early = readerFirst ? read(path) : nil
    usleep(50_000)
    let writer = Background { write(samples, to: request) }
    usleep(50_000)
    let reader = early ?? read(path)
    #expect(reader.wait() == bytes(of: samples))
    #expect(writer.wait()?.report == SinkReport(bytes: samples.count * 2))
  }

  @Test("two FIFOs may be opened in the other order than they are named")
  func otherOrder() throws {
    let folder = try TemporaryFolder()
    let paths = try ["left", "right"].map { try folder.makeFIFO($0) }
    let samples = ramp(frames: 10)
    let writers = paths.map { path in
      Background { write(samples, to: .fifo(.stereo, path: path, as: .raw)) }
    }
    for path in paths.reversed() {
      #expect(read(path).wait() == bytes(of: samples))
    }
    for writer in writers { #expect(writer.wait()?.report != nil) }
  }

  @Test("a FIFO that nobody reads is given up, by name, once the recording ends")
  func noReader() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFIFO("left")
    let patience = Patience()
    patience.shorten()
    let written = write(
      [1, 2], to: .fifo(.stereo, path: path, as: .raw), context(patience: patience))
    #expect(written.writeError?.kind == .sinkFailed)
    #expect(written.writeError?.message == "nobody reads FIFO '\(path)'")
  }

  @Test("all waiting ends at once when patience is ended")
  func endedWait() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFIFO("left")
    let patience = Patience()
    let request = SinkRequest.fifo(.stereo, path: path, as: .raw)
    let writer = Background { write([1, 2], to: request, context(patience: patience)) }
    usleep(50_000)
    patience.end()
    #expect(writer.wait()?.writeError?.kind == .cancelled)
  }

  @Test("with a WAV header: 44 bytes, both sizes say that there is no size, then nothing but sound")
  func wave() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makeFIFO("left.wav")
    let samples = ramp(frames: 30_000)
    let reader = read(path)
    let written = write(
      samples, to: .fifo(.left, path: path, as: .wav), context(.left, rate: 11_025))
    let bytes = try #require(reader.wait())
    let format = StreamFormat(sampleRate: 11_025, channelCount: 1)
    #expect(Array(bytes.prefix(44)) == WaveHeader(format: format, dataBytes: nil).bytes)
    #expect(bytes[4..<8].allSatisfy { $0 == 0xff } && bytes[40..<44].allSatisfy { $0 == 0xff })
    #expect(Array(bytes.dropFirst(44)) == Lab.bytes(of: samples))
    #expect(written.report?.bytes == bytes.count)
  }

  @Test("a reader that leaves ends its sink normally")
  func readerLeaves() throws {
    let ends = pipeEnds()
    let reader = Background {
      var bytes = [UInt8](repeating: 0, count: 1000)
      let count = unsafe Foundation.read(ends.reading, &bytes, bytes.count)
      close(ends.reading)
      return count
    }
    let written = write(
      ramp(frames: 200_000), to: .descriptor(.stereo, number: ends.writing, as: .raw))
    #expect(reader.wait() == 1000)
    #expect(written.isClosed)
    #expect(written.writeError == nil)
    #expect(written.finishError == nil)
  }

  @Test("a reader that stalls is waited for, and given up once the recording ends")
  func readerStalls() throws {
    let ends = pipeEnds()
    let patience = Patience()
    let samples = ramp(frames: 200_000)
    let request = SinkRequest.descriptor(.stereo, number: ends.writing, as: .raw)
    let writer = Background { write(samples, to: request, context(patience: patience)) }
    usleep(300_000)
    patience.shorten()
    let written = try #require(writer.wait())
    #expect(written.writeError?.kind == .sinkFailed)
    #expect(written.writeError?.message.contains("took nothing for 2 s") == true)
    close(ends.reading)
  }

  @Test("a slow reader gets every byte, although the recording has ended")
  func slowReader() throws {
    let ends = pipeEnds()
    let patience = Patience()
    patience.shorten()
    let samples = ramp(frames: 60_000)
    let request = SinkRequest.descriptor(.stereo, number: ends.writing, as: .raw)
    let writer = Background { write(samples, to: request, context(patience: patience)) }
    var got: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 20_000)
    while case let count = unsafe Foundation.read(ends.reading, &part, part.count), count > 0 {
      got += part[..<count]
      usleep(20_000)
    }
    close(ends.reading)
    #expect(got == bytes(of: samples))
    #expect(writer.wait()?.report?.bytes == got.count)
  }

  @Test("the reader of a descriptor sees the end at once, and the shared open file stays blocking")
  func descriptorIsTakenOver() throws {
    let ends = pipeEnds()
    let other = dup(ends.writing)  // as another program would have it
    let reader = Background { drain(ends.reading) }
    let request = SinkRequest.descriptor(.stereo, number: ends.writing, as: .raw)
    let written = write([1, 2, 3, 4], to: request) {
      #expect(fcntl(other, F_GETFL) & O_NONBLOCK == 0)
      close(other)
    }
    #expect(reader.wait() == [1, 0, 2, 0, 3, 0, 4, 0])
    #expect(written.report?.bytes == 8)
    close(ends.writing)
  }

  @Test("a socket is written without waiting, as far as its reader follows")
  func socket() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (near, far) = (ends[0], ends[1])
    let samples = ramp(frames: 300_000)
    let reader = Background { drain(far) }
    let written = write(samples, to: .descriptor(.stereo, number: near, as: .raw))
    #expect(reader.wait() == bytes(of: samples))
    #expect(written.report?.bytes == samples.count * 2)
  }

  @Test("a shell's redirection keeps its offset: what was in the file stays before the sound")
  func redirection() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([7, 7, 7], to: "out")
    let file = unsafe open(path, O_WRONLY | O_APPEND)
    let written = write([1, 2], to: .descriptor(.stereo, number: file, as: .raw))
    #expect(written.report?.bytes == 4)
    #expect(FileManager.default.contents(atPath: path) == Data([7, 7, 7, 1, 0, 2, 0]))
    close(file)
  }

  @Test("a device takes sound, and a full one fails with the system's words")
  func devices() {
    let samples = ramp(frames: 100_000)
    let null = write(samples, to: .characterDevice(.stereo, path: "/dev/null", as: .raw))
    #expect(null.report?.bytes == samples.count * 2)
    let full = write(samples, to: .characterDevice(.stereo, path: "/dev/full", as: .raw))
    #expect(full.writeError?.kind == .sinkFailed)
    #expect(full.writeError?.message.contains("No space left on device") == true)
    #expect(full.finishError == nil)
  }

  @Test("a pipe takes more than its headers can count")
  func longStream() throws {
    // The count of a sink goes on beyond the 4 GiB of a WAV header: nothing is written anew.
    let block = [Int16](repeating: 3, count: 1 << 22)
    var sink = try SinkRequest.characterDevice(.left, path: "/dev/null", as: .wav)
      .open(context(.left))
    let blocks = 520  // 4.06 GiB
    for i in 0..<blocks {
      #expect(try sink.write(block.span, firstFrame: i * block.count) == .more)
    }
    #expect(try sink.finish().bytes == blocks * block.count * 2 + 44)
  }
}
