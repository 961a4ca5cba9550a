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
  /// Whether files are cut into segments, so that names have fields.
  var isSegmented = false

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
    let status = try Self.status(of: descriptor, as: name, option: "--left", file: "l.raw")
    if status.kind == .terminal { throw Self.isTerminal(Self.spoken(descriptor)) }
    return Resolved(
      target: descriptor == STDOUT_FILENO
        ? .standardOutput(pipeFormat) : .descriptor(descriptor, pipeFormat),
      identity: status.identityToCompare)
  }

  /// What `descriptor` is open on, if it can be written to.
  ///
  /// - Parameters:
  ///   - descriptor: Its number.
  ///   - name: What the user typed.
  ///   - option: Such as `--left`, for the hint.
  ///   - file: What might go to it, for the hint.
  /// - Returns: What is behind it.
  /// - Throws: ``SplitcapError`` of kind `usage`.
  static func status(
    of descriptor: Int32, as name: String, option: String, file: String
  ) throws(SplitcapError) -> FileStatus {
    guard descriptor != STDERR_FILENO else {
      throw SplitcapError(
        .usage, "\(name.quoted) is standard error, where the messages go",
        hint: "splitcap \(option) - for standard output, or \(option) fd:3 3>\(file)")
    }
    do throws(Errno) {
      guard try FileStatus.access(to: descriptor).isWritable else {
        throw Errno(EACCES)
      }
      return try FileStatus(descriptor: descriptor)
    } catch {
      let why = error.code == EBADF ? "is not open" : "is not open for writing"
      throw SplitcapError(
        .usage, "\(spoken(descriptor)) \(why)",
        hint: descriptor == STDOUT_FILENO
          ? "splitcap \(option) - | PROGRAM"
          : "let the shell open it: splitcap \(option) "
            + "fd:\(descriptor) \(descriptor)>\(file)")
    }
  }

  private static func spoken(_ descriptor: Int32) -> String {
    descriptor == STDOUT_FILENO ? "standard output" : "descriptor \(descriptor)"
  }

  // MARK: Paths

  private func resolve(_ path: FilePath) throws(SplitcapError) -> Resolved {
    // Not opened again by its name: the shell's reader sees the end when this one is closed.
    if let descriptor = path.descriptor {
      return try resolve(descriptor: descriptor, as: path.text)
    }
    if isSegmented, let series = try resolve(series: path) { return series }
    guard let status = try Self.status(at: path) else {
      let container = try container(of: path)
      return Resolved(
        target: .file(path: path.text, container), identity: try Self.identity(ofNew: path))
    }
    let target = try target(of: path, status)
    try Self.checkWritable(path)
    return Resolved(target: target, identity: status.identityToCompare)
  }

  /// What stands at `path`; `nil` for nothing.
  static func status(at path: FilePath) throws(SplitcapError) -> FileStatus? {
    do throws(Errno) {
      return try FileStatus(path: path.text)
    } catch {
      guard error.code == ENOENT else { throw unwritable(path.text, error) }
      return nil
    }
  }

  /// Fails if this user may not write to what stands at `path`.
  static func checkWritable(_ path: FilePath) throws(SplitcapError) {
    do throws(Errno) {
      try FileStatus.checkWritable(path.text)
    } catch {
      throw unwritable(path.text, error)
    }
  }

  private func target(
    of path: FilePath, _ status: FileStatus
  ) throws(SplitcapError) -> PlannedSink.Target {
    switch status.kind {
    case .regular:
      let container = try container(of: path)
      if noClobber { throw Self.isProtected(path) }
      return .file(path: path.text, container)
    case .fifo:
      if let container = Container(path: path.text), container.canStream, container.hasEncoder {
        return .encodedFIFO(path: path.text, try checked(container, path))
      }
      return .fifo(path: path.text, try pipeFormat(of: path, "FIFO"))
    case .memoryDevice, .characterDevice:
      return .characterDevice(path: path.text, try pipeFormat(of: path, "device"))
    case .terminal: throw Self.isTerminal(path.text.quoted)
    case .folder: throw Self.isFolder(path)
    case .other: throw Self.isOther(path)
    }
  }

  /// A file that is to be made, and can be.
  static func identity(ofNew path: FilePath) throws(SplitcapError) -> FileIdentity {
    // The file is made where the links that end nowhere point to.
    let place = try followingLinks(path)
    guard !place.name.isEmpty else { throw isFolder(path) }
    let folder = try writableFolder(place.folder, for: path)
    return FileIdentity(name: place.name, in: folder.identity)
  }

  /// Where the file is that is written by the name `path`.
  static func followingLinks(_ path: FilePath) throws(SplitcapError) -> FilePath {
    do throws(Errno) {
      return try path.followingLinks()
    } catch {
      throw unwritable(path.text, error)
    }
  }

  /// The folder in which `path` is to be made.
  static func writableFolder(
    _ name: String, for path: FilePath
  ) throws(SplitcapError) -> FileStatus {
    let folder: FileStatus
    do throws(Errno) {
      folder = try FileStatus(path: name)
    } catch {
      guard error.code == ENOENT else { throw unwritable(path.text, error) }
      throw SplitcapError(
        .usage, "there is no folder \(name.quoted) for \(path.text.quoted)",
        hint: SegmentName.hasField(name)
          ? "--segment TIME fills in the fields of names, and makes such folders"
          : "mkdir -p \(name.shellQuoted)")
    }
    guard folder.kind == .folder else { throw unwritable(path.text, Errno(ENOTDIR)) }
    do throws(Errno) {
      try FileStatus.checkWritable(name, isFolder: true)
    } catch {
      throw SplitcapError(
        .usage, "cannot make \(path.text.quoted) in folder \(name.quoted): \(error)",
        hint: "choose a folder that you may write to")
    }
    return folder
  }
}
