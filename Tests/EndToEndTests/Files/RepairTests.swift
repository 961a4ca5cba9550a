import Foundation
import Lab
import Testing

@Suite("splitcap repair")
struct RepairTests {
  /// `in.wav` with other sizes.
  private static func wave(size: UInt32, riff: UInt32 = .max) -> [UInt8] {
    Array(WaveBytes("RIFF", riffSize: riff).bytes)
      + WaveBytes.pcm(Workshop.stereo, dataSize: size).dropFirst(12)
  }

  /// Checks that programs of others read the file without a complaint, and find these samples.
  private func expectRead(
    _ shop: Workshop, _ name: String, _ samples: [Int16],
    by readers: [Reader] = [.python, .sox, .ffmpeg], at location: SourceLocation = #_sourceLocation
  ) throws {
    for reader in readers {
      let file = try reader.read(shop.folder(name), copy: shop.folder("copy.wav"))
      expectSame(file.samples, samples, "\(reader) on \(name)", at: location)
    }
    let sox = try shop.run("sox '\(name)' -n stat")
    #expect(!sox.errors.contains("WARN"), "\(sox.errors)", sourceLocation: location)
    let ffmpeg = try shop.run(
      "ffmpeg -nostdin -v warning -guess_layout_max 0 -i '\(name)' -f null -")
    #expect(ffmpeg.errors == "", sourceLocation: location)
  }

  @Test("sizes that are not true: every sample is there again, and every program reads it")
  func sizes() throws {
    let shop = try Workshop()
    let lies: [UInt32] = [
      0, 8, 0x7fff_f000, 0x7fff_ffff, 0x8000_0000, .max, UInt32(Workshop.frames * 4 + 4),
    ]
    for size in lies {
      let broken = Self.wave(size: size, riff: size == .max ? .max : size &+ 36)
      try shop.folder.write(broken, to: "call.wav")
      let outcome = try shop.run("rm -f call.repaired.wav; splitcap repair call.wav", expecting: 0)
      #expect(outcome.text.hasPrefix("call.wav: repaired as 'call.repaired.wav', 16000 Hz, 2 "))
      #expect(outcome.text.contains("states \(size) bytes of sound; there are 600004\n"))
      #expect(try shop.folder.bytes(of: "call.wav") == broken)
      expectSame(try shop.wave("call.repaired.wav"), Workshop.stereo)
      try expectRead(shop, "call.repaired.wav", Workshop.stereo)
    }
  }

  @Test(
    "other sample formats and headers are kept as they are",
    arguments: [
      "-c:a pcm_u8", "-c:a pcm_s24le", "-c:a pcm_s32le", "-c:a pcm_f32le", "-c:a pcm_f64le",
      "-c:a pcm_s16le -metadata title=x", "-c:a pcm_s24le -ac 6", "-c:a pcm_alaw",
      "-c:a pcm_s16le -rf64 always",
    ])
  func formats(encoding: String) throws {
    let shop = try Workshop()
    try shop.run(
      """
      ffmpeg -nostdin -v error -i in.wav \(encoding) right.wav
      ffmpeg -nostdin -v error -i in.wav \(encoding) -f wav - 2>/dev/null | cat >broken.wav
      splitcap repair -q broken.wav
      """, expecting: 0)
    // What ffmpeg writes to a pipe has the sizes of none, which it could not go back to.
    let (right, made) = (
      try shop.folder.bytes(of: "right.wav"), try shop.folder.bytes(of: "broken.repaired.wav")
    )
    let broken = try shop.folder.bytes(of: "broken.wav")
    #expect(made.count == broken.count)
    // All that differs are the sizes.
    #expect(zip(made, broken).filter { $0 != $1 }.count <= 36)
    #expect(right.suffix(Workshop.frames) == made.suffix(Workshop.frames))
    try shop.run("splitcap repair broken.repaired.wav | grep healthy", expecting: 0)
    for name in ["right", "broken.repaired"] {
      try shop.run(
        "ffmpeg -nostdin -v warning -guess_layout_max 0 -i \(name).wav -f s16le \(name).raw")
    }
    #expect(try shop.folder.bytes(of: "right.raw") == shop.folder.bytes(of: "broken.repaired.raw"))
  }

