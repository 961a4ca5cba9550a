private import Glibc
internal import Resampling
internal import SplitcapCore

/// An utterance in a WAV file of its own, in the folder of this run, until a recogniser has heard it.
///
/// However late recognisers are, what waits for them takes no memory.
struct UtteranceFile: ~Copyable, Sendable {
  /// Whose it is, and when.
  let utterance: Utterance
  /// Where it is.
  let path: String
  /// What a recogniser is told of it.
  let facts: ShellCommand.Facts

  /// Writes `sound`.
  ///
  /// - Parameters:
  ///   - sound: The utterance.
  ///   - rules: The rate that is wanted, and what is said of the format.
  ///   - number: Tells it from others of this ear.
  ///   - folder: Where.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`.
  init(
    _ sound: UtteranceSound, _ rules: RecognizerRules, number: Int, in folder: String
  ) throws(SplitcapError) {
    let utterance = sound.utterance
    let rate = rules.rate ?? sound.sampleRate
    let samples =
      rate == sound.sampleRate
      ? sound.samples : try Self.resample(sound.samples, from: sound.sampleRate, to: rate)
    let path = "\(folder)/\(utterance.ear)-\(number).wav"
    try Self.write(samples, at: rate, to: path)
    let isRaw = !rules.readsFile && rules.pipeFormat == .raw
    facts = ShellCommand.Facts([
      ("ear", "\(utterance.ear)"), ("rate", "\(rate)"),
      ("format", isRaw ? SampleFormat.s16le.rawValue : PipeFormat.wav.rawValue),
      ("channels", "1"),
      ("start", Timestamp.rfc3339(nanoseconds: sound.startNanoseconds)),
      ("first_frame", "\(utterance.sound.lowerBound)"), ("frames", "\(samples.count)"),
      ("speaker", sound.speaker), ("file", rules.readsFile ? path : nil),
    ])
    self.utterance = utterance
    self.path = path
  }

  deinit { unsafe _ = unlink(path) }

  private static func write(
    _ samples: [Int16], at rate: Int, to path: String
  ) throws(SplitcapError) {
    do throws(Errno) {
      let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      let format = StreamFormat(sampleRate: rate, channelCount: 1)
      let header = WaveHeader(format: format, dataBytes: 2 * samples.count).bytes
      try unsafe file.writeAll(header.span.bytes)
      try unsafe file.writeAll(samples.span.bytes)
    } catch {
      unsafe _ = unlink(path)
      throw SplitcapError(
        .sinkFailed, "cannot keep an utterance in '\(path)': \(error)",
        hint: "TMPDIR chooses another folder, with room for what waits for the recogniser")
    }
  }

  private static func resample(
    _ samples: [Int16], from rate: Int, to wanted: Int
  ) throws(SplitcapError) -> [Int16] {
    var resampler = try Resampler(channelCount: 1, from: rate, to: wanted)
    var output = [Int16](repeating: 0, count: resampler.outputFrames(forInput: samples.count))
    var room = output.mutableSpan
    var (_, produced) = resampler.process(samples.span, into: &room)
    while produced < output.count {
      var rest = output.mutableSpan
      var part = rest._mutatingExtracting(droppingFirst: produced)
      let count = resampler.drain(into: &part)
      if count == 0 { break }
      produced += count
    }
    return output
  }
}

/// A folder for the utterances of a run, which goes with it.
final class UtteranceFolder: Sendable {
  /// Where it is.
  let path: String

  /// Makes an empty folder that nobody else may look into, in $TMPDIR or /tmp.
  ///
  /// The corresponding C function is `mkdtemp`.
  init() throws(SplitcapError) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    var template = Array("\(parent.isEmpty ? "/tmp" : parent)/splitcap-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SplitcapError(
        .sinkFailed,
        "cannot make a folder for utterances in '\(parent.isEmpty ? "/tmp" : parent)': "
          + "\(Errno.last)", hint: "TMPDIR chooses another folder")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unsafe _ = rmdir(path) }
}
