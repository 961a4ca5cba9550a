internal import SplitcapCore
internal import Transcripts

/// The events of a recording as JSON objects; `docs/events.md` describes them.
enum EventLines {
  /// Raised when a key or a word changes its meaning or goes away; a new one does not raise it.
  static let version = 1

  /// Keys of an event, without those that all events have.
  typealias Members = [(key: String, value: JSON)]

  /// The name of an event, and what it tells.
  static func members(of event: RecordingEvent, _ plan: RecordPlan) -> (String, Members) {
    switch event {
    case .started(let start): ("start", Self.start(start, plan))
    case .gap(_, let gap):
      (
        "gap",
        [
          ("frames", .integer(gap.frames)), ("cause", .string(gap.cause.word)),
          ("filled", .bool(gap.isFilled)),
        ]
      )
    case .lost(_, let error): ("lost", [("error", Self.error(error))])
    case .back(_, let info): ("back", [("source", source(info))])
    case .drift(_, let partsPerMillion): ("drift", [("ppm", .number(rounded(partsPerMillion)))])
    case .suspicious(_, let finding):
      ("warning", warning(finding.words, finding.hint, about: finding.word))
    case .segment(let segment): ("segment", Self.segment(segment))
    case .sinkFailed(let place, let error):
      ("sink-failed", Self.place(place) + [("error", Self.error(error))])
    case .readerLeft(let place): ("reader-left", Self.place(place))
    case .slow(let place): ("slow", Self.place(place))
    case .caughtUp(let place, let dropped):
      ("caught-up", Self.place(place) + [("dropped_frames", .integer(dropped))])
    case .unread(let place): ("unread", Self.place(place))
    case .programEnded(let place, let error, let wait):
      (
        "program-ended",
        Self.place(place) + [
          ("error", Self.error(error)),
          ("restarts_in_s", .integer(Int(wait.components.seconds))),
        ]
      )
    case .restarted(let place, let missed):
      ("restarted", Self.place(place) + [("missed_frames", .integer(missed))])
    case .warning(_, let message, let hint): ("warning", warning(message, hint))
    }
  }

  /// The name of an event of a transcript, the timeline's frame, and what it tells.
  static func members(of event: TranscriptRun.Event) -> (String, Int, Members) {
    switch event {
    case .failed(let utterance, _, let error):
      (
        "recognizer-failed", utterance.speech.upperBound,
        [
          ("ear", .string("\(utterance.ear)")),
          ("first_frame", .integer(utterance.speech.lowerBound)),
          ("frames", .integer(utterance.speech.count)), ("error", Self.error(error)),
        ]
      )
    }
  }

  /// What a warning tells.
  static func warning(_ message: String, _ hint: String?, about finding: String? = nil) -> Members {
    [("finding", .optional(finding)), ("message", .string(message)), ("hint", .optional(hint))]
  }

  /// The line of an event.
  ///
  /// - Parameters:
  ///   - event: Its name.
  ///   - frame: Where on the timeline it happened.
  ///   - wallNanoseconds: When it was noticed.
  ///   - leftOut: Events before it that the reader was too slow for.
  ///   - members: What else it tells.
  /// - Returns: The text, without a newline.
  static func line(
    _ event: String, frame: Int, at wallNanoseconds: Int64, leftOut: Int, _ members: Members
  ) -> String {
    let common: Members =
      [("event", .string(event)), ("frame", .integer(frame))]
      + time("time", wallNanoseconds)
      + (leftOut > 0 ? [("events_left_out", .integer(leftOut))] : [])
    return JSON.object(common + members).text
  }

  // MARK: Start

  private static func start(_ start: RecordingStart, _ plan: RecordPlan) -> Members {
    [("version", .integer(version)), ("program", .string("splitcap \(Version.number)"))]
      + time("start_time", start.wallNanoseconds)
      + [
        ("start_monotonic_ns", .integer(Int(start.monotonicNanoseconds))),
        ("source", source(start.source)),
        ("ears", .array([start.ears.left, start.ears.right].map { .integer($0 + 1) })),
        ("outputs", .array(plan.sinks.map { .object(output($0.feed, $0.name)) })),
      ]
  }

  private static func time(_ key: String, _ nanoseconds: Int64) -> Members {
    [
      (key, .string(Timestamp.rfc3339(nanoseconds: nanoseconds))),
      ("\(key)_ns", .integer(Int(nanoseconds))),
    ]
  }

  private static func source(_ info: SourceInfo) -> JSON {
    .object([
      ("backend", .string(info.backend.rawValue)),
      ("name", .string(info.name)),
      ("description", .string(info.description)),
      ("native", info.native.map(native) ?? .null),
      ("recorded", recorded(info.format)),
      ("notes", .array(info.notes.map(JSON.string))),
    ])
  }

  private static func native(_ native: SourceInfo.Native) -> JSON {
    layout(native.channelCount, native.sampleRate, native.sampleFormat)
  }

  private static func recorded(_ format: StreamFormat) -> JSON {
    layout(format.channelCount, format.sampleRate, SampleFormat.s16le.rawValue)
  }

  private static func layout(_ channels: Int, _ rate: Int, _ format: String) -> JSON {
    .object([
      ("channels", .integer(channels)), ("rate", .integer(rate)), ("format", .string(format)),
    ])
  }

  // MARK: Parts

  /// What an output is called, everywhere.
  static func output(_ feed: Feed, _ name: String) -> Members {
    [("feed", .string(feed.rawValue)), ("path", .string(name))]
  }

  private static func segment(_ segment: RecordingSegment) -> Members {
    [
      ("segment", .integer(segment.index)),
      ("first_frame", .integer(segment.firstFrame)),
      ("frames", .integer(segment.frames)),
      ("gap_frames", .integer(segment.gapFrames)),
    ]
      + time("start_time", segment.startNanoseconds)
      + [
        (
          "files",
          .array(
            segment.files.map { file in
              .object([
                ("feed", .string(file.feed.rawValue)),
                ("path", .string(file.path)),
                ("first_frame", .integer(file.firstFrame)),
                ("frames", .integer(file.frames)),
                ("bytes", .integer(file.bytes)),
              ])
            })
        )
      ]
  }

  private static func place(_ place: SinkPlace) -> Members { output(place.feed, place.name) }

  /// What went wrong; `null` for nothing.
  static func error(_ error: SplitcapError?) -> JSON {
    guard let error else { return .null }
    return .object([
      ("kind", .string(error.kind.word)), ("message", .string(error.message)),
      ("hint", .optional(error.hint)),
    ])
  }
}

// The words of the events; `docs/events.md` lists them, so they do not follow names in the code.

extension Gap.Cause {
  fileprivate var word: String {
    switch self {
    case .overrun: "overrun"
    case .serverHole: "server-hole"
    case .stall: "stall"
    case .away: "away"
    case .suspend: "suspend"
    case .splice: "splice"
    case .source: "source"
    }
  }
}

extension EarWatch.Finding {
  fileprivate var word: String {
    switch self {
    case .deadEar(.left): "left-silent"
    case .deadEar(.right): "right-silent"
    case .deadEars: "both-silent"
    case .identicalEars: "ears-identical"
    }
  }
}

extension SplitcapError.Kind {
  fileprivate var word: String {
    switch self {
    case .usage: "usage"
    case .sourceUnavailable: "source-unavailable"
    case .sourceBusy: "source-busy"
    case .permissionDenied: "permission-denied"
    case .unsupportedFormat: "unsupported-format"
    case .sourceLost: "source-lost"
    case .sinkFailed: "sink-failed"
    case .cancelled: "cancelled"
    case .backend: "backend"
    }
  }
}
