import Lab
import SplitcapCore

/// WAV streams of every kind that is known, with a little sound.
enum WaveSeeds {
  static let sound = Ramp.stereo(frames: 0..<40)

  static let streams: [[UInt8]] = {
    var streams = [
      WaveBytes.pcm(sound), WaveBytes.pcm(sound, channels: 1, rate: 44_100),
      WaveBytes.pcm(sound, dataSize: 0), WaveBytes.pcm(sound, dataSize: .max),
      WaveHeader(format: StreamFormat(sampleRate: 16_000, channelCount: 1), dataBytes: nil).bytes
        + [1, 2, 3],
    ]
    for (codec, bits) in [(1, 8), (1, 24), (1, 32), (3, 32), (3, 64), (2, 4)] {
      for name in ["RIFF", "RIFX"] {
        var wave = WaveBytes(name)
        wave.appendFormat(codec: UInt16(codec), bits: bits)
        wave.append(chunk: "data", bytes(of: sound))
        streams.append(wave.bytes)
      }
    }
    var extensible = WaveBytes()
    extensible.append(chunk: "JUNK", [UInt8](repeating: 0, count: 29))
    extensible.appendExtensibleFormat(subformat: [1, 0])
    extensible.append(chunk: "fact", [40, 0, 0, 0])
    extensible.append(chunk: "LIST", Array("INFOISFT".utf8) + [2, 0, 0, 0, 65, 0])
    extensible.append(chunk: "data", bytes(of: sound))
    extensible.append(chunk: "id3 ", [1, 2, 3])
    var large = WaveBytes("RF64")
    let sizes = [UInt8](repeating: 0, count: 8) + [160] + [UInt8](repeating: 0, count: 19)
    large.append(chunk: "ds64", sizes)
    large.appendFormat()
    large.append(chunk: "data", bytes(of: sound), size: .max)
    return streams + [
      extensible.bytes, large.bytes, bytes(of: sound), Array("fLaC\0\0\0\u{22}".utf8),
    ]
  }()

  static let words: [[UInt8]] =
    ["RIFF", "RIFX", "RF64", "BW64", "WAVE", "fmt ", "data", "ds64", "LIST", "fLaC", "OggS", "ID3"]
    .map { Array($0.utf8) }
    + [
      [0, 0xf0, 0xff, 0x7f], [0, 0, 0, 0x80], [0xff, 0xff, 0xff, 0xff], [0xfe, 0xff], [24, 0],
    ]
}
