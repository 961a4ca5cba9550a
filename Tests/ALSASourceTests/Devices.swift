import ALSASource
import Foundation
import Lab
import SplitcapCore
import Testing

/// The virtual headsets of these tests.
///
/// All in one configuration, since libasound reads it for the whole process.
enum Devices {
  private static let shared: VirtualHeadsets = {
    var headsets = [
      VirtualHeadset("stereo", description: "Two-ear headset"),
      VirtualHeadset("mono", description: "Call headset", channels: [1]),
      VirtualHeadset("four", channels: [4]),
      VirtualHeadset("one-to-eight", channels: Array(1...8)),
      VirtualHeadset("s24", formats: ["S24_3LE"]),
      VirtualHeadset("mono24", channels: [1], formats: ["S24_3LE"]),
      VirtualHeadset("four32", channels: [4], formats: ["S32_LE"]),
      VirtualHeadset("22050+48000", rates: [22_050, 48_000]),
      VirtualHeadset("11025+44100", rates: [11_025, 44_100]),
      VirtualHeadset("48000", rates: [48_000]),
      VirtualHeadset("8000", rates: [8_000]),
      VirtualHeadset("32000+48000", rates: [48_000, 32_000]),
    ]
    headsets += StreamFormat.preferredRates.map { VirtualHeadset("only\($0)", rates: [$0]) }
    var exclusive = VirtualHeadset("exclusive")
    exclusive.isExclusive = true
    var short = VirtualHeadset("short", rates: [16_000, 48_000])
    short.maximumBufferFrames = 3_200
    let formats = ["free": "S16_LE", "s32": "S32_LE", "float": "FLOAT_LE"]
    headsets += formats.map { name, format in
      var headset = VirtualHeadset(name, formats: [format])
      headset.isPaced = false
      return headset
    }
    var clock = VirtualHeadset("clock")
    clock.pattern = .time
    var ahead = VirtualHeadset("ahead")
    ahead.firstFrame = 100_000
    var slow = VirtualHeadset("slow")
    slow.speed = 0.02
    headsets += [exclusive, short, clock, ahead, slow]
    do {
      let shared = try VirtualHeadsets(
        headsets,
        more: """
          pcm.!default { type asym capture.pcm "plugged" playback.pcm "null" }
          pcm.plugged { type plug slave.pcm "mono24" }
          pcm.nested { type plug slave { pcm { type plug slave.pcm "mono" } rate 48000 } }
          pcm.shared_slave { type plug slave "there" }
          pcm_slave.there { pcm "s32" }
          pcm.copied { type plug slave.pcm "mono" ttable.0.0 1 ttable.0.1 1 }
          pcm.resampled { type rate slave { pcm "48000" rate 48000 } }
          pcm.template {
            @args [ FORMAT ]
            @args.FORMAT { type string }
            type virtual_headset
            formats $FORMAT
            paced no
          }
          pcm.wrong { type virtual_headset rates [ 0 ] }
          pcm.playback { type asym playback.pcm "null" }
          """)
      shared.useInThisProcess()
      return shared
    } catch {
      fatalError("cannot write an ALSA configuration: \(error)")
    }
  }()

  /// Opens one of them.
  static func open(
    _ name: String?, rates: [Int] = StreamFormat.preferredRates,
    fallback: CaptureRequest.RateFallback = .ownRate, latency: Duration = .milliseconds(10),
    minimumChannels: Int = 1
  ) throws(SplitcapError) -> ALSASource {
    _ = shared
    return try ALSASource(
      CaptureRequest(
        device: name, rates: rates, fallback: fallback, latency: latency,
        minimumChannels: minimumChannels))
  }

  /// Lists them.
  static func list(rates: [Int] = StreamFormat.preferredRates) throws(SplitcapError) -> [DeviceInfo]
  {
    _ = shared
    return try ALSASource.devices(rates: rates)
  }
}

/// What a source delivered.
struct Recording {
  var channelCount: Int
  /// Interleaved samples.
  var samples: [Int16] = []
  /// Where frames were lost: after which of ``frameCount``, and how many.
  var gaps: [(after: Int, gap: Gap)] = []

  /// Frames delivered, without gaps.
  var frameCount: Int { samples.count / channelCount }

  /// The samples of one channel.
  func channel(_ channel: Int) -> [Int16] {
    stride(from: channel, to: samples.count, by: channelCount).map { samples[$0] }
  }

  /// The ramp of a channel from `frame` on, as long as this recording.
  func ramp(channel: Int, from frame: Int = 0) -> [Int16] {
    (0..<frameCount).map { VirtualHeadset.sample(channel: channel, frame: frame + $0) }
  }
}

extension ALSASource {
  /// Reads until at least `frames` more frames have come, or for 20 s, which is a failure.
  mutating func record(
    _ frames: Int, into recording: inout Recording, blockFrames: Int = 1_000
  ) throws(SplitcapError) {
    var block = [Int16](repeating: 0, count: blockFrames * info.format.channelCount)
    let end = recording.frameCount + frames
    let deadline = ContinuousClock.now + .seconds(20)
    while recording.frameCount < end {
      guard ContinuousClock.now < deadline else {
        Issue.record("\(info.name) delivered \(recording.frameCount) of \(end) frames in 20 s")
        return
      }
      var room = block.mutableSpan
      switch try read(into: &room) {
      case .frames(let count):
        recording.samples += block[..<(count * info.format.channelCount)]
      case .gap(let gap): recording.gaps.append((recording.frameCount, gap))
      case .nothing: continue
      case .end:
        Issue.record("a device has no end")
        return
      }
    }
  }

  /// Reads at least `frames` frames.
  mutating func record(_ frames: Int) throws(SplitcapError) -> Recording {
    var recording = Recording(channelCount: info.format.channelCount)
    try record(frames, into: &recording)
    return recording
  }
}
