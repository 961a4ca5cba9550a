internal import SplitcapCore

extension Option {
  /// The options of the commands that work on files afterwards.
  ///
  /// Some have the name of an option of another command, and a meaning of their own.
  static let files = [
    Option(
      .events, .text("FILE", .files), of: [.verify], in: .files,
      "the events of the recording, to compare with",
      "The file that 'splitcap record' wrote with this option. The gaps are taken from it, and "
        + "must be silence of that length in both files; the start time, too. Of a file with many "
        + "segments, or many recordings one behind the other, what it tells of these two files is "
        + "taken; they may have been moved. Without it, exact zeros in both ears are listed."),
    Option(
      .pad, of: [.join], in: .files,
      "fill the shorter ear with silence",
      "If one ear is shorter, silence is put behind it, and how much is said. Without it, ears of "
        + "different length are an error."),
    Option(
      .noClobber, of: [.join], in: .files,
      "refuse to overwrite a file that exists",
      "If OUT exists, nothing is written. Without it, OUT is replaced once the new file is whole."),
    Option(
      .inPlace, of: [.repair], in: .files,
      "change the files themselves",
      "Writes the right sizes into the header of the file itself. No byte of sound is changed or "
        + "moved; at most the end is filled up to a whole frame. What needs a longer header is "
        + "refused: that takes a new file."),
    Option(
      .output, short: "o", .text("FILE", .files), of: [.repair], in: .files,
      defaultText: "NAME.repaired.wav",
      "the name of the repaired file",
      "For one file. A file that exists is never replaced."),
    Option(
      .dryRun, short: "n", of: [.repair], in: .files,
      "only say what would be done",
      "Writes nothing. The exit status is 1 if a file needs a repair."),
    Option(
      .rate, .text("HZ"), of: [.repair], in: .files,
      "rate of a file without a header",
      "Says that a file without a WAV header is sound and nothing else, and how many frames it has "
        + "in a second. A file with a header keeps its own rate."),
    Option(
      .channels, .text("N"), of: [.repair], in: .files, defaultText: "2",
      "channels of a file without a header",
      "Channels of a file without a header, interleaved; needs --rate. An ear alone has 1."),
    Option(
      .format, .choice(SampleFormat.self, placeholder: "FORMAT"), of: [.repair], in: .files,
      defaultText: "s16le",
      "sample format of a file without a header",
      "Sample format of a file without a header; needs --rate. FORMAT is one of "
        + SampleFormat.allCases.filter(WaveRepair.canHold).map(\.rawValue).joined(separator: ", ")
        + "; WAV files hold no other."),
    Option(
      .json, of: [.verify, .repair], in: .files,
      "print one JSON object, for programs",
      "Prints one JSON object in place of the text; docs/files-json.md describes it."),
    Option(
      .quiet, short: "q", of: [.verify, .join, .repair], in: .files,
      "say nothing but warnings and errors",
      "Only what is wrong is said, and nothing if all is well; the exit status says the rest."),
  ]
}