  @Test("in place, only the header changes, and no byte of sound is touched or moved")
  func inPlace() throws {
    let shop = try Workshop()
    let broken = Self.wave(size: 0, riff: 0)
    try shop.folder.write(broken, to: "call.wav")
    let before = try shop.run("stat -c %i call.wav").text
    let outcome = try shop.run("splitcap repair --in-place call.wav", expecting: 0)
    #expect(outcome.text.contains("repaired in place"))
    #expect(try shop.run("stat -c %i call.wav").text == before)
    let made = try shop.folder.bytes(of: "call.wav")
    #expect(made[44...] == broken[44...] && made.count == broken.count)
    try expectRead(shop, "call.wav", Workshop.stereo)
    #expect(try shop.folder.contents() == ["call.wav", "copy.wav", "in.wav"])

    // A frame that is cut off is completed at the end.
    try shop.folder.write(broken.dropLast(), to: "cut.wav")
    try shop.run("splitcap repair --in-place cut.wav", expecting: 0)
    let cut = try shop.folder.bytes(of: "cut.wav")
    #expect(cut.count == broken.count && cut[44...].starts(with: broken[44...].dropLast()))

    // A header that must grow is refused, and so is sound that must be moved.
    try shop.folder.write(Array(broken[44...]), to: "none.raw")
    var middle = WaveBytes()
    middle.appendFormat()
    middle.append(chunk: "data", Array(broken[44...].dropLast(3)))
    middle.append(chunk: "LIST", Array("INFO".utf8))
    try shop.folder.write(middle.bytes, to: "middle.wav")
    for command in ["--rate 16000 none.raw", "middle.wav"] {
      try shop.expectRefusal(
        5, "would have to be moved", hint: "leave out --in-place",
        of: "splitcap repair --in-place \(command)")
    }
    try shop.run(
      "splitcap repair -q middle.wav && splitcap repair middle.repaired.wav", expecting: 0)
  }

  @Test("a healthy file is left alone, whatever stands around its sound")
  func healthy() throws {
    let shop = try Workshop()
    try shop.run(
      """
      splitcap -q -i in.wav -l l.wav -r r.rf64
      ffmpeg -nostdin -v error -i in.wav -metadata title=x -metadata artist=y tags.wav
      sox -D in.wav -b 24 wide.wav; sox -D in.wav -e floating-point float.wav
      python3 -c 'import wave; w = wave.open("p.wav", "wb"); w.setparams((1, 1, 8000, 0, "NONE", ""));
      w.writeframes(bytes(range(201)))'
      chmod 444 *.wav
      """, expecting: 0)
    var tail = WaveBytes(riffSize: UInt32(36 + 600_004 + 20))
    tail.bytes += Workshop.wave.dropFirst(12)
    tail.append(chunk: "LIST", Array("INFOICMT".utf8) + [0, 0, 0, 0])
    try shop.folder.write(tail.bytes, to: "tail.wav")
    let names = ["l.wav", "r.rf64", "tags.wav", "wide.wav", "float.wav", "p.wav", "tail.wav"]
    let list = try shop.run("ls -l --time-style=full-iso").text
    for option in ["", "--in-place", "--dry-run"] {
      let outcome = try shop.run(
        "splitcap repair \(option) \(names.joined(separator: " "))", expecting: 0)
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.count == names.count && outcome.errors == "")
      for (line, name) in zip(lines, names) { #expect(line.hasPrefix("\(name): healthy, ")) }
    }
    #expect(try shop.run("ls -l --time-style=full-iso").text == list)
    #expect(try shop.run("splitcap repair -q tail.wav", expecting: 0).output == [])
  }

  @Test("a missing header is made, as the user says what the sound is")
  func headerless() throws {
    let shop = try Workshop()
    try shop.folder.write(Array(Workshop.wave.dropFirst(44)), to: "both.raw")
    let outcome = try shop.run("splitcap repair --rate 16000 both.raw", expecting: 0)
    #expect(outcome.text.contains("16000 Hz, 2 channels, s16le, \(Workshop.frames) frames"))
    try expectRead(shop, "both.repaired.wav", Workshop.stereo)
    try shop.run("splitcap repair --rate 16000 --channels 1 both.raw -o one.wav", expecting: 0)
    try expectRead(shop, "one.wav", Workshop.stereo)
    for (format, sox) in [
      ("s24le", "-b 24 -e signed -L"), ("s32le", "-b 32 -e signed -L"),
      ("f32le", "-b 32 -e float -L"),
      ("u8", "-b 8 -e unsigned"), ("f64le", "-b 64 -e float -L"),
    ] {
      try shop.run(
        """
        sox -D in.wav -t raw \(sox) x.raw; rm -f x.wav
        splitcap repair -q --rate 16000 --format \(format) x.raw -o x.wav
        sox -D -t raw -r 16000 -c 2 \(sox) x.raw -b 16 right.wav
        splitcap repair x.wav | grep -q "healthy.*\(format), \(Workshop.frames) frames"
        """, expecting: 0)
      try expectRead(shop, "x.wav", try shop.wave("right.wav"), by: [.sox, .ffmpeg])
    }
    // A header wins.
    try shop.folder.write(Self.wave(size: 0), to: "call.wav")
    try shop.run("splitcap repair -q --rate 8000 call.wav", expecting: 0)
    expectSame(try shop.wave("call.repaired.wav"), Workshop.stereo)
  }

