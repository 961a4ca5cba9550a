import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

/// Writes until no more fits, and says what came of it: the error, and the report of the end.
private func fill(
  _ path: String, channelCount: Int
) throws -> (error: SplitcapError?, report: SinkReport) {
  // Noise, so that no codec makes it small.
  var state: UInt32 = 1
  let noise = (0..<4_801 * channelCount).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int16(truncatingIfNeeded: state >> 16)
  }
  let request = SinkRequest.file(channelCount == 1 ? .left : .stereo, path: path)
  var sink = try request.open(context(rate: 16_000, channelCount: channelCount))
  var failure: SplitcapError?
  for block in 0..<100 where failure == nil {
    do throws(SplitcapError) {
      _ = try sink.write(noise.span, firstFrame: 4_801 * block)
    } catch {
      failure = error
    }
  }
  return (failure, try sink.finish())
}

@Suite("A full disk")
struct DiskFullTests {
  static let containers = Container.allCases

  // The limit on a file's size stands for a disk that is full: it cuts a write short, too. It
  // holds for a whole process, hence the child.
  @Test("leaves a valid file and gives one clear error", arguments: containers, [1, 2])
  func limited(container: Container, channelCount: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder("ear.\(container.rawValue)")
    await #expect(processExitsWith: .success) {
      [path = path as String, channelCount = channelCount as Int] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_001, rlim_max: 100_001)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)  // RLIMIT_FSIZE
      let (error, report) = try fill(path, channelCount: channelCount)
      #expect(error?.kind == .sinkFailed)
      #expect(error?.message == "cannot write '\(path)': File too large")
      #expect(error?.hint?.contains("ulimit -f") == true)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(report.bytes == size)
      // Of what did not fit whole, the frames that did are counted.
      let headers = ["wav": 44, "raw": 0, "rf64": 80, "w64": 104, "caf": 68, "aiff": 54, "au": 32]
      if let frames = report.frames {
        let header = try #require(headers[String(path.split(separator: ".").last!)])
        #expect(frames == (report.bytes - header) / (2 * channelCount))
      }
    }

    // Most of what fits is there, in whole frames, and other readers find nothing wrong with it.
    let size = try folder.bytes(of: "ear.\(container.rawValue)").count
    #expect(80_000...100_001 ~= size)
    guard container != .raw else { return #expect(size % (2 * channelCount) == 0) }
    let other = try samplesByFFmpeg(path)
    #expect(other.count > 15_000)
    if container.isLossless { #expect(difference(try read(path), other) == nil) }
  }

  @Test("is called by its name")
  func named() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder("l.raw"), withDestinationPath: "/dev/full")
    let (error, _) = try fill(folder("l.raw"), channelCount: 1)
    #expect(error?.message == "cannot write '\(folder("l.raw"))': No space left on device")
    #expect(error?.hint?.contains("free some space") == true)
  }
}
