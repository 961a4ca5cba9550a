import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

/// Interleaved samples that take every value of 16 bits, each channel's from another start.
func ramp(frames: Int, channelCount: Int) -> [Int16] {
  var samples: [Int16] = []
  samples.reserveCapacity(frames * channelCount)
  for frame in 0..<frames {
    for channel in 0..<channelCount {
      let value = Int16(truncatingIfNeeded: frame * 7)
      samples.append(channel.isMultiple(of: 2) ? value : 0 &- value)
    }
  }
  return samples
}

/// What a sink is told.
func context(
  rate: Int, channelCount: Int, patience: Patience = Patience()
) -> SinkContext {
  SinkContext(
    feed: channelCount == 1 ? .left : .stereo,
    format: StreamFormat(sampleRate: rate, channelCount: channelCount), startNanoseconds: 0,
    firstFrame: 0, patience: patience)
}

/// Writes `samples` in uneven blocks, and finishes.
@discardableResult
func record(
  _ samples: [Int16], to sink: consuming any Sink & ~Copyable, channelCount: Int
) throws(SplitcapError) -> SinkReport {
  var frame = 0
  var size = 1
  let frames = samples.count / channelCount
  while frame < frames {
    let count = min(size, frames - frame)
    let block = samples.span.extracting(frame * channelCount..<(frame + count) * channelCount)
    guard try sink.write(block, firstFrame: frame) == .more else { break }
    frame += count
    size = size * 3 % 5_009  // 5009 is prime: sizes from 1 to 5008 in no order
  }
  return try sink.finish()
}

/// Writes `samples` to a file.
@discardableResult
func record(
  _ samples: [Int16], to path: String, rate: Int, channelCount: Int, container: Container? = nil
) throws(SplitcapError) -> SinkReport {
  let request = SinkRequest.file(
    channelCount == 1 ? .left : .stereo, path: path, container: container)
  let sink = try request.open(context(rate: rate, channelCount: channelCount))
  return try record(samples, to: sink, channelCount: channelCount)
}

/// All samples of a file, read in uneven pieces; `info` gets what the source says of it.
func read(_ path: String, info: inout SourceInfo?) throws(SplitcapError) -> [Int16] {
  var source = try SoundFileSource(path: path)
  info = source.info
  var buffer = [Int16](repeating: 0, count: 1_999 * source.info.format.channelCount)
  var samples: [Int16] = []
  while true {
    var room = buffer.mutableSpan
    guard case .frames(let count) = try source.read(into: &room) else { return samples }
    samples += buffer[..<(count * source.info.format.channelCount)]
  }
}

/// All samples of a file.
func read(_ path: String) throws(SplitcapError) -> [Int16] {
  var info: SourceInfo?
  return try read(path, info: &info)
}

/// The first sample in which two recordings differ, in words; `nil` if they are the same.
func difference(_ got: [Int16], _ wanted: [Int16]) -> String? {
  for (place, pair) in zip(got, wanted).enumerated() where pair.0 != pair.1 {
    return "sample \(place) is \(pair.0), not \(pair.1)"
  }
  return got.count == wanted.count ? nil : "\(got.count) samples, not \(wanted.count)"
}

/// The samples in little-endian bytes.
func samples(_ bytes: [UInt8]) -> [Int16] {
  stride(from: 0, to: bytes.count - 1, by: 2).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

/// The samples that another program reads from a file; fails on a warning.
func samples(readBy program: String, _ arguments: String...) throws -> [Int16] {
  let outcome = try Program.run(program, arguments)
  #expect(outcome.status == .exited(0) && outcome.errors == "", "\(program): \(outcome.errors)")
  return samples(outcome.output)
}

/// The samples that ffmpeg reads from a file.
func samplesByFFmpeg(_ path: String) throws -> [Int16] {
  try samples(readBy: "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "s16le", "-")
}
