import Lab
import Testing

@Suite("Commands that can't be carried out")
struct WrongCommandTests {
  @Test("each is one line and a hint, status 2; nothing is made, opened or overwritten")
  func refused() throws {
    let shop = try Workshop()
    try shop.run(
      """
      mkdir sub; echo words >old.wav; ln old.wav hard.wav; ln -s old.wav soft.wav
      ln -s in.wav input.wav; ln -s new.wav dangling.wav; ln -s . here
      """)
    // An input that tells if it was started.
    let input = "-i 'exec:: >opened; cat in.wav'"
    for (arguments, message, hint) in [
      // What is not known, or can't be.
      ("--lft l.wav", "no option '--lft'", "--left"),
      ("\(input) -l l.wav --segmnt 10", "no option '--segmnt'", "--segment"),
      ("\(input) -l l.wav --zebra 10", "no option '--zebra'", "splitcap --help"),
      ("\(input) -l l.wav --duration 10x", "takes a time, not '10x'", "1m30s"),
      ("\(input) -l l.wav --frames 0", "a number of frames", "--duration"),
      ("-l l.wav --rate 0", "'0' is no rate", "16000"),
      ("\(input) -l l.wav --resample 0", "'0' is no rate", "16000"),
      ("-i in.raw --input-rate 0 -l l.wav", "'0' is no rate", "16000"),
      ("\(input) -l l.wav -D ears", "--input and --device", "one of them"),
      ("\(input) -l l.wav --rate 8000", "--input and --rate", "--resample"),
      ("\(input)", "nothing to record to", "--left l.wav --right r.wav"),
      ("", "nothing to record to", "--left l.wav --right r.wav"),
      // Two things in one place.
      ("\(input) -l - -r -", "both standard output", "--stereo -"),
      ("\(input) -l - -r fd:1", "same file", "--stereo"),
      ("\(input) -l - -r /dev/stdout", "same file", "--stereo"),
      ("\(input) -l l.wav -r l.wav", "are the same file", "--stereo"),
      ("\(input) -l l.wav -r ./l.wav", "are the same file", "--stereo"),
      ("\(input) -l l.wav -r $PWD/l.wav", "are the same file", "--stereo"),
      ("\(input) -l sub/../l.wav -r here/l.wav", "are the same file", "--stereo"),
      ("\(input) -l old.wav --stereo hard.wav", "are the same file", "--stereo"),
      ("\(input) -r soft.wav -r old.wav", "are the same file", "--stereo"),
      ("\(input) -l new.wav -r dangling.wav", "are the same file", "--stereo"),
      ("\(input) -l l.wav -r L.WAV", "upper and lower case only", "--stereo"),
      ("-i in.wav -l in.wav", "would overwrite the input", "another name"),
      ("-i in.wav -l input.wav", "would overwrite the input", "another name"),
      ("-i input.wav -l ./in.wav", "would overwrite the input", "another name"),
      ("-i - -l in.wav <in.wav", "would overwrite the input", "another name"),
      ("-i in.wav -l - >>in.wav", "would overwrite the input", "another name"),
      // Nowhere to put it.
      ("\(input) -l none/l.wav", "no folder 'none'", "mkdir -p none"),
      ("\(input) -l sub", "'sub' is a folder", "sub/left.wav"),
      ("\(input) -l sub/", "'sub/' is a folder", "sub/left.wav"),
      ("\(input) -l new/", "'new/' is a folder", "new/left.wav"),
      ("\(input) -l in.wav/l.wav", "Not a directory", "write to"),
      ("\(input) -l ''", "an output has no name", "empty"),
      ("\(input) -l l", "no extension", "l.wav"),
      ("\(input) -l l.wave", "'.wave'", "did you mean .wav?"),
      ("\(input) -l fd:3", "descriptor 3 is not open", "3>l.raw"),
      ("\(input) -l fd:3 3<in.wav", "not open for writing", "3>l.raw"),
      ("\(input) -l fd:2", "standard error", "--left -"),
      ("\(input) -l exec:", "names no program", "exec:COMMAND"),
    ] {
      // The second output is fine, and must not be made either.
      let other = arguments.contains("-l ") && arguments.contains(input) ? "-r fine.wav" : ""
      try shop.expectRefusal(2, message, hint: hint, of: "splitcap \(other) \(arguments)")
    }
  }

  @Test("sound to a terminal is refused, whatever its name")
  func terminal() throws {
    let shop = try Workshop()
    for output in ["-", "fd:1", "/dev/tty", "/dev/stdout"] {
      let outcome = try shop.run(
        "script -qec 'splitcap -i in.wav -l \(output) -r r.wav; echo status=$?' /dev/null")
      #expect(outcome.text.contains("is a terminal"), "\(output): \(outcome.text)")
      #expect(outcome.text.contains("status=2"), "\(output)")
      #expect(outcome.text.utf8.count < 400 && outcome.text.utf8.allSatisfy { $0 < 0x80 })
    }
    #expect(try shop.folder.contents() == ["in.wav"])
  }

  @Test("sound and messages in one file are refused, a file that is only appended to as well")
  func messages() throws {
    let shop = try Workshop()
    for script in [
      "splitcap -i in.wav -l - >both 2>&1", "splitcap -i in.wav -l both.raw 2>both.raw",
    ] {
      let outcome = try shop.run("\(script); status=$?; cat both*; rm both*; exit $status")
      #expect(outcome.status == .exited(2) && outcome.text.contains("2>splitcap.log"), "\(script)")
    }
  }
}
