private import SoundFiles
internal import SplitcapCore

// What an extension means, and the words for what can't be written.
extension SinkResolver {
  /// The container of a file, by its extension.
  func container(of path: FilePath) throws(SplitcapError) -> Container {
    guard !path.name.isEmpty else { throw Self.isFolder(path) }
    let known = Container.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = path.fileExtension, !name.isEmpty else {
      // What other recorders call -r.
      let isNumber = path.text.utf8.allSatisfy { (48...57).contains($0) }
      throw SplitcapError(
        .usage, "\(path.text.quoted) has no extension that says its format",
        hint: isNumber
          ? "-r is --right; a rate is --rate \(path.text)"
          : "add one, such as \("\(path.text).wav".shellQuoted); there are \(known)")
    }
    guard let container = Container(pathExtension: name) else {
      let near = Nearest.words(to: name, in: Container.allCases.map(\.rawValue)).first
      let meant = near.map { "did you mean .\($0)? " } ?? ""
      throw SplitcapError(
        .usage, "no format has the extension \(".\(name)".quoted) of \(path.text.quoted)",
        hint: "\(meant)there are \(known)")
    }
    return try checked(container, path)
  }

  /// `container`, if what was built in can write it.
  func checked(_ container: Container, _ path: FilePath) throws(SplitcapError) -> Container {
    do throws(SplitcapError) {
      try container.checkEncoder(for: path.text)
    } catch {
      throw SplitcapError(.usage, error.message, hint: error.hint)
    }
    return container
  }

  /// What goes down a FIFO or into a device: its extension decides, if it has one.
  func pipeFormat(of path: FilePath, _ what: String) throws(SplitcapError) -> PipeFormat {
    guard let container = Container(path: path.text) else { return pipeFormat }
    switch container {
    case .wav: return .wav
    case .raw: return .raw
    default:
      throw SplitcapError(
        .usage,
        "\(path.text.quoted) is a \(what), which cannot take \(container.rawValue)",
        hint: "rename it, or let a program write it: "
          + "'exec:ffmpeg -f s16le -ar {rate} -ac 1 -i - out.\(container.rawValue)'")
    }
  }

  static func isTerminal(_ what: String) -> SplitcapError {
    SplitcapError(
      .usage, "\(what) is a terminal, and sound is no text",
      hint: "splitcap --left - | PROGRAM, or name a file: splitcap --left l.wav")
  }

  static func isFolder(_ path: FilePath, example: String = "left.wav") -> SplitcapError {
    let folder = path.name.isEmpty ? path.text : path.text + "/"
    return SplitcapError(
      .usage, "\(path.text.quoted) is a folder",
      hint: "name a file in it, such as \("\(folder)\(example)".shellQuoted)")
  }

  static func isProtected(_ path: FilePath) -> SplitcapError {
    SplitcapError(
      .usage, "\(path.text.quoted) exists, and --no-clobber protects it",
      hint: "use another name, or leave out --no-clobber to overwrite it")
  }

  static func isOther(_ path: FilePath) -> SplitcapError {
    SplitcapError(
      .usage, "\(path.text.quoted) is a socket or a block device",
      hint: "an output is a file, a FIFO, a character device, fd:N, - or exec:COMMAND")
  }

  static func unwritable(_ path: String, _ error: Errno) -> SplitcapError {
    SplitcapError(
      .usage, "cannot write \(path.quoted): \(error)",
      hint: "choose a path that you may write to")
  }
}

extension FileStatus {
  /// The file to compare with others; `nil` for a device that takes anything from anyone.
  var identityToCompare: FileIdentity? { kind == .memoryDevice ? nil : identity }
}