  @Test("--dry-run says what would be done with status 1, and does nothing")
  func dryRun() throws {
    let shop = try Workshop()
    try shop.folder.write(Self.wave(size: 0), to: "call.wav")
    let outcome = try shop.run("splitcap repair --dry-run call.wav", expecting: 1)
    #expect(outcome.text.contains("call.wav: needs a repair") && outcome.text.contains("states 0 "))
    #expect(try shop.folder.contents() == ["call.wav", "in.wav"])
    #expect(try shop.folder.bytes(of: "call.wav") == Self.wave(size: 0))
  }

  @Test("--json tells the same to programs, file by file")
  func json() throws {
    let shop = try Workshop()
    try shop.run("splitcap -q -i in.wav -l l.wav; echo words >words.wav", expecting: 0)
    try shop.folder.write(Self.wave(size: 0), to: "call.wav")
    let outcome = try shop.run(
      "splitcap repair --json l.wav call.wav words.wav none.wav", expecting: 3)
    #expect(outcome.errors == "")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let files = try #require(object["files"] as? [[String: Any]])
    #expect(object["version"] as? Int == 1)
    #expect(
      files.map { $0["result"] as? String } == ["healthy", "repaired", "failed", "failed"])
    #expect(files[1]["output"] as? String == "call.repaired.wav")
    #expect(files[1]["frames"] as? Int == Workshop.frames)
    #expect(files[1]["sound_bytes"] as? Int == Workshop.frames * 4)
    let problems = files[1]["problems"] as? [[String: Any]]
    #expect(problems?.map { $0["problem"] as? String } == ["sound-size", "file-size"])
    #expect((files[3]["message"] as? String)?.contains("No such file") == true)
  }

  @Test("what cannot be repaired or read is said, and nothing is made")
  func refused() throws {
    let shop = try Workshop()
    try shop.run(
      """
      mkdir sub; mkfifo pipe.wav; : >empty.wav; echo words >words.wav
      head -c 43 in.wav >short.wav; printf 'RIFF\\0\\0\\0\\0AVI LIST' >x.avi
      sox in.wav x.flac; cp x.flac flac.wav
      python3 -c 'open("junk.wav", "wb").write(b"RIFF\\0\\0\\0\\0WAVE" + bytes(100000))'
      """, expecting: 0)
    for (status, name, message, hint) in [
      (Int32(3), "none.wav", "No such file", "check the name"),
      (3, "sub", "Is a directory", "in it"),
      (3, "pipe.wav", "not a file", "on a disk"), (3, "/dev/zero", "not a file", "on a disk"),
      (1, "empty.wav", "the file is empty", "fail"), (1, "words.wav", "no WAV header", "--rate"),
      (1, "x.flac", "another kind (FLAC)", "ffmpeg"), (1, "flac.wav", "(FLAC)", "ffmpeg"),
      (1, "x.avi", "not a WAV file", "ffmpeg"),
      (1, "--rate 16000 x.flac", "another kind (FLAC)", "ffmpeg"),
    ] {
      try shop.expectRefusal(status, message, hint: hint, of: "splitcap repair \(name)")
    }
    var noBits = WaveBytes()
    noBits.appendFormat(bits: 0)
    noBits.append(chunk: "data", Lab.bytes(of: Workshop.stereo))
    try shop.folder.write(noBits.bytes, to: "bits.wav")
    for (name, message) in [
      ("bits.wav", "it has PCM samples of 0 bits"), ("short.wav", "ends before its sound starts"),
      ("junk.wav", "ends before its sound starts"),
    ] {
      let outcome = try shop.run("splitcap repair \(name)", expecting: 1)
      #expect(outcome.errors.contains(message) && outcome.output == [])
    }
    #expect(try !shop.folder.contents().contains { $0.contains("repaired") })
  }

  @Test("more chunks before the sound than any program writes: all commands say so")
  func manyChunks() throws {
    let shop = try Workshop()
    for (count, isRead) in [(999, true), (1500, false), (200_000, false)] {
      var wave = WaveBytes()
      wave.appendFormat(channels: 1)
      for _ in 0..<count { wave.append(chunk: "JUNK", []) }
      wave.append(chunk: "data", Lab.bytes(of: Ramp.stereo(frames: 0..<100)))
      for name in ["l.wav", "r.wav"] { try shop.folder.write(wave.bytes, to: name) }
      for (command, status) in [
        ("repair --dry-run l.wav", Int32(1)), ("verify l.wav r.wav", 3), ("-i l.wav -l x.wav", 3),
      ] {
        let outcome = try shop.run("splitcap \(command)")
        #expect(isRead || outcome.status == .exited(status))
        let says = outcome.errors.contains(" has more than 1000 chunks before its sound")
        #expect(says == !isRead && outcome.errors.contains("--channels") == false)
      }
    }
  }

  @Test("no file is replaced, and a disk that is full leaves nothing behind")
  func outputs() throws {
    let shop = try Workshop()
    try shop.folder.write(Self.wave(size: 0), to: "call.wav")
    try shop.run("echo words >call.repaired.wav; ln -s nowhere link.wav")
    for command in ["call.wav", "-o call.repaired.wav call.wav", "-o link.wav call.wav"] {
      try shop.expectRefusal(
        5, "it exists, and a repair replaces no file", hint: "--output",
        of: "splitcap repair \(command)")
    }
    let before = try shop.folder.contents()
    let outcome = try shop.run("ulimit -f 100; splitcap repair -o new.wav call.wav", expecting: 5)
    #expect(outcome.errors.contains("File too large"))
    #expect(try shop.folder.contents() == before)
  }

  @Test("a file that gets the name while its repair is written is not replaced, and is named")
  func lateOutput() throws {
    let shop = try Workshop()
    let path = try shop.folder.write(Self.wave(size: 0), to: "call.wav")
    // Long enough to be seen half written; it takes no room on the disk.
    #expect(unsafe truncate(path, 1 << 29) == 0)
    let outcome = try shop.run(
      """
      nice splitcap repair -o new.wav call.wav & repair=$!
      until test -e new.wav.part; do kill -0 $repair || exit 99; done
      kill -STOP $repair; echo words >new.wav; kill -CONT $repair
      wait $repair
      """, expecting: 5)
    #expect(outcome.errors.contains("'new.wav': it exists, and a repair replaces no file"))
    #expect(try shop.run("cat new.wav; ls").text == "words\ncall.wav\nin.wav\nnew.wav\n")
    try shop.run("echo words >next.wav.part", expecting: 0)
    let taken = try shop.run("splitcap repair -o next.wav call.wav", expecting: 5)
    #expect(taken.errors.contains("'next.wav.part': it exists, and a repair replaces no file"))
  }

  @Test("a file that another program is still writing is refused")
  func busy() throws {
    let shop = try Workshop()
    try shop.folder.write(Self.wave(size: 0), to: "call.wav")
    for option in ["", "--in-place", "--dry-run"] {
      try shop.expectRefusal(
        3, "being written to by another program", hint: "fuser",
        of: "exec 3>>call.wav; splitcap repair \(option) call.wav")
    }
  }

  @Test("more than 4 GiB: RF64 where the header has room for it, and that is said")
  func large() throws {
    let shop = try Workshop()
    let bytes = 5 << 30
    for (name, room) in [("room.wav", 28), ("none.wav", 0)] {
      var wave = WaveBytes(riffSize: 0)
      if room > 0 { wave.append(chunk: "JUNK", [UInt8](repeating: 0, count: room)) }
      wave.appendFormat()
      wave.append(text: "data")
      wave.append(UInt32(0))
      let path = try shop.folder.write(wave.bytes + bytes_(of: [1, -1]), to: name)
      // Takes no room on the disk.
      #expect(unsafe truncate(path, off_t(wave.bytes.count + bytes)) == 0)
    }
    // Not ``Workshop/expectRefusal``, which would read the files.
    let refusal = try shop.run("splitcap repair --in-place none.wav", expecting: 5)
    #expect(refusal.errors.contains("a header that grows"))
    #expect(refusal.errors.contains("leave out --in-place to write a new file"))
    let outcome = try shop.run("splitcap repair --in-place room.wav", expecting: 0)
    #expect(outcome.text.contains("\(bytes / 4) frames"))
    #expect(outcome.text.contains("its header is RF64, which not every program reads"))
    try shop.run("splitcap repair room.wav | grep -q healthy", expecting: 0)
    let duration = try shop.run(
      "ffprobe -v error -show_entries stream=duration_ts -of csv=p=0 room.wav", expecting: 0)
    #expect(duration.text == "\(bytes / 4)\n" && duration.errors == "")
  }

  private func bytes_(of samples: [Int16]) -> [UInt8] { bytes(of: samples) }
}
