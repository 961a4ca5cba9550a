internal import SplitcapCore

extension Option {
  /// Every option of every command, in the order of the help.
  static let all =
    transcript + outputs + source + recording + speech + segments + listing + files + messages
    + general

  private static let outputs = [
    Option(
      .left, short: "l", .text("DEST", .files), in: .outputs, isRepeatable: true,
      "where the left ear goes",
      "DEST is a file, whose extension chooses its format; - for standard output; fd:N for a "
        + "descriptor that is open; exec:COMMAND for a program; or a FIFO or character device "
        + "that exists. See DESTINATIONS. May be given more than once. At least one of --left, "
        + "--right and --stereo is needed."),
    Option(
      .right, short: "r", .text("DEST", .files), in: .outputs, isRepeatable: true,
      "where the right ear goes",
      "As --left. Both ears of one recording have the same number of frames, unless a reader "
        + "leaves early."),
    Option(
      .stereo, .text("DEST", .files), in: .outputs, isRepeatable: true,
      "where both ears go, interleaved",
      "As --left, for both ears in one stream; the left sample comes first in each frame."),
    Option(
      .noClobber, in: .outputs,
      "refuse to overwrite a file that exists",
      "A file that exists is an error, found before anything is recorded. Without it, a file that "
        + "exists is overwritten when the first sound arrives, unless another recording is writing "
        + "to it. With --segment, whose names come later, a file that exists stays, and a segment "
        + "that would have its name gets a number before the extension: l-0001.2.wav."),
    Option(
      .sync, .text("TIME"), in: .outputs,
      "have the disk write files that often",
      "Waits that often until the disk has what was written to each file, 10ms to 1h, so that a power "
        + "cut costs no more than that. Headers count only what the disk has already, so a program "
        + "that is killed may lose as much; 1s is a good value. Without it, no file waits for the "
        + "disk: a kill costs at most a second, and a power cut about half a minute."),
    Option(
      .pipeFormat, .choice(PipeFormat.self), in: .outputs, defaultText: "raw",
      "what goes down pipes and to programs",
      "For standard output, descriptors, programs, and FIFOs and character devices without an "
        + "extension: raw is headerless signed 16-bit little-endian samples; wav puts a 44-byte "
        + "header before them, whose sizes say 0xFFFFFFFF since the end is not known."),
    Option(
      .events, .text("DEST", .files), in: .outputs,
      "where a line of JSON for each event goes",
      "The start, lost frames, outputs that fail and all else that happens, and the end with all "
        + "counts: a JSON object each, one a line, described in docs/events.md. DEST is as for "
        + "--left, but a file may have any name. It is made with the first event. A reader that "
        + "stalls holds up nothing: it misses events, is told how many, and the exit status is 1."),
    Option(
      .mergeOutput, .text("DEST", .files), in: .outputs,
      "where all that programs print goes, as JSON",
      "What the programs of exec: print on standard output, merged: a JSON object a line with ear, time "
        + "(seconds on the timeline, up to which the program had read its sound), frame, clock, "
        + "program and line; described in docs/transcripts.md. DEST is as for --events. Without it, "
        + "they print where splitcap does."),
    Option(
      .queue, .text("TIME"), in: .outputs, defaultText: "60s",
      "how much sound is kept for an output that is late",
      "How much sound waits for each output that falls behind, such as a reader that stalls or a "
        + "FIFO that nobody has opened yet, 100ms to 24h. It takes memory only while it is needed: "
        + "about 2 bytes for each sample that waits, and a little for each piece of it."),
    Option(
      .onSlow, .choice(SlowRule.self), in: .outputs,
      "what to do when the queue of an output is full",
      "What to do when more sound waits for an output than --queue allows; silence if a device is "
        + "recorded, block if an input is. silence: what does not fit becomes silence of the same "
        + "length, so that all that follows stands in its place. skip: it is left out, so that a "
        + "recogniser is never farther behind than --queue. block: the input waits; a device never "
        + "does. close: the output is given up and has failed. Other outputs go on in any case. "
        + "What was lost is counted and costs exit status 1. A file is read as fast as it can be, "
        + "so for one all but block may lose much of it."),
    Option(
      .respawn, in: .outputs,
      "start a program of exec: again if it ends",
      "Starts a program of exec: again if it ends, for whatever reason, while sound still comes: "
        + "after 1 s, then after 2, 4 and so on up to 30 s, and after 1 s again once it ran for a "
        + "minute. From a device it gets the sound from then on; SPLITCAP_FIRST_FRAME and "
        + "SPLITCAP_START say which that is. An input waits for it, unless --on-slow says otherwise. "
        + "What passed, and what a program had not read when it ended, is counted and costs exit "
        + "status 1."),
  ]

