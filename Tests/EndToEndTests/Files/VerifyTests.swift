import Foundation
import Lab
import Testing

@Suite("splitcap verify")
struct VerifyTests {
  /// Writes an ear of a ramp of 3 s, with silence in `gaps`, as a WAV file.
  private func write(
    _ shop: Workshop, _ name: String, isRight: Bool = false, frames: Int = 48_000,
    rate: Int = 16_000, gaps: [Range<Int>] = []
  ) throws {
    var samples = (0..<frames).map { isRight ? Ramp.right($0) : Ramp.left($0) }
    for gap in gaps { for frame in gap { samples[frame] = 0 } }
    try shop.folder.write(WaveBytes.file(samples, channels: 1, rate: rate), to: name)
  }

  private func object(_ shop: Workshop, _ command: String) throws -> [String: Any] {
    let outcome = try shop.run("splitcap verify --json \(command)")
    #expect(outcome.errors == "", "\(command): \(outcome.errors)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(outcome.status == .exited(object["fine"] as? Bool == true ? 0 : 1))
    return object
  }

  private func findings(_ shop: Workshop, _ command: String) throws -> [String] {
    let object = try object(shop, command)
    let list = try #require(object["findings"] as? [[String: Any]])
    let names = list.compactMap { $0["finding"] as? String }
    #expect(object["fine"] as? Bool == names.isEmpty)
    #expect(object["finding_count"] as? Int == names.count)
    return names
  }

  @Test("the ears of one recording are fine, in every format that loses nothing")
  func fine() throws {
    let shop = try Workshop()
    for container in ["wav", "flac", "caf", "w64", "rf64", "aiff", "au"] {
      let (left, right) = ("l.\(container)", "r.\(container)")
      try shop.run("splitcap -q -i in.wav -l \(left) -r \(right)", expecting: 0)
      let outcome = try shop.run("splitcap verify \(left) \(right)", expecting: 0)
      #expect(outcome.text.contains("\(Workshop.frames) frames"))
      #expect(outcome.text.hasSuffix("fine: the ears belong together\n"))
      #expect(try findings(shop, "\(left) \(right)") == [])
    }
    #expect(try shop.run("splitcap verify -q l.wav r.wav", expecting: 0).output == [])
    // A pipe is as good as a file.
    try shop.run("splitcap verify <(cat l.wav) <(cat r.wav)", expecting: 0)
  }

  @Test("another rate, length or format, a dead ear, and one ear twice are each told")
  func differences() throws {
    let shop = try Workshop()
    try write(shop, "l.wav")
    try write(shop, "r.wav", isRight: true)
    try write(shop, "rate.wav", isRight: true, rate: 8_000)
    try write(shop, "short.wav", isRight: true, frames: 47_999)
    try write(shop, "dead.wav", gaps: [0..<48_000])
    try shop.run("cp l.wav copy.wav; sox -D r.wav -b 24 r24.wav")
    #expect(try findings(shop, "l.wav r.wav") == [])
    #expect(try findings(shop, "l.wav rate.wav") == ["rate"])
    #expect(try findings(shop, "l.wav short.wav") == ["length"])
    #expect(try findings(shop, "l.wav r24.wav") == ["format"])
    #expect(try findings(shop, "l.wav dead.wav") == ["dead-ear"])
    #expect(try findings(shop, "l.wav copy.wav") == ["identical-ears"])
    let outcome = try shop.run("splitcap verify l.wav short.wav", expecting: 1)
    #expect(outcome.text.contains("wrong: the right ear is 1 frame shorter\n"))
  }

