import Lab
import PulseSource
import SplitcapCore

/// Reads a source until it has given that many frames; everything but frames is an error.
func read(_ frames: Int, from source: inout PulseSource) throws -> [Int16] {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(30)
  var samples: [Int16] = []
  let wanted = frames * source.info.format.channelCount
  while samples.count < wanted {
    // No multiple of a fragment, so that fragments are split over reads; never more than is wanted,
    // since the next call goes on where this one ends.
    let count = min(333 * source.info.format.channelCount, wanted - samples.count)
    var block = [Int16](repeating: 0, count: count)
    var room = block.mutableSpan
    switch try source.read(into: &room) {
    case .frames(let count):
      samples += block.prefix(count * source.info.format.channelCount)
    case .nothing:
      guard clock.now < deadline else { throw LabError("only \(samples.count) samples came") }
    case .gap(let gap):
      throw LabError("\(gap) after \(samples.count) samples")
    case .end:
      throw LabError("a live source said that it ended")
    }
  }
  return samples
}

/// Reads until the source throws; returns the error and what was read before.
func readToLoss(of source: inout PulseSource) throws -> (error: SplitcapError, samples: [Int16]) {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(30)
  var samples: [Int16] = []
  var block = [Int16](repeating: 0, count: 4_096)
  while clock.now < deadline {
    do throws(SplitcapError) {
      var room = block.mutableSpan
      if case .frames(let count) = try source.read(into: &room) {
        samples += block.prefix(count * source.info.format.channelCount)
      }
    } catch {
      return (error, samples)
    }
  }
  throw LabError("the source never said that it was lost")
}

/// The error that opening a source ends in.
func failure(on server: any SoundServer, _ request: CaptureRequest) throws -> SplitcapError {
  do throws(SplitcapError) {
    let source = try open(server, request)
    throw SplitcapError(.backend, "it recorded '\(source.info.name)'")
  } catch {
    return error
  }
}

/// Opens a source of a private server.
func open(
  _ server: any SoundServer, _ request: CaptureRequest
) throws(SplitcapError) -> PulseSource {
  try PulseSource(server: PulseServer(address: server.address, timeout: .seconds(10)), request)
}

/// What a private server lists.
func devices(of server: any SoundServer) throws -> [DeviceInfo] {
  try PulseServer(address: server.address, timeout: .seconds(10)).devices()
}
