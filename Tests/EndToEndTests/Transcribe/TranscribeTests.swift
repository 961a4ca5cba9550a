import Foundation
import Lab
import Testing

@Suite("Who says what and when")
struct TranscribeTests {
  @Test("each ear's words are those that it has alone, with their times")
  func words() throws {
    let talk = try Talk()
    let lines = try talk.transcript("--left-name Anna")
    #expect(lines.map(\.ear) == ["left", "right"])
    #expect(lines.map(\.speaker) == ["Anna", "Right"])
    for (line, name) in zip(lines, ["goforward.wav", "numbers.wav"]) {
      #expect(try line.text == talk.words(in: name))
      // A word ends softly: somewhere between these two.
      let loud = try talk.loud("\(line.ear).wav", decibels: 12)
      let faint = try talk.loud("\(line.ear).wav", decibels: 30)
      #expect(
        line.start >= faint.from - 0.1 && line.start <= loud.from + 0.1, "\(line) \(loud) \(faint)")
      #expect(line.end >= loud.to - 0.1 && line.end <= faint.to + 0.1, "\(line) \(loud) \(faint)")
      #expect(abs(Double(line.first_frame) / 16_000 - line.start) < 0.001)
      #expect(abs(Double(line.frames) / 16_000 - (line.end - line.start)) < 0.002)
      #expect(!line.bleed)
    }
    #expect(lines[0].text == "go forward ten meters")
  }

  @Test(
    "an ear's words are those of the same file with one channel, at every rate",
    arguments: [11_025, 22_050, 44_100])
  func rates(rate: Int) throws {
    let talk = try Talk(rate: rate)
    let lines = try talk.transcript("")
    let alone = try ["left.wav", "right.wav"].flatMap { name in
      try talk.transcript("", input: "-i \(name)")
    }
    #expect(lines.map(\.text) == alone.map(\.text) && lines.count == 2)
    // At 11025 Hz the recogniser hears other words, which depend on where the sound is cut.
    if rate > 16_000 {
      #expect(try lines.map(\.text) == ["goforward.wav", "numbers.wav"].map(talk.words))
    }
  }

  @Test("one command makes subtitles of a call; the extension says which")
  func subtitles() throws {
    let talk = try Talk()
    try talk.shop.run(
      """
      for format in srt vtt txt jsonl; do
        splitcap transcribe -q -i call.wav -o call.$format --left-name 'A <&> B' --recognizer 'echo {ear}'
      done
      """, expecting: 0)
    let times = try TalkLine.lines(talk.shop.text("call.jsonl"))
    func time(_ seconds: Double, _ point: String) -> String {
      let milliseconds = Int((seconds * 1000).rounded())
      return String(format: "00:00:%02d\(point)%03d", milliseconds / 1000, milliseconds % 1000)
    }
    var srt = ""
    var vtt = "WEBVTT\n\n"
    for (number, line) in times.enumerated() {
      let name = line.ear == "left" ? "A <&> B" : "Right"
      srt += "\(number + 1)\n\(time(line.start, ",")) --> \(time(line.end, ","))\n"
      srt += "\(name): \(line.ear)\n\n"
      let escaped = line.ear == "left" ? "A &lt;&amp;&gt; B" : "Right"
      vtt += "\(time(line.start, ".")) --> \(time(line.end, "."))\n<v \(escaped)>\(line.ear)\n\n"
    }
    #expect(try talk.shop.text("call.srt") == srt)
    #expect(try talk.shop.text("call.vtt") == vtt)
    let text = try talk.shop.text("call.txt")
    #expect(text.hasSuffix("] Right    right\n") && text.contains("] A <&> B  left\n"), "\(text)")
    // Others read them.
    try talk.shop.run("ffmpeg -v error -i call.srt -f srt - >again.srt", expecting: 0)
    #expect(try talk.shop.text("again.srt").contains("right"))
  }

  @Test("the recording is kept in the same run, to the sample, and the events tell of it")
  func kept() throws {
    let talk = try Talk()
    let lines = try talk.transcript(
      "--recognizer none --left l.wav --right r.wav --events events.jsonl")
    #expect(lines.map(\.text) == [nil, nil] && lines.count == 2)
    for (name, original) in [("l.wav", "left.wav"), ("r.wav", "right.wav")] {
      expectSame(try talk.shop.wave(name), try talk.shop.wave(original))
    }
    #expect(try talk.shop.text("events.jsonl").contains(#""event":"end""#))
  }

  @Test("one channel is one speaker, and that is said")
  func mono() throws {
    let talk = try Talk()
    let outcome = try talk.shop.run(
      "splitcap transcribe -i left.wav --recognizer 'echo hello'", expecting: 0)
    #expect(outcome.errors.contains("one speaker"), "\(outcome.errors)")
    #expect(outcome.text.hasSuffix("] Speaker  hello\n"), "\(outcome.text)")
    #expect(outcome.text.split(separator: "\n").count == 1)
  }

  @Test("the recogniser gets what it is told, from a file or on its standard input")
  func told() throws {
    let talk = try Talk()
    let facts = "{ear} {rate} {channels} {format} {first_frame} {frames} {speaker}"
    let lines = try talk.transcript(
      "--left-name \"Anna's\" --recognizer 'cp {file} {ear}.wav; echo \(facts)'")
    let piped = try talk.transcript(
      "--recognizer 'cat >{ear}.raw; echo $SPLITCAP_RATE $SPLITCAP_FORMAT'")
    #expect(piped.map(\.text) == ["16000 s16le", "16000 s16le"])
    for (line, ear) in zip(lines, ["left", "right"]) {
      let words = try #require(line.text).split(separator: " ")
      let (first, count) = (try #require(Int(words[4])), try #require(Int(words[5])))
      #expect(words[0] == ear && words[1...3] == ["16000", "1", "wav"])
      #expect(words[6] == (ear == "left" ? "Anna's" : "Right"))
      #expect(first <= line.first_frame && first + count >= line.first_frame + line.frames)
    }
    let call = try WaveFile(talk.shop.folder.bytes(of: "call.wav")).samples
    for (index, ear) in ["left", "right"].enumerated() {
      let words = try #require(lines[index].text).split(separator: " ")
      let (first, count) = (try #require(Int(words[4])), try #require(Int(words[5])))
      let wanted = Array(channel(index, of: 2, in: call)[first..<first + count])
      expectSame(try talk.shop.raw("\(ear).raw"), wanted, ear)
    }
  }

  @Test("Ctrl-C in the middle of an utterance: its words still come, and the sound is whole")
  func stopped() throws {
    let talk = try Talk()
    let program = try talk.shop.start(
      "exec splitcap transcribe -q -i - --format jsonl --recognizer 'wc -c' --left l.wav",
      input: .held)
    let call = try talk.shop.folder.bytes(of: "call.wav")
    // Up to 2.5 s, where someone speaks.
    try program.write(Array(call.prefix(44 + 4 * 40_000)))
    try waitUntil("it is read") { talk.shop.size("l.wav") == 44 + 2 * 40_000 }
    program.signal(SIGINT)
    let outcome = try program.wait()
    let lines = try TalkLine.lines(outcome.text)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(lines.count == 1 && lines[0].ear == "left", "\(outcome.text)")
    #expect(lines.first.map { abs($0.end - 2.5) < 0.1 } == true)
  }

  @Test("nothing that is said is no output, and takes no memory")
  func silence() throws {
    let shop = try Workshop()
    func memory(seconds: Int) throws -> Int {
      let script = """
        import os, subprocess
        run = subprocess.Popen(['splitcap', 'transcribe', '-q', '--recognizer', 'echo no', '-o', 'out.txt', '--queue', '1s', '-i',
          'exec:sox -V1 -R -n -r 8000 -c 2 -b 16 -t wav - synth \(seconds) whitenoise vol 0.01'])
        _, status, usage = os.wait4(run.pid, 0)
        print(usage.ru_maxrss)
        assert status == 0
        """
      let outcome = try shop.run("python3 -c \"\(script)\"", expecting: 0)
      #expect(shop.size("out.txt") == 0)
      return try #require(Int(outcome.text.dropLast()))
    }
    // A file comes in blocks of half a minute here, of which several are under way; then it is flat: five
    // minutes more are 9600 KB of sound.
    #expect(try memory(seconds: 500) < memory(seconds: 200) + 4_800)
  }
}
