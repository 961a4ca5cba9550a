internal import SplitcapCore
internal import Transcripts

/// What a user asks `record` to do, as it was typed; whether it can be done, the plan finds out.
struct RecordOptions: Sendable, Equatable {
  /// Where one feed goes.
  struct SinkChoice: Sendable, Equatable {
    var feed: Feed
    var destination: Destination
  }

  /// Which back end a device belongs to.
  enum Backend: String, CaseIterable, Sendable {
    case auto, alsa, pulse
  }

  /// What to do if both ears are wanted of a source of one channel.
  enum Mono: String, CaseIterable, Sendable {
    case error, copy
  }

  /// Whether the rate of the outputs is changed.
  enum Resample: Sendable, Equatable {
    /// Only if an ALSA device has none of the wanted rates.
    case ifNeeded
    /// To this rate, in hertz.
    case rate(Int)
    /// Not even then: such a device is an error.
    case never
  }

  /// What to do when the device goes away.
  enum OnLost: String, CaseIterable, Sendable {
    case wait, stop
  }

  /// When a recording ends by itself.
  enum Limit: Sendable, Equatable {
    case none
    /// After so many frames of the outputs.
    case frames(Int)
    /// After the frames of the outputs that last so long.
    case duration(Duration)
  }

  /// Which segments stay.
  enum Keep: Sendable, Equatable {
    case all
    /// The last so many.
    case count(Int)
    /// Those that ended no longer than that before the last one.
    case time(Duration)
  }

  /// How much is said.
  enum Verbosity: Sendable, Equatable {
    /// Warnings and errors only.
    case quiet
    case normal
    case verbose
  }

  /// When the meter has colours.
  enum Color: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// In the order that they were given; empty only if there is a transcript.
  var sinks: [SinkChoice] = []
  var backend = Backend.auto
  /// A name or a part of a description; `nil` for the default device.
  var device: String?
  /// What is recorded instead of a device.
  var input: InputChoice?
  /// Hertz of an input without a header; `nil` if it has one.
  var inputRate: Int?
  /// Sample format of an input without a header.
  var inputFormat = SampleFormat.s16le
  /// Channels of an input without a header.
  var inputChannels = 2
  /// In hertz, in the order to try; never empty, no rate twice.
  var rates = StreamFormat.preferredRates
  var resample = Resample.ifNeeded
  /// The channels of the source that are the ears, counted from 0; `nil` lets the source say.
  var channels: ChannelPair?
  var mono = Mono.error
  var limit = Limit.none
  /// How long a segment is; `nil` for one recording in one file each.
  var segment: Duration?
  var keep = Keep.all
  /// What the shell runs for each segment.
  var segmentCommand: String?
  /// The most bytes of a file, if the user has a limit.
  var maximumFileBytes: Int?
  var latency = Duration.milliseconds(10)
  var onLost = OnLost.wait
  /// How long a device may be away; `nil` for the usual time, and none at the start.
  var wait: Duration?
  var noClobber = false
  /// How often the disk is to have what was written to files; `nil` leaves it to the system.
  var sync: Duration?
  var pipeFormat = PipeFormat.raw
  /// Where events go; `nil` for nowhere.
  var events: Destination?
  /// Where what programs print goes, merged; `nil` for where they print themselves.
  var mergeOutput: Destination?
  /// How much sound waits for an output that falls behind.
  var queue = Duration.seconds(60)
  /// What is done when that is full; `nil` leaves it to the source.
  var onSlow: SlowRule?
  /// Whether programs that end are started again.
  var respawn = false
  /// What is written down of what is said; `nil` for nothing.
  var transcript: TranscriptOptions?
  /// When an utterance is over.
  var speech = SpeechRules()
  var verbosity = Verbosity.normal
  /// Whether a meter is wanted where there is a terminal.
  var meter = true
  var color = Color.auto

  /// Whether sound of both ears is wanted, so that a source of one channel is not enough.
  var needsBothEars: Bool {
    let feeds = Set(sinks.map(\.feed))
    return feeds.contains(.stereo) || feeds.isSuperset(of: [.left, .right])
  }

  /// What a recording does on a bad day.
  var rules: RecordingRules {
    var rules = RecordingRules()
    if let wait { rules.longestGap = wait }
    rules.queue = queue
    rules.onSlow = onSlow
    rules.restartsPrograms = respawn
    return rules
  }

  /// What is done when the queue of an output is full: what was asked for, or suits the source.
  var slowRule: SlowRule { onSlow ?? (input == nil ? .silence : .block) }
}
