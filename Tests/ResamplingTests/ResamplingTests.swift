import Foundation
import Resampling
import SplitcapCore
import Testing

/// Pairs of rates that people have: each of the preferred list, with what devices offer.
private let pairs: [(from: Int, to: Int)] =
  [48_000, 44_100, 32_000, 8_000, 96_000, 22_050].flatMap { from in
    StreamFormat.preferredRates.filter { $0 != from }.map { (from, $0) }
  } + [(11_025, 48_000), (44_100, 48_000), (7_350, 16_000)]

/// `frames` frames of a sine on each channel, `hertz` on the first, twice that on the second.
private func sine(
  _ hertz: Double, rate: Int, frames: Int, channelCount: Int, peak: Double = 20_000
) -> [Int16] {
  var samples: [Int16] = []
  samples.reserveCapacity(frames * channelCount)
  for frame in 0..<frames {
    for channel in 0..<channelCount {
      let phase = 2 * Double.pi * hertz * Double(channel + 1) * Double(frame) / Double(rate)
      samples.append(Int16((peak * sin(phase)).rounded()))
    }
  }
  return samples
}

private func nearest(_ frames: Int, _ from: Int, _ to: Int) -> Int {
  Int((Double(frames) * Double(to) / Double(from)).rounded())
}

@Suite("ResampledSource")
struct ResampledSourceTests {
  @Test("keeps the exact length and a sine in its place, for every pair of rates", arguments: pairs)
  func sineStays(from: Int, to: Int) throws {
    let frames = from + 1234
    let input = sine(440, rate: from, frames: frames, channelCount: 2)
    let tape = Tape([.samples(input)], rate: from, channelCount: 2, blockFrames: 97)
    let out = try Recorded(ResampledSource(tape, to: to), bufferFrames: 333)
    let length = nearest(frames, from, to)
    #expect(out.samples.count == 2 * length)

    // The same sine made at the new rate: a shift by a tenth of a frame would show. The ends,
    // where a sine starts from nothing, are not compared.
    let ideal = sine(440, rate: to, frames: length, channelCount: 2)
    let edge = to / 20
    var worst = 0
    for i in 2 * edge..<2 * (length - edge) {
      worst = max(worst, abs(Int(out.samples[i]) - Int(ideal[i])))
    }
    #expect(worst <= 4, "of 20000")
  }

  @Test("removes what the lower rate can't carry")
  func noAliases() throws {
    let input = sine(9_000, rate: 48_000, frames: 48_000, channelCount: 1)
    let tape = Tape([.samples(input)], rate: 48_000, channelCount: 1, blockFrames: 480)
    let out = try Recorded(ResampledSource(tape, to: 16_000))
    #expect(out.samples[800..<15_200].allSatisfy { abs($0) <= 2 })
  }

  @Test("clips what overshoots, never wraps round")
  func clips() throws {
    // A full-scale square wave overshoots once its upper harmonics are gone.
    let input = (0..<48_000).map { $0 / 24 % 2 == 0 ? Int16.max : Int16.min }
    let tape = Tape([.samples(input)], rate: 48_000, channelCount: 1, blockFrames: 480)
    let out = try Recorded(ResampledSource(tape, to: 44_100)).samples
    #expect(out.contains(.max) && out.contains(.min))
    // Away from the edges, which come every half millisecond, each value has the sign of its half.
    for (frame, sample) in out.enumerated() {
      let (half, place) = (frame * 2_000).quotientAndRemainder(dividingBy: 44_100)
      guard 10_000..<34_000 ~= place else { continue }
      #expect(half.isMultiple(of: 2) ? sample > 20_000 : sample < -20_000)
    }
  }

  @Test("exact silence stays exact silence")
  func silence() throws {
    let zeros = [Int16](repeating: 0, count: 20_000)
    let tape = Tape([.samples(zeros)], rate: 48_000, channelCount: 1, blockFrames: 480)
    let out = try Recorded(ResampledSource(tape, to: 16_000)).samples
    #expect(out.allSatisfy { $0 == 0 })
  }

  @Test("a gap begins and ends where it did, for every pair of rates", arguments: pairs)
  func gapsStay(from: Int, to: Int) throws {
    // Uneven lengths, so that each rounding comes into play; two gaps meet, one is very short.
    let first = sine(300, rate: from, frames: 7_001, channelCount: 2)
    let second = sine(300, rate: from, frames: 5_003, channelCount: 2)
    let third = sine(300, rate: from, frames: 3_331, channelCount: 2)
    let tape = Tape(
      [
        .samples(first), .gap(Gap(frames: 4_444, cause: .overrun)), .nothing,
        .samples(second), .gap(Gap(frames: 17, cause: .serverHole)),
        .gap(Gap(frames: 1_000, cause: .stall)), .samples(third),
      ], rate: from, channelCount: 2, blockFrames: 480)
    let out = try Recorded(ResampledSource(tape, to: to))

    let at = [7_001, 4_444, 5_003, 17, 1_000, 3_331].reduce(into: [0]) { $0.append($0.last! + $1) }
    let places = at.map { nearest($0, from, to) }
    #expect(out.samples.count == 2 * places[6])
    #expect(out.gaps.map(\.gap.cause) == [.overrun, .serverHole, .stall])
    // The gap may begin one frame early where libsoxr rounds a stretch down, and ends exactly.
    for (gap, index) in zip(out.gaps, [1, 3, 4]) {
      #expect(places[index] - gap.start <= 1 && gap.start <= places[index])
      #expect(gap.start + gap.gap.frames == places[index + 1])
    }
  }

  @Test("says at which rate it delivers and what it holds back, and passes on the notes")
  func info() throws {
    let tape = Tape([], rate: 48_000, channelCount: 1, blockFrames: 480)
    let source = try ResampledSource(tape, to: 16_000)
    #expect(source.info.format == StreamFormat(sampleRate: 16_000, channelCount: 1))
    #expect(source.info.notes == ["resampled 48000 to 16000"])
    #expect(source.info.latencyFrames > 480 / 3)
    #expect(source.closingNotes == ["the tape is worn"])
  }
}

@Suite("Resampler")
struct ResamplerTests {
  @Test("knows how many frames a stretch becomes", arguments: pairs)
  func outputFrames(from: Int, to: Int) throws {
    let resampler = try Resampler(channelCount: 1, from: from, to: to)
    for frames in [0, 1, 2, 3, 1_000, 44_100, 9_999_999, 48_000 * 3_600 * 24 * 31] {
      let exact = Double(frames) * Double(to) / Double(from)
      #expect(abs(Double(resampler.outputFrames(forInput: frames)) - exact) <= 0.5)
    }
  }

  @Test("is never further behind than it says", arguments: pairs)
  func delay(from: Int, to: Int) throws {
    var resampler = try Resampler(channelCount: 1, from: from, to: to)
    let limit = try resampler.measuredDelay()
    let input = [Int16](repeating: 100, count: from / 50)
    var output = [Int16](repeating: 0, count: to)
    var taken = 0
    var given = 0
    for _ in 0..<200 {
      var room = output.mutableSpan
      let step = resampler.process(input.span, into: &room)
      taken += step.consumed
      given += step.produced
      #expect(resampler.outputFrames(forInput: taken) - given <= limit)
    }
    #expect(taken == 200 * input.count)
  }
}
