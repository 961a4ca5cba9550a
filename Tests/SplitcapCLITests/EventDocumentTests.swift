import Foundation
import Lab
import Testing

@testable import SplitcapCLI
@testable import Transcripts
@testable import SplitcapCore

/// A key of a JSON object: of an event, or of the object that stands under another key.
private struct Key: Hashable, Comparable, CustomStringConvertible {
  var owner: String
  var name: String

  var description: String { "\(owner).\(name)" }
  static func < (a: Key, b: Key) -> Bool { a.description < b.description }
}

@Suite("docs/events.md")
struct EventDocumentTests {
  private static let document: String = {
    let url = URL(fileURLWithPath: #filePath + "/../../../docs/events.md").standardizedFileURL
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }()

  /// The keys that the document has a row for.
  private static let documented: Set<Key> = {
    var keys: Set<Key> = []
    var owners: [String] = []
    for line in document.split(separator: "\n") {
      let words = line.prefix { $0 != "(" }.matches(of: /`([^`]+)`/).map { String($0.output.1) }
      if line.hasPrefix("#") {
        owners = line.hasSuffix("Every line") ? ["every line"] : words
      } else if line.hasPrefix("| `") {
        let names = line.dropFirst().prefix { $0 != "|" }.matches(of: /`([^`]+)`/)
        for owner in owners {
          keys.formUnion(names.map { Key(owner: owner, name: String($0.output.1)) })
        }
      }
    }
    return keys
  }()

  /// The keys of what is really written.
  private func keys(of lines: [String]) throws -> Set<Key> {
    var keys: Set<Key> = []
    func walk(_ value: Any, _ owner: String) {
      if let values = value as? [Any] {
        for value in values { walk(value, owner) }
      } else if let members = value as? [String: Any] {
        for (name, value) in members {
          keys.insert(Key(owner: owner, name: name))
          walk(value, name)
        }
      }
    }
    let common: Set = ["event", "frame", "time", "time_ns", "events_left_out"]
    for line in lines {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      var members = try #require(value as? [String: Any])
      let event = try #require(members["event"] as? String)
      keys.formUnion(
        members.keys.filter(common.contains).map { Key(owner: "every line", name: $0) })
      members = members.filter { !common.contains($0.key) }
      walk(members, event)
    }
    return keys
  }

  @Test("has a row for each key that an event may have, and for no other")
  func keys() throws {
    let lines = try EventSamples.lines()
    let written = try keys(of: lines)
    #expect(written.subtracting(Self.documented).sorted() == [], "not documented")
    #expect(Self.documented.subtracting(written).sorted() == [], "never written")
  }

  @Test("has each word that stands for one of several")
  func words() throws {
    for line in try EventSamples.lines() {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let members = try #require(value as? [String: Any])
      let error = members["error"] as? [String: Any]
      for word in [members["cause"], members["finding"], members["ending"], error?["kind"]] {
        guard let word = word as? String else { continue }
        #expect(Self.document.contains("`\(word)`"))
      }
    }
    #expect(Self.document.contains("| `version` | \(EventLines.version). "))
  }
}

/// A line of each kind, with every word that may stand in it.
private enum EventSamples {
  static func lines() throws -> [String] {
    let folder = try TemporaryFolder()
    guard
      case .record(let options) = try Invocation([
        "-l", folder("l.wav"), "--stereo", "exec:cat", "--events", "-",
      ])
    else { throw LabError("not a recording") }
    let plan = try RecordPlan(options)
    let events = events.map { event in
      let (name, members) = EventLines.members(of: event, plan)
      return EventLines.line(name, frame: event.frame, at: 1, leftOut: 3, members)
    }
    let utterance = Utterance(ear: .right, speech: 5..<7, sound: 4..<8)
    let (name, frame, members) = EventLines.members(
      of: .failed(utterance, speaker: "Ben", errors[6]))
    let failed = EventLines.line(name, frame: frame, at: 1, leftOut: 3, members)
    let ends = outcomes.map { outcome in
      EventLines.line("end", frame: 0, at: 1, leftOut: 0, EventLines.end(outcome, .incomplete))
    }
    return events + [failed] + ends
  }

  private static let info = SourceInfo(
    backend: .alsa, name: "hw:1", description: "Headset",
    format: StreamFormat(sampleRate: 16_000, channelCount: 2),
    native: SourceInfo.Native(channelCount: 4, sampleRate: 48_000, sampleFormat: "S24_3LE"),
    ears: ChannelPair(left: 0, right: 1), isLive: true)

  private static let errors = [
    .usage, .sourceUnavailable, .sourceBusy, .permissionDenied, .unsupportedFormat, .sourceLost,
    .sinkFailed, .cancelled, .backend,
  ].map { (kind: SplitcapError.Kind) in SplitcapError(kind, "words", hint: "more") }

  private static let place = SinkPlace(feed: .left, name: "l.wav", frame: 7)

  private static let events: [RecordingEvent] = {
    let start = RecordingStart(
      source: info, ears: info.ears, wallNanoseconds: 1, monotonicNanoseconds: 2)
    var events: [RecordingEvent] = [
      .started(start), .back(frame: 1, info), .drift(frame: 1, partsPerMillion: -600.5),
      .readerLeft(place), .slow(place), .caughtUp(place, droppedFrames: 5), .unread(place),
      .programEnded(place, errors[6], restartsIn: .seconds(1)),
      .restarted(place, missedFrames: 5), .warning(frame: 1, message: "words", hint: nil),
    ]
    let file = SegmentFile(
      feed: .left, name: "l-%i.wav", path: "l-0001.wav", firstFrame: 0, frames: 7, bytes: 58)
    events.append(
      .segment(
        RecordingSegment(
          index: 1, firstFrame: 0, frames: 7, gapFrames: 0, startNanoseconds: 1, files: [file])))
    for error in errors { events += [.lost(frame: 1, error), .sinkFailed(place, error)] }
    let causes: [Gap.Cause] = [.overrun, .serverHole, .stall, .away, .suspend, .splice, .source]
    for cause in causes {
      events.append(.gap(firstFrame: 1, Gap(frames: 5, cause: cause, isFilled: false)))
    }
    let findings: [EarWatch.Finding] = [
      .deadEar(.left), .deadEar(.right), .deadEars, .identicalEars,
    ]
    for finding in findings { events.append(.suspicious(frame: 1, finding)) }
    return events
  }()

  private static let outcomes: [RecordSession.Outcome?] = {
    var sink = SinkSummary(feed: .left, name: "l.wav")
    sink.error = errors[0]
    sink.report = SinkReport(bytes: 2, programStatus: 1, notes: ["words"])
    let endings: [RecordingSummary.Ending] = [
      .limitReached, .stopped, .sourceEnded, .noSinkLeft, .sourceFailed(errors[5]),
    ]
    let summaries = endings.map { ending in
      RecordingSummary(
        ending: ending, source: info, frames: 10, startNanoseconds: 1, left: BlockLevel(),
        right: BlockLevel(), gapCount: 0, gapFrames: 0, sinks: [sink], drift: 40, isClockOff: false,
        notes: [])
    }
    return summaries.map { .success($0) } + [.failure(errors[5]), .failure(errors[7]), nil]
  }()
}