  @Test("16 bits are 16 bits in any container; more bits, floats and codecs have other words")
  func formats() throws {
    let shop = try Workshop()
    try write(shop, "l.wav")
    try write(shop, "r.wav", isRight: true)
    try shop.run(
      """
      for kind in flac aiff au caf w64; do sox -D r.wav r.$kind; done
      sox -D r.wav -b 24 r24.wav; sox -D r.wav -b 24 r24.flac; sox -D r.wav -b 24 r24.aiff
      sox -D r.wav -e float -b 32 float.wav; sox -D r.wav -b 32 r32.wav
      sox -D r.wav -e float -b 32 float.au; sox -D r.wav -b 8 r8.wav; sox -D r.wav -b 8 r8.flac
      sox -D r.wav -e mu-law mu.wav; sox -D r.wav r.ogg
      splitcap -q -i in.wav --frames 48000 -l l.ogg -r r.mp3 -r r.opus
      """, expecting: 0)
    func words(_ command: String) throws -> [String] {
      let object = try object(shop, command)
      return ["left", "right"].compactMap { (object[$0] as? [String: Any])?["format"] as? String }
    }
    for kind in ["flac", "aiff", "au", "caf", "w64"] {
      #expect(try findings(shop, "l.wav r.\(kind)") == [], "\(kind)")
      #expect(try findings(shop, "r.\(kind) l.wav") == [], "\(kind)")
      #expect(try words("l.wav r.\(kind)") == ["s16le", "s16le"], "\(kind)")
    }
    for (left, right, word) in [
      ("l.wav", "r24.flac", "s24le"), ("l.wav", "r24.aiff", "s24le"), ("l.wav", "r8.wav", "u8"),
      ("l.wav", "float.wav", "f32le"), ("r32.wav", "float.au", "f32le"),
    ] {
      #expect(try findings(shop, "\(left) \(right)").contains("format"), "\(left) \(right)")
      #expect(try words("\(left) \(right)").last == word)
    }
    // These pairs are one sound, which is all that may be said of them.
    for (left, right) in [
      ("r24.wav", "r24.flac"), ("r24.flac", "r24.aiff"), ("r8.wav", "r8.flac"),
      ("float.wav", "float.au"),
    ] {
      #expect(try findings(shop, "\(left) \(right)") == ["identical-ears"], "\(left) \(right)")
    }
    for (name, word) in [
      ("l.ogg", "vorbis"), ("r.mp3", "mp3"), ("r.opus", "opus"), ("mu.wav", "ulaw"),
    ] {
      #expect(try words("l.wav \(name)").last == word)
      #expect(try !findings(shop, "l.wav \(name)").contains("format"), "\(name)")
    }
  }

  @Test("zeros in both ears are told with their frames if they last longer than the limit")
  func zeros() throws {
    let shop = try Workshop()
    // 20 ms are 320 frames: the second stretch is no longer than that, the third is in one ear.
    let both = [1_000..<1_400, 5_000..<5_320, 40_000..<48_000]
    try write(shop, "l.wav", gaps: both)
    try write(shop, "r.wav", isRight: true, gaps: both + [20_000..<30_000])
    // A source may have been silent there, so nothing is wrong.
    let outcome = try shop.run("splitcap verify l.wav r.wav", expecting: 0)
    #expect(outcome.text.contains("zeros  2 in both ears for more than 20ms, 8400 frames: lost"))
    #expect(outcome.text.hasSuffix("fine: the ears belong together\n"))
    #expect(outcome.text.contains(" frame 1000 (0.063 s): 400 frames (0.025 s)\n"))
    #expect(outcome.text.contains(" frame 40000 (2.500 s): 8000 frames (0.500 s)\n"))
    #expect(try findings(shop, "l.wav r.wav") == [])
    let object = try object(shop, "l.wav r.wav")
    #expect(object["gaps_from"] as? String == "zeros" && object["gap_count"] as? Int == 2)
    #expect(object["gap_frames"] as? Int == 8_400)
    #expect(try shop.run("splitcap verify -q l.wav r.wav", expecting: 0).output == [])
  }

