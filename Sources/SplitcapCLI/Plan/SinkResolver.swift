private import Glibc
internal import SplitcapCore
private import SoundFiles

/// Finds out what the destinations of a recording are, and whether they can be written.
///
/// It looks at the file system and opens nothing.
struct SinkResolver {
  /// What a destination is, and which file stands behind it.
  struct Resolved {
    let target: PlannedSink.Target
    /// `nil` for what can't be anything else's file too: a program, `/dev/null`.
    let identity: FileIdentity?
  }

  let pipeFormat: PipeFormat
  let noClobber: Bool

  /// Looks at one destination.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  func resolve(_ destination: Destination) throws(SplitcapError) -> Resolved {
    switch destination {
    case .standardOutput: try resolve(descriptor: STDOUT_FILENO, as: destination.text)
    case .descriptor(let number): try resolve(descriptor: number, as: destination.text)
    case .program(let command):
      Resolved(target: .program(command: command, pipeFormat), identity: nil)
    case .path(let path): try resolve(FilePath(path))
    }
  }

  // MARK: Descriptors

  private func resolve(
    descriptor: Int32, as name: String
  ) throws(SplitcapError) -> Resolved {
    guard descriptor != STDERR_FILENO else {
      throw SplitcapError(
        .usage, "\(name.quoted) is standard error, where the messages go",
        hint: "splitcap --left - for standard output, or --left fd:3 3>l.raw")
    }
    let isStandard = descriptor == STDOUT_FILENO
    let what = isStandard ? "standard output" : "descriptor \(descriptor)"
    let status: FileStatus
    do throws(Errno) {
      guard try FileStatus.access(to: descriptor).isWritable else {
        throw Errno(EACCES)
      }
      status = try FileStatus(descriptor: descriptor)
    } catch {
      let why = error.code == EBADF ? "is not open" : "is not open for writing"
      throw SplitcapError(
        .usage, "\(what) \(why)",
        hint: isStandard
          ? "splitcap --left - | PROGRAM"
          : "let the shell open it: splitcap --left "
            + "fd:\(descriptor) \(descriptor)>l.raw")
    }
    if status.kind == .terminal { throw Self.isTerminal(what) }
    return Resolved(
      target: isStandard ? .standardOutput(pipeFormat) : .descriptor(descriptor, pipeFormat),
      identity: status.identityToCompare)
  }

  // MARK: Paths

  private func resolve(_ path: FilePath) throws(SplitcapError) -> Resolved {
    // Not opened again by its name: the shell's reader sees the end when this one is closed.
    if let descriptor = path.descriptor {
      return try resolve(descriptor: descriptor, as: path.text)
    }
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus(path: path.text)
    } catch {
      guard error.code == ENOENT else { throw Self.unwritable(path.text, error) }
      return try resolve(new: path)
    }
    let target = try target(of: path, status)
    do throws(Errno) {
      try FileStatus.checkWritable(path.text)
    } catch {
      throw Self.unwritable(path.text, error)
    }
    return Resolved(target: target, identity: status.identityToCompare)
  }

  private func target(
    of path: FilePath, _ status: FileStatus
  ) throws(SplitcapError) -> PlannedSink.Target {
    switch status.kind {
    case .regular:
      let container = try container(of: path)
      guard !noClobber else {
        throw SplitcapError(
          .usage, "\(path.text.quoted) exists, and --no-clobber protects it",
          hint: "use another name, or leave out --no-clobber to overwrite it")
      }
      return .file(path: path.text, container)
    case .fifo:
      if let container = path.container, container.canStream, container.isEncoded {
        return .encodedFIFO(path: path.text, try checked(container, path))
      }
      return .fifo(path: path.text, try pipeFormat(of: path, "FIFO"))
    case .memoryDevice, .characterDevice:
      return .characterDevice(path: path.text, try pipeFormat(of: path, "device"))
    case .terminal: throw Self.isTerminal(path.text.quoted)
    case .folder: throw Self.isFolder(path)
    case .other:
      throw SplitcapError(
        .usage, "\(path.text.quoted) is a socket or a block device",
        hint: "an output is a file, a FIFO, a character device, fd:N, - or exec:COMMAND")
    }
  }

  /// A file that is to be made.
  private func resolve(new path: FilePath) throws(SplitcapError) -> Resolved {
    let container = try container(of: path)
    // The file is made where the links that end nowhere point to.
    var place = path
    var links = 0
    while let target = FileStatus.target(ofLink: place.text) {
      links += 1
      guard links <= 40 else { throw Self.unwritable(path.text, Errno(ELOOP)) }
      place = place.resolving(target)
    }
    guard !place.name.isEmpty else { throw Self.isFolder(path) }
    let folder: FileStatus
    do throws(Errno) {
      folder = try FileStatus(path: place.folder)
    } catch {
      guard error.code == ENOENT else { throw Self.unwritable(path.text, error) }
      throw SplitcapError(
        .usage, "there is no folder \(place.folder.quoted) for \(path.text.quoted)",
        hint: "mkdir -p \(place.folder.shellQuoted)")
    }
    guard folder.kind == .folder else { throw Self.unwritable(path.text, Errno(ENOTDIR)) }
    do throws(Errno) {
      try FileStatus.checkWritable(place.folder, isFolder: true)
    } catch {
      throw SplitcapError(
        .usage, "cannot make \(path.text.quoted) in folder \(place.folder.quoted): \(error)",
        hint: "choose a folder that you may write to")
    }
    return Resolved(
      target: .file(path: path.text, container),
      identity: FileIdentity(name: place.name, in: folder))
  }
}
