import Lab
import Pipes
import SplitcapCore

extension FuzzTarget {
  /// A whole stream, from a file and from a pipe, with and without a word on its format: each frame
  /// that lies in it is delivered once, or it is refused.
  static let stream = FuzzTarget(
    "stream", seeds: WaveSeeds.streams, words: WaveSeeds.words
  ) { all in
    // A pipe must hold all of it, since nobody reads while it is written.
    let bytes = Array(all.prefix(16_384))
    let described = HeaderlessFormat(
      sampleRate: 16_000, sampleFormat: SampleFormat.allCases[bytes.count % 12],
      channelCount: 1 + bytes.count % 3)
    for headerless in [nil, described] {
      let foretold = Heard(foretellingFrom: bytes, headerless)
      let file = try Carrier(fileOf: bytes)
      for carrier in [file, try Carrier(pipeOf: bytes)] {
        let heard = try Heard(carrier.path, headerless, framesARead: 1 + bytes.count % 7)
        try promise(heard == foretold, "\(carrier.kind) gives \(heard), not \(foretold)")
      }
      if headerless == nil {
        try promise(
          StreamSource.canRead(file.path) == (foretold.refusal == nil),
          "whether the file can be read is said wrongly")
      }
    }
  }
}

/// What a stream gave until its end.
private struct Heard: Equatable {
  var format: StreamFormat?
  var samples: [Int16] = []
  var refusal: SplitcapError.Kind?

  /// Reads a stream.
  init(_ path: String, _ headerless: HeaderlessFormat?, framesARead: Int) throws {
    do throws(SplitcapError) {
      var source = try StreamSource(.file(path), headerless: headerless)
      let channels = source.info.format.channelCount
      format = source.info.format
      var block = [Int16](repeating: 0, count: framesARead * channels)
      // Each read gives a frame at least, takes a byte at least, or comes nearer to the end.
      for _ in 0..<40_000 {
        var room = block.mutableSpan
        switch try source.read(into: &room) {
        case .frames(let count): samples += block[..<(count * channels)]
        case .end: return
        default: continue
        }
      }
      refusal = .cancelled
    } catch {
      refusal = error.kind
      try promise(!error.message.isEmpty && isPlain(error.message), error.message)
    }
  }

  /// Foretells what a stream of `bytes` gives, from its header alone.
  init(foretellingFrom bytes: [UInt8], _ headerless: HeaderlessFormat?) {
    let header = ParsedHeader(bytes)
    var sound = bytes[...]
    let sampleFormat: SampleFormat
    let format: StreamFormat
    if case .complete(let layout) = header.outcome {
      sound = sound.dropFirst(header.consumed).prefix(layout.dataBytes ?? .max)
      (sampleFormat, format) = (layout.sampleFormat, layout.format)
    } else if let headerless, header.prefix.count > 0, !header.isWave, !Self.isOtherFile(bytes) {
      sampleFormat = headerless.sampleFormat
      format = StreamFormat(
        sampleRate: headerless.sampleRate, channelCount: headerless.channelCount)
    } else {
      refusal = bytes.isEmpty ? .sourceUnavailable : .unsupportedFormat
      return
    }
    self.format = format
    let frameBytes = sampleFormat.byteCount * format.channelCount
    let whole = Array(sound.prefix(sound.count / frameBytes * frameBytes))
    samples = [Int16](repeating: 0, count: whole.count / sampleFormat.byteCount)
    var room = samples.mutableSpan
    unsafe sampleFormat.convert(whole.span.bytes, into: &room)
  }

  private static func isOtherFile(_ bytes: [UInt8]) -> Bool {
    ["fLaC", "OggS", "FORM", "caff", ".snd", "riff", "ID3"].contains { bytes.starts(with: $0.utf8) }
  }
}