  @Test("--quiet says what is wrong, and nothing else")
  func quiet() throws {
    let shop = try Workshop()
    try write(shop, "l.wav", gaps: [0..<48_000])
    try write(shop, "r.wav", isRight: true, frames: 47_999)
    let outcome = try shop.run("splitcap verify --quiet l.wav r.wav", expecting: 1)
    #expect(
      outcome.text == """
        wrong: the right ear is 1 frame shorter
        wrong: the left ear is dead: nothing but zeros

        """)
    #expect(outcome.errors == "")
  }

  @Test("gaps that the events tell of must be silent in both files; the last line may be cut off")
  func events() throws {
    let shop = try Workshop()
    let gap = 1_000..<1_100
    try write(shop, "l.wav", gaps: [gap])
    try write(shop, "r.wav", isRight: true, gaps: [gap])
    func events(_ gaps: [(Int, Int)], rate: Int = 16_000) throws {
      var lines = [
        #"{"event":"start","frame":0,"start_time":"2026-01-31T08:05:00.250Z","#
          + #""source":{"recorded":{"channels":2,"rate":\#(rate)}}}"#
      ]
      lines += gaps.map {
        #"{"event":"gap","frame":\#($0.0),"frames":\#($0.1),"cause":"overrun"}"#
      }
      try shop.folder.write(lines.joined(separator: "\n") + "\n{\"event\":\"en", to: "run.jsonl")
    }
    try events([(1_000, 100)])
    let outcome = try shop.run("splitcap verify l.wav r.wav --events run.jsonl", expecting: 0)
    #expect(outcome.text.contains("start  2026-01-31T08:05:00.250Z\n"))
    #expect(outcome.text.contains("frame 1000 (0.063 s): 100 frames (0.006 s), overrun\n"))
    #expect(outcome.text.hasSuffix("fine: the ears belong together\n"))
    #expect(outcome.errors.contains("the last line of 'run.jsonl' is not whole"))
    // One frame too early, one too long, one behind the end, and a rate that is not theirs.
    for (gaps, words) in [
      ([(999, 100)], "1 of its frames are not silent"),
      ([(1_000, 101)], "1 of its frames are not silent"),
      ([(1_000, 100), (47_999, 1_001)], "1 of its frames are not silent"),
      ([(1_000, 100), (48_000, 7)], "7 of its frames are behind the end"),
      ([(.max - 5, 5)], "5 of its frames are behind the end"),
    ] {
      try events(gaps)
      let outcome = try shop.run("splitcap verify l.wav r.wav --events run.jsonl", expecting: 1)
      #expect(outcome.text.contains(words), "\(gaps): \(outcome.text)")
    }
    try events([], rate: 44_100)
    #expect(
      try shop.run("splitcap verify l.wav r.wav --events run.jsonl", expecting: 1)
        .text.contains("a recording of 44100 Hz"))
  }

  @Test("what a recording tells of itself agrees with its files, and with no others")
  func ownEvents() throws {
    let shop = try Workshop()
    try shop.run("splitcap -q -i in.wav -l l.wav -r r.wav --events run.jsonl", expecting: 0)
    let outcome = try shop.run("splitcap verify l.wav r.wav --events run.jsonl", expecting: 0)
    #expect(outcome.text.contains("gaps   none, as the events say\n"))
    #expect(outcome.text.contains("start  20"))
    try shop.run("splitcap -q -i in.wav --frames 9000 -l l.wav -r r.wav", expecting: 0)
    let other = try shop.run("splitcap verify l.wav r.wav --events run.jsonl", expecting: 1)
    for ear in ["left", "right"] {
      #expect(
        other.text.contains("tell of \(Workshop.frames) frames, the \(ear) ear has 9000\n"))
    }
    // A gap that was too long to be filled stands in no file.
    try shop.folder.write(
      #"{"event":"gap","frame":5,"frames":900000,"cause":"away","filled":false}"# + "\n",
      to: "run.jsonl")
    try shop.run("splitcap verify l.wav r.wav --events run.jsonl", expecting: 0)
  }

  @Test("an events file that is none is refused, with its line")
  func brokenEvents() throws {
    let shop = try Workshop()
    try write(shop, "l.wav")
    try write(shop, "r.wav", isRight: true)
    for (text, words) in [
      ("{}\n", "line 1: no event is named"),
      ("{\"event\":\"x\"}\n{\n", "line 2: "),
      (#"{"event":"gap","frame":-1,"frames":5}"# + "\n", "a gap without its frame and frames"),
      (#"{"event":"gap","frame":1,"frames":9223372036854775807}"# + "\n", "a gap without"),
      (#"{"event":"gap","frame":1.5,"frames":5}"# + "\n", "a gap without"),
      (String(repeating: "x", count: 3_000_000), "longer than any event"),
    ] {
      try shop.folder.write(text, to: "run.jsonl")
      try shop.expectRefusal(
        3, words, hint: "--events FILE", of: "splitcap verify l.wav r.wav --events run.jsonl")
    }
    try shop.expectRefusal(
      3, "cannot read 'none.jsonl'", hint: "check the name",
      of: "splitcap verify l.wav r.wav --events none.jsonl")
    try shop.expectRefusal(
      3, "cannot read 'in.wav/x'", hint: "check the name",
      of: "splitcap verify l.wav r.wav --events in.wav/x")
  }

  @Test("a file whose header or end is not true is damaged, and what mends it is said")
  func damaged() throws {
    let shop = try Workshop()
    try write(shop, "l.wav")
    try write(shop, "r.wav", isRight: true)
    try shop.run(
      """
      head -c 90000 r.wav >cut.wav
      cp r.wav zero.wav; printf '\\0\\0\\0\\0' | dd of=zero.wav bs=1 seek=40 conv=notrunc status=none
      sox -D r.wav r.flac; head -c 3000 r.flac >cut.flac
      """)
    #expect(try findings(shop, "l.wav cut.wav").contains("damaged"))
    #expect(try findings(shop, "l.wav zero.wav") == ["damaged"])
    #expect(try findings(shop, "l.wav cut.flac").contains("damaged"))
    let outcome = try shop.run("splitcap verify l.wav zero.wav", expecting: 1)
    #expect(outcome.text.contains("splitcap repair zero.wav"))
  }

  @Test("what is no ear's file is refused with status 3, one file twice with 2")
  func refused() throws {
    let shop = try Workshop()
    try write(shop, "l.wav")
    try shop.run("mkdir sub; : >empty.wav; ln l.wav again.wav; echo words >words.wav")
    for (name, message, hint) in [
      ("none.wav", "No such file", "check the name"), ("sub", "Is a directory", "in it"),
      ("empty.wav", "empty", "splitcap repair"), ("in.wav", "2 channels", "split it first"),
      ("words.wav", "words.wav", "splitcap repair"), ("/dev/zero", "no WAV header", "repair"),
    ] {
      try shop.expectRefusal(3, message, hint: hint, of: "splitcap verify l.wav \(name)")
      try shop.expectRefusal(3, message, hint: hint, of: "splitcap verify \(name) l.wav")
    }
    try shop.expectRefusal(2, "same file", hint: "each ear", of: "splitcap verify l.wav again.wav")
  }

  @Test("a long recording is compared in memory that does not grow with it")
  func flatMemory() throws {
    let shop = try Workshop()
    /// Peak memory in KiB, of files whose sound takes no room on the disk.
    func memory(seconds: Int) throws -> Int {
      let bytes = seconds * 48_000 * 2
      var wave = WaveBytes(riffSize: UInt32(36 + bytes))
      wave.appendFormat(channels: 1, rate: 48_000)
      wave.append(text: "data")
      wave.append(UInt32(bytes))
      for name in ["l.wav", "r.wav"] {
        let path = try shop.folder.write(wave.bytes, to: name)
        #expect(unsafe truncate(path, off_t(44 + bytes)) == 0)
      }
      let script = """
        import os, subprocess
        verify = subprocess.Popen(['splitcap', 'verify', 'l.wav', 'r.wav'], stdout=2)
        _, status, usage = os.wait4(verify.pid, 0)
        print(usage.ru_maxrss)
        """
      let outcome = try shop.run("python3 -c \"\(script)\"", expecting: 0)
      #expect(outcome.errors.contains(" \(bytes / 2) frames"))
      return try #require(Int(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    // 115 MB of sound, of which less than a tenth may stay anywhere.
    #expect(try memory(seconds: 600) < memory(seconds: 1) + 10_000)
  }
}