  private static let source = [
    Option(
      .device, short: "D", .text("NAME", .devices), in: .source,
      "the device; a name or part of a description",
      "A name that 'splitcap devices' lists, or a part of one device's name or description. "
        + "A name that fits none, or several, is an error that lists what is near: no other "
        + "device is ever recorded. A monitor, which is what the computer plays, is recorded only "
        + "by its name or by a part that says monitor, and never as the default."),
    Option(
      .backend, .choice(RecordOptions.Backend.self), of: [.record, .transcribe, .devices],
      in: .source,
      defaultText: "auto",
      "the sound system to record from",
      "auto takes PulseAudio, or PipeWire's Pulse server, if it answers within a second, and ALSA "
        + "if none does. Which it was, and why, is said at the start."),
    Option(
      .input, short: "i", .text("INPUT", .files), in: .source,
      "record FILE, - or exec:COMMAND instead",
      "Records from that instead of a device. A file is read to its end; - is a WAV stream on "
        + "standard input; exec:COMMAND is a program that writes a WAV stream. Nothing of it is "
        + "lost: it waits for the slowest output."),
    Option(
      .inputRate, .text("HZ"), in: .source,
      "rate of an input without a header",
      "Says that the input has no header, and how many frames it has in a second."),
    Option(
      .inputFormat, .choice(SampleFormat.self, placeholder: "FORMAT"), in: .source,
      defaultText: "s16le",
      "sample format of an input without a header",
      "Format of an input without a header; needs --input-rate. FORMAT is one of "
        + SampleFormat.allCases.map(\.rawValue).joined(separator: ", ") + "."),
    Option(
      .inputChannels, .text("N"), in: .source, defaultText: "2",
      "channels of an input without a header",
      "Channels of an input without a header, interleaved; needs --input-rate."),
  ]

  private static let recording = [
    Option(
      .rate, .text("HZ[,HZ…]"), of: [.record, .transcribe, .devices], in: .recording,
      defaultText: StreamFormat.preferredRates.map(String.init).joined(separator: ","),
      "rates to try, in this order",
      "ALSA: the first that the device has itself, without conversion. If it has none, its "
        + "nearest own rate is captured and resampled to the first of the list; --resample never "
        + "makes that an error. Pulse: the first, which the server converts to if need be. What "
        + "happened is said at the start."),
    Option(
      .resample, .text("HZ|never", .words(["never"])), in: .recording,
      "rate of all outputs",
      "Resamples what was captured to that rate. never: a device with none of the rates of --rate "
        + "is an error that lists what the device can do; a Pulse server converts all the same."),
    Option(
      .channels, .text("L,R"), in: .recording, defaultText: "1,2",
      "channels that are the ears",
      "Which channels of the source become the left and the right ear, counted from 1. Where "
        + "the source names positions, such as front left, the default follows them."),
    Option(
      .mono, .choice(RecordOptions.Mono.self), in: .recording, defaultText: "error",
      "what to do about a source of one channel",
      "What to do if both ears are wanted and the source has one channel: error refuses, with the "
        + "reason; copy records it to both ears, and says so. One ear alone is always recorded, "
        + "with a note."),
    Option(
      .latency, .text("TIME"), in: .recording, defaultText: "10ms",
      "how much a device may hold back",
      "How much sound the device or server may hold back before it hands it on, 1ms to 2s. A "
        + "longer time wakes the processor less often."),
    Option(
      .duration, .text("TIME"), in: .recording,
      "stop after that time",
      "TIME is 10, 10s, 250ms, 1m30s or 2h. It is counted in frames of the outputs, lost ones "
        + "included, once the rate is known, so both ears are equally long."),
    Option(
      .frames, .text("N"), in: .recording,
      "stop after that many frames",
      "As --duration, in frames of the outputs, lost ones included."),
    Option(
      .onLost, .choice(RecordOptions.OnLost.self), in: .recording, defaultText: "wait",
      "what to do when the device goes away",
      "wait: the same device, never another one, is recorded again as soon as it is back, at the "
        + "same rate; silence of the same length stands where it was away. stop: the recording "
        + "ends at once, with status 4."),
    Option(
      .wait, .text("TIME"), in: .recording,
      "how long to wait for a device, else 60s",
      "How long a device may be away, 60s if this is not given. A longer absence ends the "
        + "recording with status 4, with --segment, too. A gap that is longer for any other reason, "
        + "such as a machine that was suspended, is not filled: with --segment, new files begin "
        + "behind it; without, the recording ends with status 4. If --wait is given, a device that "
        + "is not there at the start is waited for as long, and then status 3 says so."),
  ]

