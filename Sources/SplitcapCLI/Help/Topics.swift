internal import SplitcapCore

/// Parts of the help that belong to no one option; shown by the long help and the man page.
enum Topics {
  /// A term with what it means.
  struct Entry {
    let term: String
    let meaning: String

    init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// The forms of DEST.
  static let destinations = [
    Entry(
      "PATH",
      "A file. Its extension chooses the format: "
        + Container.allCases.map(\.rawValue).joined(separator: ", ")
        + "; also aif, oga, and pcm and s16 for raw. A file of that name is overwritten, unless "
        + "--no-clobber is given. ogg, opus and mp3 lose sound quality, all others are exact."),
    Entry(
      "FIFO or device",
      "A FIFO or character device that exists, such as /dev/null or a shell's >(PROGRAM). With the "
        + "extension wav or raw it gets that, else what --pipe-format says."),
    Entry("-", "Standard output."),
    Entry(
      "fd:N",
      "Descriptor N, which must be open for writing: fd:3 with 3>PIPE behind the command. A file of "
        + "that name is ./fd:N."),
    Entry(
      "exec:COMMAND",
      "A program: /bin/sh runs COMMAND and gets the sound on standard input. {ear}, {rate}, "
        + "{format}, {channels}, {start} and {first_frame} in it stand for the values of "
        + "SPLITCAP_EAR and so on; see ENVIRONMENT. At the end its standard input is closed, and "
        + "it is waited for, unless it takes no sound for 2 s after a device's recording has ended. "
        + "A second Ctrl-C ends it at once. One that ends before is started again with --respawn."),
  ]

  /// The environment that is read, and that programs get.
  static let environment = [
    Entry("PULSE_SERVER", "The sound server to record from, instead of the one of this session."),
    Entry("NO_COLOR", "If it is set and not empty, --color auto means never."),
    Entry("SPLITCAP_EAR", "For programs: left, right or stereo."),
    Entry("SPLITCAP_RATE", "For programs: frames in a second."),
    Entry("SPLITCAP_FORMAT", "For programs: s16le, or wav with --pipe-format wav."),
    Entry("SPLITCAP_CHANNELS", "For programs: 1 for an ear, 2 for both."),
    Entry(
      "SPLITCAP_FIRST_FRAME",
      "For programs: the number of the first frame they get: 0, unless --respawn started them "
        + "later. For --on-segment: that of the segment."),
    Entry(
      "SPLITCAP_START",
      "For programs: when that frame was heard, as RFC 3339 writes it: the time of frame 0, and the "
        + "frames since then at their rate."),
    Entry("SPLITCAP_SEGMENT", "For --on-segment: the number of the segment, from 1."),
    Entry("SPLITCAP_FRAMES", "For --on-segment: frames in the segment."),
    Entry(
      "SPLITCAP_LEFT",
      "For --on-segment: the path of the left ear's file, the first one if there are several; "
        + "SPLITCAP_RIGHT and SPLITCAP_STEREO likewise. Not set where there is none."),
  ]

  /// What the exit status says.
  static var exitStatuses: [Entry] {
    ExitStatus.allCases.map { Entry(String($0.rawValue), $0.meaning) }
  }
}
