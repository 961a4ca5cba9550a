/// A command: the first word of the command line.
enum CommandName: String, CaseIterable, Sendable {
  case record, transcribe, devices, verify, join, repair, help, completions

  /// Whether its operands are files.
  var takesFiles: Bool { [.verify, .join, .repair].contains(self) }

  /// What it does, in a few words.
  var summary: String {
    switch self {
    case .record: "record a device, a file or a program; the default command"
    case .transcribe: "write down what each ear says, and when"
    case .devices: "list what can be recorded, and what to type after --device"
    case .verify: "check that two files are the two ears of one recording"
    case .join: "put two ears together again, into one stereo file"
    case .repair: "make WAV files valid that a crash left behind"
    case .help: "explain a command at length; --man prints the man page"
    case .completions: "print what completes splitcap in bash, zsh or fish"
    }
  }

  /// What to type, a line each.
  var synopsis: [String] {
    switch self {
    case .record: ["splitcap [record] --left DEST --right DEST [OPTION]…"]
    case .transcribe: ["splitcap transcribe [OPTION]…"]
    case .devices: ["splitcap devices [OPTION]…"]
    case .verify: ["splitcap verify LEFT RIGHT [OPTION]…"]
    case .join: ["splitcap join LEFT RIGHT OUT [OPTION]…"]
    case .repair: ["splitcap repair FILE… [OPTION]…"]
    case .help: ["splitcap help [COMMAND]", "splitcap help --man"]
    case .completions: ["splitcap completions bash|zsh|fish"]
    }
  }

  /// What it does, in whole sentences, a paragraph each.
  var description: [String] {
    switch self {
    case .record:
      [
        "Records a two-ear device and hands each ear on as a stream of its own: to a file, a pipe "
          + "or a program. Both ears share one timeline: the same frame of both was heard at the "
          + "same time, and frames that were lost stand there as counted silence.",
        "It records until the source ends, --duration or --frames is reached, every reader has "
          + "gone, or Ctrl-C is pressed. What was captured by then is written.",
        "Outputs are made when the first sound arrives: a recording that could not start leaves "
          + "nothing behind and destroys nothing.",
      ]
    case .transcribe:
      [
        "Listens to each ear for speech, has a recogniser write down what was said, and puts the "
          + "utterances of both ears in one transcript, in the order in which they began, with the "
          + "times of their first and last sound. A device is listened to live, until Ctrl-C; --input "
          + "takes a file instead.",
        "The recogniser is PocketSphinx, unless --recognizer names another, which is better in most "
          + "languages. It is a program: it gets an utterance as a WAV file or on standard input, and "
          + "prints its words.",
        "What one microphone picks up of the other one's talker is bleed, and is left out of the text; "
          + "--keep-bleed keeps it. In JSON Lines it is marked.",
        "The recording itself can be kept in the same run: all options of 'splitcap record' are "
          + "options of this command, too. A recogniser that fails, hangs or is slow costs no sound.",
      ]
    case .devices:
      [
        "Lists the devices of both back ends: the name to type after --device, whether it is a "
          + "microphone, a monitor (what a computer plays) or made by software, and the channels, "
          + "rate and format that it has itself. OWN RATES are those of the wanted rates that it "
          + "can deliver without conversion. The default device is marked with *."
      ]
    case .verify:
      [
        "Compares the files of two ears: rate, sample format and length must be the same, no file "
          + "may be damaged, and no ear dead. The containers may differ.",
        "With --events FILE, each gap that the recording told of must stand in both files, as "
          + "silence: all frames are accounted for then, and nothing is wrong. Without it, "
          + "stretches of exact zeros in both ears, longer than 20 ms, are listed with their frames. "
          + "They are lost frames, or a source that was silent, which only the events can tell "
          + "apart: they are nothing wrong, either.",
        "Any sound file can be read; it need not fit into memory.",
        "The exit status is 0 if the files belong together, as the events tell, gaps included; 1 if "
          + "something differs, is damaged or is missing, and 3 if a file cannot be read.",
      ]
    case .join:
      [
        "Writes the two ears interleaved into OUT, whose extension chooses the format. Joining what "
          + "was split gives the same samples again, bit for bit, unless the format is one that "
          + "loses some.",
        "OUT has the name OUT.part until it is whole; if anything fails, it is removed.",
        "The exit status is 0 if all is well, 1 if an ear is damaged and what was left of it was "
          + "joined, 3 if a file cannot be read or the ears do not fit together, and 5 if OUT cannot "
          + "be written.",
      ]
    case .repair:
      [
        "Makes WAV files valid that a recorder left behind when it was killed, ran out of space or "
          + "wrote to a pipe: sizes that are 0, are none or are not true, a last frame that is cut "
          + "off, or no header at all (with --rate). No byte of sound is lost, changed or converted, "
          + "whatever the sample format; chunks before and behind the sound are kept.",
        "The repaired file is a new one, NAME.repaired.wav beside the old one, unless --in-place is "
          + "given. A healthy file is left alone. A file that another program is still writing is "
          + "refused. Sound beyond 4 GiB becomes RF64.",
        "The exit status is 0 if every file is healthy or was repaired, 1 if one cannot be repaired "
          + "(or, with --dry-run, needs it), 3 if one cannot be read, and 5 if one cannot be written; "
          + "of several, the highest.",
      ]
    case .help: ["Explains a command at length."]
    case .completions:
      [
        "Prints a script that lets a shell complete the options and values of splitcap.",
        "bash: source <(splitcap completions bash)",
        "zsh: splitcap completions zsh > a file named _splitcap in a folder of $fpath",
        "fish: splitcap completions fish > ~/.config/fish/completions/splitcap.fish",
      ]
    }
  }

