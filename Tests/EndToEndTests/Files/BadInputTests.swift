import Foundation
import Lab
import Testing

@Suite("Inputs that can't be recorded")
struct BadInputTests {
  @Test("each is one line and a hint, status 3, and nothing is made")
  func refused() throws {
    let shop = try Workshop()
    try shop.run("mkdir folder; : >empty.wav; : >empty.raw; head -c 3000 /dev/zero >zeros.bin")
    for (input, message, hint) in [
      ("none.wav", "cannot read 'none.wav': No such file", "check the name"),
      ("in.wav/x.wav", "Not a directory", "check the name"),
      ("folder", "cannot read 'folder': Is a directory", "name a file in it"),
      ("folder --input-rate 8000", "cannot read 'folder': Is a directory", "name a file in it"),
      ("none.raw --input-rate 8000", "cannot read 'none.raw': No such file", "check the name"),
      ("empty.wav", "the file is empty", "fail"),
      ("empty.raw --input-rate 8000", "is empty", "fail"),
      ("zeros.bin", "cannot read 'zeros.bin'", "--input-rate"),
      ("$audio/cut-header.wav", "cut-header.wav'", "--input-rate"),
      ("$audio/not-sound.wav", "not-sound.wav': Format not recognised", "--input-rate"),
      ("$audio/README.md", "README.md': Format not recognised", "--input-rate"),
      ("- </dev/null", "standard input is empty", "fail"),
      ("- <$audio/cut-header.wav", "standard input ends before its sound starts", "ffmpeg"),
      ("- <$audio/not-sound.wav", "no WAV header", "--input-rate"),
      ("- <$audio/tones-44100.flac", "no WAV header", "ffmpeg"),
      ("$audio/tones-44100.flac --input-rate 8000", "is a sound file (FLAC)", "--input-rate"),
      ("- --input-rate 8000 <$audio/tones.ogg", "is a sound file (Ogg)", "ffmpeg"),
      ("exec:true", "program 'true' is empty", "fail"),
      ("'exec:exit 3'", "program 'exit 3' exited with status 3", "by hand"),
      ("'exec:kill -9 $$'", "was killed by signal 9", "by hand"),
      ("'exec:no-such-command 2>&-'", "the command was not found", "by hand"),
      ("'exec:head -c 30 in.wav'", "ends before its sound starts", "ffmpeg"),
    ] {
      try shop.expectRefusal(
        3, message, hint: hint, of: "splitcap -i \(input) -l l.wav -r r.flac --stereo b.raw")
    }
  }

  @Test("P34: a start that fails leaves files that were there as they were")
  func keepsFiles() throws {
    let shop = try Workshop()
    try shop.folder.write([1, 2, 3], to: "l.wav")
    // The last of them has a whole header, and not a frame.
    for (input, message) in [
      ("none.wav", "No such file"), ("'exec:exit 3'", "status 3"),
      ("'exec:head -c 44 in.wav; exit 3'", "status 3"),
    ] {
      let outcome = try shop.run("splitcap -q -i \(input) -l l.wav -r r.wav", expecting: 3)
      #expect(outcome.errors.contains(message))
      #expect(try shop.folder.bytes(of: "l.wav") == [1, 2, 3], "\(input)")
      #expect(try shop.folder.contents() == ["in.wav", "l.wav"], "\(input)")
    }
  }

  @Test("a file that this user may not read is told apart")
  func unreadable() throws {
    let shop = try Workshop()
    try shop.run("cp in.wav secret.wav; chmod 0 secret.wav")
    try shop.expectRefusal(
      3, "cannot read 'secret.wav': Permission denied", hint: "ls -l",
      of: "\(Workshop.obeyingModes) splitcap -i secret.wav -l /dev/null")
  }

  @Test("standard input that is closed, open for writing only, or a terminal is a wrong command")
  func standardInput() throws {
    let shop = try Workshop()
    for input in ["<&-", "0>/dev/null"] {
      try shop.expectRefusal(
        2, "standard input is not open", hint: "PROGRAM | splitcap",
        of: "splitcap -i - -l l.wav \(input)")
    }
    let outcome = try shop.run(
      "script -qec 'splitcap -i - -l l.wav; echo status=$?' /dev/null")
    #expect(outcome.text.contains("standard input is a terminal"))
    #expect(outcome.text.contains("status=2"))
    #expect(try shop.folder.contents() == ["in.wav"])
  }

  @Test("a program that dies in the middle is a lost source: 4, and what came is kept, whole")
  func diesInTheMiddle() throws {
    let shop = try Workshop()
    for (end, message) in [
      ("exit 7", "exited with status 7"), ("kill -9 $$", "killed by signal 9"),
    ] {
      let outcome = try shop.run(
        "splitcap -i 'exec:head -c 300047 in.wav; \(end)' -l l.wav -r r.flac", expecting: 4)
      #expect(outcome.errors.contains("error: program 'head") && outcome.errors.contains(message))
      // 300003 bytes of sound: 75000 frames and three bytes.
      #expect(outcome.errors.contains("its last bytes, 3 of 4, were dropped"))
      expectSame(try shop.wave("l.wav"), Array(Workshop.left.prefix(75_000)))
      let right = try Reader.flac.read(shop.folder("r.flac"), copy: shop.folder("copy.wav"))
      expectSame(right.samples, Array(Workshop.right.prefix(75_000)))
    }
  }
}
