/// A command: the first word of the command line.
enum CommandName: String, CaseIterable, Sendable {
  case record, devices, help, completions

  /// What it does, in a few words.
  var summary: String {
    switch self {
    case .record: "record a device, a file or a program; the default command"
    case .devices: "list what can be recorded, and what to type after --device"
    case .help: "explain a command at length; --man prints the man page"
    case .completions: "print what completes splitcap in bash, zsh or fish"
    }
  }

  /// What to type, a line each.
  var synopsis: [String] {
    switch self {
    case .record: ["splitcap [record] --left DEST --right DEST [OPTION]…"]
    case .devices: ["splitcap devices [OPTION]…"]
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
    case .devices:
      [
        "Lists the devices of both back ends: the name to type after --device, whether it is a "
          + "microphone, a monitor (what a computer plays) or made by software, and the channels, "
          + "rate and format that it has itself. OWN RATES are those of the wanted rates that it "
          + "can deliver without conversion. The default device is marked with *."
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
    case .devices:
      [
        Example("splitcap devices", "What can be recorded."),
        Example("splitcap devices --rate 48000", "Which devices have 48 kHz themselves."),
        Example("splitcap devices --json | jq -r '.devices[].name'", "For programs."),
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