  private static let segments = [
    Option(
      .segment, .text("TIME"), in: .segments,
      "go on in new files after that time",
      "Files end, and the next ones begin, at each multiple of TIME on the timeline: on the same "
        + "frame for both ears, and without a sample lost or twice. In the names of files, folders "
        + "included, %i is the number of the segment, in four digits (%6i: in six), and %F, %H, %M, "
        + "%S and so on are the fields of strftime, in the local time of the segment's first frame; "
        + "%% is a percent sign. Folders with a field in their name are made. A segment is written as "
        + "NAME.part, and renamed once it is whole. Where two segments of a run would get one name, "
        + "a number is put before the extension. SIGUSR1 ends the files at once, also without "
        + "--segment; the next one of l.wav is then l.2.wav. Pipes and programs are not cut. A gap "
        + "that is too long to be filled, as after a suspend of the machine (see --wait), ends a "
        + "segment, and the next has its own time; a device that is away for too long ends the "
        + "recording."),
    Option(
      .keep, .text("N|TIME"), in: .segments,
      "remove segments beyond N, or older than TIME",
      "With --segment: after each segment, those of this run are removed that are not among the "
        + "last N, or that ended TIME before the last one did, such as --keep 24h. A plain number "
        + "is N. A segment is removed only after its --on-segment has ended, and with its last file "
        + "the folders that were made for it, if they are empty then."),
    Option(
      .onSegment, .text("COMMAND"), in: .segments,
      "run COMMAND for each segment",
      "With --segment: /bin/sh runs COMMAND when all files of a segment have their names. {left}, "
        + "{right} and {stereo} in it stand for the paths, {index} for the number; {first_frame}, "
        + "{frames}, {start} and {rate} say more. They are words of the shell already: do not quote "
        + "them. SPLITCAP_LEFT and so on say the same; see ENVIRONMENT. Commands run one at a "
        + "time, in the order of the segments, and never hold up the recording. At the end they "
        + "are waited for; a second Ctrl-C ends them. One that fails is a warning, and exit "
        + "status 1."),
    Option(
      .maxFileSize, .text("SIZE"), in: .segments,
      "go on in new files before one is larger",
      "SIZE is 500M, 1.5G or 700MB, at least 64K: K, M, G and T count in 1024, KB, MB, GB and TB in "
        + "1000. Files are cut on the same frame for all outputs. Samples are counted as they "
        + "are before compression. Without --segment, l.wav goes on in l.2.wav and so on, or in the "
        + "next number that is free. A WAV or AIFF file always does before 4 GiB."),
  ]

  private static let listing = [
    Option(
      .json, of: [.devices], in: .listing,
      "print one JSON object, for programs",
      "Prints one JSON object; docs/devices-json.md describes it."),
    Option(
      .names, of: [.devices], in: .listing,
      "print the names only, one a line",
      "Prints what may follow --device, one a line, and nothing else: the names of the sound "
        + "system that --backend chooses."),
    Option(
      .man, of: [.help], in: .listing,
      "print the man page",
      "Prints the man page; 'splitcap help --man | man -l -' shows it."),
  ]

  private static let messages = [
    Option(
      .quiet, short: "q", in: .messages,
      "say nothing but warnings and errors",
      "No start line, meter or summary; warnings and errors are still said."),
    Option(
      .verbose, short: "v", of: [.record, .transcribe, .devices], in: .messages,
      "say more, also what the sound libraries say",
      "Also what the sound libraries say, and how the source and the outputs were set up."),
    Option(
      .noMeter, in: .messages,
      "show no meter",
      "No two-ear meter. There is none anyway where standard error is no terminal."),
    Option(
      .color, .choice(RecordOptions.Color.self), in: .messages, defaultText: "auto",
      "when the meter has colours",
      "auto: where standard error is a terminal, unless NO_COLOR is set or TERM is dumb."),
  ]

  private static let general = [
    Option(
      .help, short: "h", of: CommandName.allCases, in: .general,
      "show the options", "Shows the options of the command; 'splitcap help COMMAND' says more."),
    Option(
      .version, short: "V", of: CommandName.allCases, in: .general,
      "show the version", "Shows the version."),
  ]
}
