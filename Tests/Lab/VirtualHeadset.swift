import Foundation

/// A virtual two-ear device of ALSA, as a test wants it; see `Tests/VirtualHeadset/README.md`.
public struct VirtualHeadset: Sendable {
  /// What its samples say.
  public enum Pattern: String, Sendable {
    /// Each pair of channels is a ramp and its negative; see ``sample(channel:frame:)``.
    case ramp
    /// The time of capture; see ``time(even:odd:)``.
    case time
  }

  /// The PCM's name.
  public var name: String
  /// The text that a list of devices shows.
  public var description: String
  /// Rates in hertz.
  public var rates: [Int]
  /// Numbers of channels.
  public var channels: [Int]
  /// Sample formats by ALSA's names: `S16_LE`, `S24_3LE`, `S32_LE`, `FLOAT_LE`.
  public var formats: [String]
  /// Whether a clock paces it; else it always has a full buffer.
  public var isPaced = true
  /// How many times faster than ours its clock runs.
  public var speed = 1.0
  /// How many parts per million its clock runs fast, besides.
  public var driftPPM = 0.0
  /// What goes wrong, and when.
  public var faults: [Fault] = []
  /// Whether its timeline goes on while it is closed, as a script of faults wants it.
  public var keepsTimeline = false
  /// What its samples say.
  public var pattern = Pattern.ramp
  /// Index of the first frame on its ramp.
  public var firstFrame = 0
  /// The longest buffer in frames; 0 for any.
  public var maximumBufferFrames = 0
  /// Whether it can be opened once at a time.
  public var isExclusive = false

  /// Makes a headset; see the properties.
  public init(
    _ name: String, description: String? = nil, rates: [Int] = [16_000], channels: [Int] = [2],
    formats: [String] = ["S16_LE"]
  ) {
    self.name = name
    self.description = description ?? "Virtual headset \(name)"
    self.rates = rates
    self.channels = channels
    self.formats = formats
  }

  /// The sample of a channel at a frame of the device's timeline, with the pattern `ramp`.
  ///
  /// Never 0, so that silence in a recording is not the headset's.
  public static func sample(channel: Int, frame: Int) -> Int16 {
    let value = Int16(1 + (frame + channel / 2 * 4_099) % 32_767)
    return channel.isMultiple(of: 2) ? value : -value
  }

  /// The frame, modulo 32767, at which channel 0 has `sample`.
  public static func frame(ofLeft sample: Int16) -> Int { Int(sample) - 1 }

  /// CLOCK_MONOTONIC in microseconds, modulo 2^30, at which the first of two frames was captured.
  ///
  /// With the pattern `time`; both samples are of one channel, `even` is the one that is not
  /// negative.
  public static func time(even: Int16, odd: Int16) -> Int { Int(even) | Int(~odd) << 15 }

  func definition(folder: URL) -> String {
    var lines = [
      "type virtual_headset",
      "rates [ \(rates.map(String.init).joined(separator: " ")) ]",
      "channels [ \(channels.map(String.init).joined(separator: " ")) ]",
      "formats [ \(formats.joined(separator: " ")) ]",
      "paced \(isPaced ? "yes" : "no")",
      "speed \(speed)",
      "drift \(driftPPM)",
      "pattern \(pattern.rawValue)",
      "first_frame \(firstFrame)",
      "max_buffer_frames \(maximumBufferFrames)",
      "hint { show on description \"\(description)\" }",
    ]
    if isExclusive {
      lines.append("lock \"\(folder.appendingPathComponent("\(name).lock").path)\"")
    }
    if hasState {
      lines.append("state \"\(folder.appendingPathComponent(stateName).path)\"")
    }
    if !faults.isEmpty {
      lines.append("faults [ \(faults.map(\.definition).joined(separator: " ")) ]")
    }
    return "pcm.\(name) {\n  \(lines.joined(separator: "\n  "))\n}\n"
  }
}
