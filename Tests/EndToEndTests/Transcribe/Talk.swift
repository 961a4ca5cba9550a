import Foundation
import Lab
import Testing

/// Real speech on two ears at known times, and what a recogniser hears in it.
///
/// The speech comes with Debian's recogniser; nothing of it is kept here.
struct Talk {
  private static let speech = "/usr/share/pocketsphinx/test/data"
  private static let raw = "-t raw -r 16000 -e signed -b 16 -c 1"

  /// The folder and the program; `call.wav` has both ears, `left.wav` and `right.wav` one each, and
  /// `goforward.wav` and `numbers.wav` what is said on them and nothing else.
  let shop: Workshop

  /// Lays two sentences on the ears, at 1 s and at 4 s.
  ///
  /// - Parameter rate: Of the files, in hertz.
  /// - Throws: `LabError` if sox or the speech is not installed.
  init(rate: Int = 16_000) throws {
    shop = try Workshop()
    try shop.run(
      """
      for name in goforward numbers; do
        sox -V1 -R \(Self.raw) \(Self.speech)/$name.raw -r \(rate) $name.wav
      done
      sox -V1 -R goforward.wav left.wav pad 1 6 trim 0 9
      sox -V1 -R numbers.wav right.wav pad 4 3 trim 0 9
      sox -V1 -R -M left.wav right.wav call.wav
      """, expecting: 0)
  }

  /// What the recogniser hears in a whole file of one voice, at the rate that it wants.
  func words(in name: String) throws -> String {
    let heard = try shop.run(
      """
      sox -V1 -R -D \(name) -r 16000 heard.wav
      pocketsphinx_continuous -infile heard.wav -logfn /dev/null 2>/dev/null
      """, expecting: 0)
    return heard.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The seconds between which an ear's file is no farther below its loudest 20 ms.
  func loud(_ name: String, decibels: Double) throws -> (from: Double, to: Double) {
    let wave = try WaveFile(shop.folder.bytes(of: name))
    let block = wave.rate / 50
    let energies = stride(from: 0, to: wave.samples.count - block, by: block).map { start in
      wave.samples[start..<start + block].reduce(0.0) { $0 + Double($1) * Double($1) }
    }
    let limit = try #require(energies.max()) * pow(10, -decibels / 10)
    let first = try #require(energies.firstIndex { $0 > limit })
    let last = try #require(energies.lastIndex { $0 > limit })
    return (Double(first) / 50, Double(last + 1) / 50)
  }

  /// Runs `splitcap transcribe`; gives the objects of its JSON Lines.
  func transcript(
    _ arguments: String, expecting status: Int32 = 0, input: String = "--input call.wav"
  ) throws -> [TalkLine] {
    let outcome = try shop.run(
      "splitcap transcribe -q \(input) --format jsonl \(arguments)", expecting: status)
    return try TalkLine.lines(outcome.text)
  }
}

/// A line of a transcript in JSON.
struct TalkLine: Decodable, Equatable {
  var ear: String
  var speaker: String
  var start: Double
  var end: Double
  var first_frame: Int
  var frames: Int
  var text: String?
  var bleed: Bool
  var error: String?

  /// The lines of a text.
  static func lines(_ text: String) throws -> [TalkLine] {
    try text.split(separator: "\n").map { line in
      try JSONDecoder().decode(TalkLine.self, from: Data(line.utf8))
    }
  }
}