  /// Commands that someone may want to copy, with what they do.
  var examples: [Example] {
    switch self {
    case .record:
      [
        Example("splitcap --left l.wav --right r.wav", "Each ear to a file, until Ctrl-C."),
        Example("splitcap --left - | recogniser", "One ear to a program, as raw 16-bit samples."),
        Example(
          "splitcap -l 'exec:asr --rate {rate}' -r 'exec:asr --rate {rate}'",
          "Each ear to a recogniser of its own, which is told the rate."),
        Example(
          "splitcap --left >(asr-left) --right >(asr-right) --stereo both.flac",
          "Two programs and an archive at the same time."),
        Example(
          "splitcap --device Jabra --rate 16000 --duration 1h -l l.flac -r r.flac",
          "An hour of the device with 'Jabra' in its description."),
        Example(
          "splitcap --input call.mp3 --left agent.wav --right caller.wav",
          "Split a recording that exists."),
      ]
    case .transcribe:
      [
        Example("splitcap transcribe", "The default device, live, with the usual recogniser."),
        Example(
          "splitcap transcribe --input call.wav --output call.srt",
          "Subtitles of a call that was recorded, one voice an ear."),
        Example(
          "splitcap transcribe --left-name Anna --right-name Ben -l a.wav -r b.wav",
          "An interview, with names, and its sound in two files."),
        Example(
          "splitcap transcribe --recognizer 'whisper-cli -nt -np -f {file}'",
          "Another recogniser."),
        Example(
          "splitcap transcribe --input call.wav --recognizer none --format jsonl",
          "Who spoke when, for programs."),
      ]
    case .devices:
      [
        Example("splitcap devices", "What can be recorded."),
        Example("splitcap devices --rate 48000", "Which devices have 48 kHz themselves."),
        Example("splitcap devices --json | jq -r '.devices[].name'", "For programs."),
      ]
    case .verify:
      [
        Example("splitcap verify l.wav r.wav", "Do the two ears belong together?"),
        Example(
          "splitcap verify l.wav r.wav --events run.jsonl",
          "Also: are the gaps that the recording told of in both files?"),
      ]
    case .join:
      [Example("splitcap join l.wav r.wav both.flac", "Both ears in one file again.")]
    case .repair:
      [
        Example("splitcap repair crashed.wav", "Writes crashed.repaired.wav."),
        Example("splitcap repair --dry-run *.wav", "Which files need it, and why?"),
        Example("splitcap repair --in-place *.wav", "Headers made right, sound untouched."),
        Example(
          "splitcap repair --rate 16000 --channels 1 left.raw -o left.wav",
          "A header for sound that has none."),
      ]
    case .help: [Example("splitcap help record", "All about recording.")]
    case .completions: []
    }
  }

  /// A command line with what it does.
  struct Example: Sendable {
    let command: String
    let meaning: String

    init(_ command: String, _ meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }
}
