internal import SplitcapCore

extension Option {
  /// What becomes of the words.
  static let transcript = [
    Option(
      .output, short: "o", .text("DEST", .files), of: [.transcribe], in: .transcript,
      defaultText: "-",
      "where the transcript goes",
      "DEST is a file, - for standard output, fd:N, exec:COMMAND, or a FIFO or character device that "
        + "exists. A file is made with the first utterance, or at the end."),
    Option(
      .format, .choice(TranscriptOptions.Format.self), of: [.transcribe], in: .transcript,
      "how it is written; else by the extension",
      "text: a line for each utterance, with its times and speaker. jsonl: a JSON object a line, with "
        + "ear, speaker, start and end (seconds), first_frame, frames, text and bleed; described in "
        + "docs/transcripts.md. srt, vtt: subtitles. Without it, the extension of the output says it, "
        + "and text is the default."),
    Option(
      .recognizer, .text("COMMAND"), of: [.transcribe], in: .transcript,
      defaultText: "PocketSphinx",
      "the program that writes down an utterance",
      "/bin/sh runs COMMAND for each utterance. {file} in it stands for the path of a WAV file; without "
        + "it, the sound is its standard input, as --pipe-format says. {ear}, {rate}, {speaker}, "
        + "{start}, {first_frame} and {frames} say more. They are words of the shell already: do not "
        + "quote them. What it prints are the words. none: no program, only who spoke and when. The "
        + "default listens for English, and knows few names; see the README for better ones."),
    Option(
      .recognizerRate, .text("HZ"), of: [.transcribe], in: .transcript,
      "rate of what the recogniser gets",
      "Resamples utterances to that rate. Without it, a recogniser gets the rate of the recording, "
        + "which {rate} and SPLITCAP_RATE tell; the default one gets the 16000 that it wants."),
    Option(
      .mode, .choice(TranscriptOptions.Mode.self), of: [.transcribe], in: .transcript,
      defaultText: "utterance",
      "a program for each utterance, or one for each ear",
      "utterance: COMMAND runs for each utterance. stream: it runs once for each ear, gets all its "
        + "sound on standard input as it comes, and prints a line for each utterance, which gets the "
        + "times of the speech that it had read by then."),
    Option(
      .leftName, .text("NAME"), of: [.transcribe], in: .transcript, defaultText: "Left",
      "who speaks on the left ear",
      "Name of the speaker on the left ear; of the only one, where there is one channel, which is "
        + "called Speaker by default."),
    Option(
      .rightName, .text("NAME"), of: [.transcribe], in: .transcript, defaultText: "Right",
      "who speaks on the right ear", "Name of the speaker on the right ear."),
    Option(
      .keepBleed, of: [.transcribe], in: .transcript,
      "keep what an ear hears of the other one's talker",
      "Recognises and keeps utterances that are quieter copies of what the other ear has at that "
        + "moment; they are marked. Without it they are left out of the text."),
    Option(
      .jobs, .text("N"), of: [.transcribe], in: .transcript,
      "recognisers at work at once, at most",
      "How many utterances are recognised at the same time, 1 to 64; without it, one for each "
        + "processor. The transcript is in order whatever ends first."),
    Option(
      .timeout, .text("TIME"), of: [.transcribe], in: .transcript, defaultText: "2m",
      "how long a recogniser may take",
      "A recogniser that works on an utterance for longer is ended: the utterance has failed, is told "
        + "of, and costs exit status 1; all others are untouched."),
  ]

  /// What counts as an utterance.
  static let speech = [
    Option(
      .silence, .text("TIME"), of: [.transcribe], in: .speech, defaultText: "600ms",
      "how long a pause ends an utterance",
      "An utterance is over when nobody has spoken on its ear for that long, 100ms to 10s. Its sound "
        + "keeps that pause."),
    Option(
      .preRoll, .text("TIME"), of: [.transcribe], in: .speech, defaultText: "300ms",
      "sound kept before the first word",
      "Words begin softly: so much of what came before is put in front of an utterance's sound, up to "
        + "5s. Its times are those of the speech."),
    Option(
      .longest, .text("TIME"), of: [.transcribe], in: .speech, defaultText: "30s",
      "how long an utterance may be",
      "One that is longer is cut at its quietest place, 2s to 10m."),
  ]
}
