internal import SplitcapCore
internal import Transcripts

/// Entries of a transcript as text, in one of its formats; each entry whole, so that what is there is
/// valid at every moment.
struct TranscriptText: Sendable {
  private let format: TranscriptOptions.Format
  private let names: SpeakerNames
  private let stream: StreamFormat
  /// Cues so far.
  private var number = 0
  private var hasHeader = false

  /// Prepares to write.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - names: What the speakers are called.
  ///   - stream: Of the recording.
  init(_ format: TranscriptOptions.Format, names: SpeakerNames, stream: StreamFormat) {
    self.format = format
    self.names = names
    self.stream = stream
  }

  /// What comes before the first entry, told once; `nil` for nothing.
  mutating func takeHeader() -> String? {
    defer { hasHeader = true }
    return format == .vtt && !hasHeader ? "WEBVTT\n" : nil
  }

  /// The lines of an entry, the last newline left out; `nil` if it has no place in this format.
  mutating func lines(_ entry: TranscriptEntry) -> String? {
    if format == .jsonl { return json(entry) }
    // What was not to be recognised has no words because it needs none; all else without words says
    // nothing to a reader.
    let isTimesOnly = entry.text == nil && entry.error == nil && !entry.utterance.isBleed
    guard isTimesOnly || entry.text?.isEmpty == false else { return nil }
    let text = entry.text ?? ""
    let name = names[entry.utterance.ear]
    number += 1
    switch format {
    case .text:
      let longest = max(names.left.count, names.right.count)
      return "[\(time(entry.utterance.speech.lowerBound, ".", decimals: 1)) → "
        + "\(time(entry.utterance.speech.upperBound, ".", decimals: 1))] "
        + (text.isEmpty ? name : name.padded(to: longest) + "  " + text)
        + (entry.utterance.isBleed ? "  (bleed)" : "")
    case .srt: return cue(entry, ",", "\(number)\n", "\(name): \(text)")
    case .vtt: return cue(entry, ".", "", "<v \(name.vttText)>\(text.vttText)")
    case .jsonl: return nil
    }
  }

  private func cue(
    _ entry: TranscriptEntry, _ point: Character, _ head: String, _ text: String
  ) -> String {
    let speech = entry.utterance.speech
    return head + "\(time(speech.lowerBound, point, decimals: 3)) --> "
      + "\(time(speech.upperBound, point, decimals: 3))\n\(text)\n"
  }

  private func json(_ entry: TranscriptEntry) -> String {
    let utterance = entry.utterance
    let speech = utterance.speech
    var members: [(key: String, value: JSON)] = [
      ("ear", .string("\(utterance.ear)")),
      ("speaker", .string(names[utterance.ear])),
      ("start", .number(seconds(speech.lowerBound))),
      ("end", .number(seconds(speech.upperBound))),
      ("first_frame", .integer(speech.lowerBound)),
      ("frames", .integer(speech.count)),
      ("text", .optional(entry.text)),
      ("bleed", .bool(utterance.isBleed)),
    ]
    if let error = entry.error { members.append(("error", .string(error.message))) }
    return JSON.object(members).text
  }

  /// Seconds on the timeline, to the millisecond.
  private func seconds(_ frame: Int) -> Double {
    (stream.seconds(frames: frame) * 1000).rounded() / 1000
  }

  /// `01:02:03.4`; what is below the last digit is rounded.
  private func time(_ frame: Int, _ point: Character, decimals: Int) -> String {
    let scale = decimals == 1 ? 10 : 1000
    let units = Int((stream.seconds(frames: frame) * Double(scale)).rounded())
    func digits(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let seconds = units / scale
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }
      .joined(separator: ":") + String(point) + digits(units % scale, decimals)
  }
}

extension String {
  /// The text of a cue: WebVTT takes `&` and `<` for markup.
  fileprivate var vttText: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
