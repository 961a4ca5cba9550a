private import Glibc
internal import SplitcapCore

// The wording of what can go wrong with a sound file, in one place.

extension SplitcapError {
  /// A file that can't be made or written, because of `reason`.
  init(writing path: String, _ reason: Errno) {
    if reason == .claimed {
      self.init(claimed: path)
      return
    }
    self.init(.sinkFailed, "cannot write '\(path)': \(reason)", hint: Self.hint(reason, path))
  }

  /// A file that can't be written, because of what stands in the way.
  init(writing path: String, because reason: String, hint: String?) {
    self.init(.sinkFailed, "cannot write '\(path)': \(reason)", hint: hint)
  }

  /// A file that another program has made shorter, so that sound of it is lost.
  init(cut path: String) {
    self.init(
      .sinkFailed, "cannot go on with '\(path)': another program has cut it off",
      hint: "what was written before is lost; was its name given to another program?")
  }

  /// A file that would become longer than its header can say.
  init(fileIsFull path: String) {
    self.init(
      .sinkFailed, "cannot go on with '\(path)': its format ends at 4 GiB",
      hint: "the file is valid up to there; .w64, .rf64 and .flac have no limit")
  }

  /// A path whose extension names no container.
  init(noContainer path: String) {
    let known = Container.allCases.map { ".\($0.rawValue)" }.joined(separator: " ")
    self.init(
      .usage, "cannot tell the file format from the name '\(path)'",
      hint: "end it in one of \(known)")
  }

  /// A container that this libsndfile can't write.
  init(encoding path: String, _ reason: String) {
    self.init(
      .sinkFailed, "cannot write '\(path)': \(reason)",
      hint: "choose another format, such as .wav or .flac")
  }

  /// A container that can't go down a pipe.
  init(cannotStream container: Container, path: String) {
    let known = Container.allCases.filter(\.canStream).map { ".\($0.rawValue)" }
    self.init(
      .sinkFailed,
      "cannot write '\(path)': a pipe cannot take \(container.rawValue), whose header is "
        + "completed at the end",
      hint: "a pipe can take \(known.joined(separator: " "))")
  }

  /// A file that can't be opened for reading.
  init(reading path: String, _ reason: Errno) {
    switch reason.code {
    case ENODATA:
      self.init(
        .unsupportedFormat, "cannot read '\(path)': the file is empty",
        hint: "did what should have written it fail?")
    case ESPIPE:
      self.init(
        .sourceUnavailable, "cannot read '\(path)': it is not a file",
        hint: "read it as standard input: --input - < '\(path)'")
    default:
      self.init(cannot: "read", source: "'\(path)'", reason)
    }
  }

  /// A file that is no sound file, as far as libsndfile knows.
  init(notSound path: String, _ reason: String) {
    self.init(
      .unsupportedFormat, "cannot read '\(path)': \(reason)",
      hint: "headerless sound needs --input-rate; for other formats try "
        + "--input \"exec:ffmpeg -v error -i '\(path)' -f wav -\"")
  }

  /// A file that can't be read to its end.
  init(damaged path: String, at frames: Int, _ reason: String) {
    self.init(.backend, "'\(path)' breaks off after \(frames) frames: \(reason)")
  }

  private static func hint(_ reason: Errno, _ path: String) -> String? {
    switch reason.code {
    case ENOENT: "make the folder: mkdir -p '\(FilePath(path).folder)'"
    case ENOTDIR: "'\(FilePath(path).folder)' is not a folder"
    case EACCES, EPERM: "choose a folder that you may write to"
    case EROFS:
      "choose a folder on a file system that can be written to; what was written before is kept"
    case EEXIST: "choose another name, or leave out --no-clobber"
    case ENOSPC, EDQUOT: "what was written before is kept; free some space there"
    case EFBIG: "what was written before is kept; see the limit with 'ulimit -f'"
    default: nil
    }
  }
}
