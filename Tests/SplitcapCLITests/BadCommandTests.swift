import SplitcapCore
import Testing

@testable import SplitcapCLI

/// A command line that can't be meant, with words of the message and the hint.
struct BadCommand: Sendable, CustomTestStringConvertible {
  let arguments: [String]
  let message: String
  let hint: String
  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: String, _ message: String, _ hint: String) {
    self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
    self.message = message
    self.hint = hint
  }

  static let all = [
    // Nothing, or not what is known.
    BadCommand("", "nothing to record to", "splitcap --left l.wav --right r.wav"),
    BadCommand("--lft x", "no option '--lft'", "--left"),
    BadCommand("--segmnt 10m -l l.wav", "no option '--segmnt'", "--segment"),
    BadCommand("--zebra 10m -l l.wav", "no option '--zebra'", "splitcap --help"),
    BadCommand("-d 10", "no option '-d'", "-D (--device)"),
    BadCommand("-z", "no option '-z'", "splitcap --help"),
    BadCommand("devices --left x", "--left is no option of 'splitcap devices'", "record"),
    BadCommand("devices -z", "no option '-z'", "splitcap devices --help"),
    BadCommand("recrod", "no command 'recrod'", "splitcap record"),
    BadCommand("device", "no command 'device'", "splitcap devices"),
    BadCommand("foo.wav", "'foo.wav' is no command", "--left foo.wav"),
    BadCommand("-l l.wav devices", "'devices' is a command", "splitcap devices"),
    BadCommand("-l l.wav -- -r", "'-r' is no command", "--left -r"),
    BadCommand("devices Jabra", "takes no 'Jabra'", "grep Jabra"),
    BadCommand("help recrod", "no command 'recrod'", "splitcap help record"),
    BadCommand(
      "help zzzzzz", "no command 'zzzzzz'", "record, transcribe, devices, verify, join, repair"),
    BadCommand("help record devices", "one command at a time", "splitcap help record"),
    BadCommand("help --man record", "one man page", "splitcap help --man"),
    BadCommand("completions", "the name of one shell", "bash, zsh, fish"),
    BadCommand("completions tcsh", "no completions for 'tcsh'", "bash, zsh, fish"),
    // Values that are missing, or too many.
    BadCommand("-l", "-l needs a value", "DEST"),
    BadCommand("--left", "--left needs a value", "DEST"),
    BadCommand("--left --right r.wav", "'--right' follows", "--left=--right"),
    BadCommand("-l -r r.wav", "'-r' follows", "--left=-r"),
    BadCommand("--left -- r.wav", "'--' follows", "--left=--"),
    BadCommand("-l=l.wav", "without '='", "-l l.wav"),
    BadCommand("--quiet=1 -l l.wav", "--quiet takes no value", "'=1'"),
    BadCommand("-l l.wav --rate 1 --rate 2", "--rate is given twice", "once"),
    BadCommand("-l l.wav -D a --device b", "--device is given twice", "once"),
    // Values that mean nothing.
    BadCommand("-l l.wav --rate 0", "'0' is no rate", "16000"),
    BadCommand("-l l.wav --rate -16000", "'-16000' is no rate", "16000"),
    BadCommand("-l l.wav --rate 16000,", "'' is no rate", "16000"),
    BadCommand("-l l.wav --rate 16k", "'16k' is no rate", "16000"),
    BadCommand("-l l.wav --rate 384001", "'384001' is no rate", "384000"),
    BadCommand("-l l.wav --rate 99999999999999999999", "is no rate", "384000"),
    BadCommand("-l l.wav --resample nevr", "'nevr' is no rate", "16000"),
    BadCommand("-l l.wav --duration 10x", "--duration takes a time, not '10x'", "1m30s"),
    BadCommand("-l l.wav --duration 1m30", "takes a time, not '1m30'", "1m30s"),
    BadCommand("-l l.wav --duration -5", "takes a time, not '-5'", "10s"),
    BadCommand("-l l.wav --duration 0", "longer than 0", "help"),
    BadCommand("-l l.wav --duration 1e9h", "takes a time", "2h"),
    BadCommand("-l l.wav --duration 999999999999999999999999h", "takes a time", "2h"),
    BadCommand("-l l.wav --latency 5s", "from 1ms to 2s", "10ms"),
    BadCommand("-l l.wav --latency 0.5ms", "from 1ms to 2s", "10ms"),
    BadCommand("-l l.wav --frames 0", "a number of frames", "--duration"),
    BadCommand("-l l.wav --frames 1s", "a number of frames", "--duration"),
    BadCommand("-l l.wav --frames 9999999999999999999", "a number of frames", "--duration"),
    BadCommand("-l %i.wav --segment 99ms", "from 100ms to 8784h", "help"),
    BadCommand("-l %i.wav --segment 10m --keep 0", "at least 1", "--keep 24h"),
    BadCommand("-l %i.wav --segment 10m --keep 1x", "a time with its unit, not '1x'", "24h"),
    BadCommand("-l %i.wav --segment 10m --keep 1.5", "a time with its unit, not '1.5'", "24h"),
    BadCommand("-l %i.wav --segment 10m --keep -1", "at least 1, or a time", "24h"),
    BadCommand("-l %i.wav --segment 10m --keep +3", "at least 1, or a time", "24h"),
    BadCommand("-l %i.wav --segment 10m --keep 0h", "at least 1, or a time", "24h"),
    BadCommand("-l l.wav --keep 3", "--keep needs --segment", "--segment 10m"),
    BadCommand("-l l.wav --on-segment cat", "--on-segment needs --segment", "--segment 10m"),
    BadCommand("-l l.wav --max-file-size 63K", "at least 64K", "20M"),
    BadCommand("-l l.wav --max-file-size 10X", "takes a size, not '10X'", "500M"),
    BadCommand("-l l.wav --max-file-size 1e9T", "takes a size", "500M"),
    BadCommand("-l l.wav --channels 0,1", "counted from 1", "--channels 1,2"),
    BadCommand("-l l.wav --channels 1", "two channels", "--channels 1,2"),
    BadCommand("-l l.wav --channels 1,2,3", "two channels", "--channels 1,2"),
    BadCommand("-l l.wav --channels 1,1", "one channel for both", "--mono copy"),
    BadCommand("-l l.wav --mono cop", "one of error, copy", "--mono copy"),
    BadCommand("-l l.wav --backend jack", "one of auto, alsa, pulse", "auto"),
    BadCommand("-l l.wav --color blue", "one of auto, always, never", "auto"),
    BadCommand("-l - --pipe-format flac", "one of raw, wav", "raw"),
    BadCommand("-l l.wav -i - --input-rate 8000 --input-format s16", "s16le, s16be", "s16"),
    BadCommand("-l l.wav -i - --input-rate 8000 --input-channels 0", "channels", "2"),
    BadCommand("-l l.wav -D ''", "--device takes", "splitcap"),
    // Destinations and inputs.
    BadCommand("-l ''", "has no name", "empty"),
    BadCommand("-l fd:", "'fd:' names no descriptor", "./fd:"),
    BadCommand("-l fd:-1", "'fd:-1' names no descriptor", "fd:3"),
    BadCommand("-l fd:99999999999", "names no descriptor", "fd:3"),
    BadCommand("-l exec:", "names no program", "exec:COMMAND"),
    BadCommand("-l l.wav -i ''", "has no name", "empty"),
    BadCommand("-l l.wav -i exec:", "names no program", "exec:COMMAND"),
    BadCommand("-l l.wav -i fd:3", "not 'fd:3'", "<&3"),
    BadCommand("-l \u{FFFD}.wav", "not valid UTF-8", "UTF-8"),
    // Options that contradict each other.
    BadCommand("-l l.wav -i x -D y", "--input and --device", "one of them"),
    BadCommand("-l l.wav -i x --backend alsa", "--input and --backend", "--backend"),
    BadCommand("-l l.wav -i x --latency 1s", "--input and --latency", "--latency"),
    BadCommand("-l l.wav -i x --rate 16000", "--input and --rate", "--resample"),
    BadCommand("-l l.wav --frames 1 --duration 1", "--frames and --duration", "one of them"),
    BadCommand("-l l.wav -qv", "--quiet and --verbose", "one of them"),
    BadCommand("-l l.wav --mono copy --channels 1,2", "--mono copy and --channels", "one of them"),
    BadCommand("-l l.wav --input-rate 8000", "--input-rate needs --input", "--rate"),
    BadCommand("-l l.wav --input-format u8", "--input-format needs --input", "device"),
    BadCommand("-l l.wav --input-channels 1", "--input-channels needs --input", "--channels"),
    BadCommand("-l l.wav -i - --input-format u8", "needs --input-rate", "--input-rate 16000"),
    BadCommand("-l l.wav --on-slow block", "--on-slow block needs --input", "--on-slow silence"),
    BadCommand("-l l.wav --on-slow wait", "--on-slow takes one of silence, skip", ""),
    BadCommand("-l l.wav --queue 10ms", "a time from 100ms to 24h", "60s"),
    BadCommand("-l l.wav --respawn", "--respawn needs an output that is a program", "exec:"),
    BadCommand("verify l.wav", "takes two files", "splitcap verify l.wav r.wav"),
    BadCommand("verify l.wav r.wav x.wav", "takes two files", "splitcap verify"),
    BadCommand("verify l.wav ''", "has no name", "empty"),
    BadCommand("verify l.wav r.wav --events", "--events needs a value", "FILE"),
    BadCommand("verify l.wav r.wav --pad", "no option of 'splitcap verify'", "splitcap join"),
    BadCommand("join l.wav r.wav", "the file to make", "splitcap join l.wav r.wav both.wav"),
    BadCommand("repair", "takes the files to repair", "splitcap repair"),
    BadCommand("repair ''", "has no name", "empty"),
    BadCommand("repair x.raw --channels 1", "--channels needs --rate", "--rate 44100"),
    BadCommand("repair x.raw --format u8", "--format needs --rate", "--rate 44100"),
    BadCommand("repair x.raw --rate 16000,8000", "'16000,8000' is no rate", "16000"),
    BadCommand("repair x.raw --rate 16000 --channels 1,2", "number of channels", "2"),
    BadCommand("repair x.raw --rate 1 --format s16be", "cannot hold s16be", "convert"),
    BadCommand("repair x.raw --rate 1 --format s8", "cannot hold s8", "convert"),
    BadCommand("repair a.wav b.wav -o c.wav", "--output names one file", "NAME.repaired.wav"),
    BadCommand("repair a.wav -o c.wav --in-place", "--in-place and --output", "one of them"),
    BadCommand("devices --json --names", "--json and --names", "one of them"),
  ]
}

@Suite("Commands that can't be meant")
struct BadCommandTests {
  @Test("each is refused with its reason and a hint, and status 2", arguments: BadCommand.all)
  func refused(command: BadCommand) throws {
    let error = try #require(
      refusal { () throws(SplitcapError) in _ = try Invocation(command.arguments) })
    #expect(error.kind == .usage)
    #expect(ExitStatus(error) == .usage)
    #expect(error.message.contains(command.message))
    #expect(error.hint?.contains(command.hint) == true, "\(error.hint ?? "no hint")")
    #expect(!error.message.contains("\n") && error.hint?.contains("\n") == false)
  }

  @Test("what a user typed can't steer the terminal or break the line")
  func controlCharacters() throws {
    let error = try #require(
      refusal { () throws(SplitcapError) in _ = try Invocation(["--rate", "1\u{1B}[2J\n"]) })
    #expect(error.message.contains("'1\\u{1b}[2J\\n'"))
  }
}
