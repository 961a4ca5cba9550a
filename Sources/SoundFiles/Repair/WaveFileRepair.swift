private import Glibc
package import SplitcapCore

/// A WAV file on a disk that can be made valid, without a change to a byte of its sound.
///
/// It copies bytes and decodes nothing.
package struct WaveFileRepair: ~Copyable {
  /// What is wrong, and what is to be done about it.
  package let plan: WaveRepair

  private let path: String
  private let file: Descriptor
  private let state: State

  /// What changes when someone writes to a file.
  private struct State: Equatable {
    var byteCount: Int
    var seconds: Int
    var nanoseconds: Int
  }

  /// Looks at the file at `path`.
  ///
  /// - Parameters:
  ///   - path: A regular file.
  ///   - headerless: What the file is if it has no header; a header wins over it.
  /// - Throws: ``SplitcapError`` of kind `unsupportedFormat` if it can't be repaired, of another kind
  ///   if it can't be read.
  package init(path: String, headerless: WaveLayout? = nil) throws(SplitcapError) {
    let file = try Self.open(path)
    let state = try Self.state(of: file, path)
    plan = try Self.plan(path, file, state.byteCount, headerless)
    self.path = path
    self.state = state
    self.file = file
  }

  private static func open(_ path: String) throws(SplitcapError) -> Descriptor {
    do throws(Errno) {
      // Not blocking, since the open of a FIFO would wait for its writer.
      return try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
    } catch {
      throw SplitcapError(reading: path, error)
    }
  }

  private static func plan(
    _ path: String, _ file: borrowing Descriptor, _ byteCount: Int, _ headerless: WaveLayout?
  ) throws(SplitcapError) -> WaveRepair {
    var failure: Errno?
    let found = Result { () throws(WaveFileMap.Refusal) in
      let map = try WaveFileMap(byteCount: byteCount) { offset, count in
        do throws(Errno) {
          return try file.read(count, at: offset)
        } catch {
          failure = error
          return []
        }
      }
      guard !WaveRepair.isTooLong(map) else { throw WaveFileMap.Refusal.tooLong }
      return try WaveRepair(map)
    }
    if let failure { throw SplitcapError(reading: path, failure) }
    switch found {
    case .success(let plan): return plan
    case .failure(let refusal) where refusal.isHeaderless:
      return try plan(headerless: headerless, path, file, byteCount)
    case .failure(let refusal):
      throw SplitcapError(unrepairable: path, "it \(refusal.reason)", hint: nil)
    }
  }

  private static func plan(
    headerless: WaveLayout?, _ path: String, _ file: borrowing Descriptor, _ byteCount: Int
  ) throws(SplitcapError) -> WaveRepair {
    let start = (try? file.read(12, at: 0)) ?? []
    if let kind = SoundFileKind.of(start) {
      throw SplitcapError(
        unrepairable: path, "it is a sound file of another kind (\(kind))",
        hint: "'sox' or 'ffmpeg' may read what is left of it")
    }
    if start.starts(with: "RIFF".utf8) && start.count == 12 && !start.hasSoundName {
      throw SplitcapError(
        unrepairable: path, "it is a RIFF file, but not a WAV file",
        hint: "'ffmpeg' may read what is left of it")
    }
    guard let headerless else {
      throw SplitcapError(
        unrepairable: path, "it has no WAV header",
        hint: "if it is sound without a header, say what it is: --rate 44100 --channels 2")
    }
    return WaveRepair(headerless: headerless, byteCount: byteCount)
  }

  private static func state(
    of file: borrowing Descriptor, _ path: String
  ) throws(SplitcapError) -> State {
    do throws(Errno) {
      return try state(of: file)
    } catch {
      throw error.code == ESPIPE
        ? SplitcapError(
          .sourceUnavailable, "cannot read '\(path)': it is not a file",
          hint: "only a file on a disk can be repaired")
        : SplitcapError(reading: path, error)
    }
  }

  private static func state(of file: borrowing Descriptor) throws(Errno) -> State {
    var status = stat()
    let raw = file.raw
    _ = try Errno.check { unsafe fstat(raw, &status) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Errno(EISDIR)
    default: throw Errno(ESPIPE)
    }
    guard status.st_size > 0 else { throw Errno(ENODATA) }
    return State(
      byteCount: Int(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }

  // MARK: Doing it

  /// Throws if another program has the file open for writing, or has written to it since it was
  /// looked at: a recorder that is at work needs no repair.
  package func checkNobodyWrites() throws(SplitcapError) {
    // A lease for reading is refused while anyone may write. Where there are no leases, or for
    // another user's file, nothing is known.
    let setLease: Int32 = 1024  // F_SETLEASE of linux/fcntl.h, which can't stand beside Glibc
    let isBusy = fcntl(file.raw, setLease, Int32(F_RDLCK)) < 0 && errno == EAGAIN
    if !isBusy { _ = fcntl(file.raw, setLease, Int32(F_UNLCK)) }
    guard !isBusy, (try? Self.state(of: file)) == state else {
      throw SplitcapError(
        .sourceBusy, "'\(path)' is being written to by another program",
        hint: "repair it when its recorder has ended; 'fuser -v' tells which that is")
    }
  }

  /// Writes the repaired file as a new one.
  ///
  /// - Parameters:
  ///   - path: Where; a file that is there already is never replaced.
  ///   - isCancelled: Asked now and then; nothing is left behind if it says so.
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, `cancelled`, or as reading throws.
  package func writeCopy(
    to path: String, isCancelled: () -> Bool
  ) throws(SplitcapError) {
    try checkNobodyWrites()
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw SplitcapError(replacing: path) }
    let unfinished = try Self.unfinishedFile(for: path)
    do throws(Errno) {
      do {
        let output = try unfinished.open()
        try write(to: output, isCancelled)
        try output.close()
      }
      try unfinished.finish(replacing: false)
    } catch {
      if error.code == ECANCELED { throw SplitcapError(.cancelled, "'\(path)' was not written") }
      // It was not there before.
      if error.code == EEXIST { throw SplitcapError(replacing: path) }
      throw SplitcapError(writing: path, error)
    }
  }

  private static func unfinishedFile(for path: String) throws(SplitcapError) -> UnfinishedFile {
    do throws(Errno) {
      return try UnfinishedFile(for: path)
    } catch {
      throw error.code == EEXIST
        ? SplitcapError(replacing: "\(path).part") : SplitcapError(writing: path, error)
    }
  }

  private func write(
    to output: borrowing Descriptor, _ isCancelled: () -> Bool
  ) throws(Errno) {
    var offset = 0
    for edit in plan.edits {
      try copy(offset..<edit.range.lowerBound, to: output, isCancelled)
      try unsafe output.writeAll(edit.bytes.span.bytes)
      offset = edit.range.upperBound
    }
    try copy(offset..<state.byteCount, to: output, isCancelled)
  }

  private func copy(
    _ range: Range<Int>, to output: borrowing Descriptor, _ isCancelled: () -> Bool
  ) throws(Errno) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if isCancelled() { throw Errno(ECANCELED) }
      let bytes = try file.read(min(1 << 18, range.upperBound - offset), at: offset)
      guard !bytes.isEmpty else { throw Errno(EIO) }  // it has become shorter
      try unsafe output.writeAll(bytes.span.bytes)
      offset += bytes.count
    }
  }

  /// Changes what is wrong in the file itself; what is new at its end is on the disk before the
  /// header tells of it.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`; before anything was written, if sound would
  ///   have to be moved.
  package func writeInPlace() throws(SplitcapError) {
    guard plan.canBeInPlace else {
      throw SplitcapError(
        writing: path,
        because: "its sound would have to be moved, for a header that grows or a "
          + "frame that is completed before other chunks",
        hint: "leave out --in-place to write a new file")
    }
    try checkNobodyWrites()
    do throws(Errno) {
      let output = try Descriptor(opening: path, O_WRONLY | O_NONBLOCK)
      for edit in plan.edits where edit.range.upperBound == state.byteCount {
        try unsafe output.writeAll(edit.bytes.span.bytes, at: edit.range.lowerBound)
      }
      _ = try Errno.check { fsync(output.raw) }
      for edit in plan.edits where edit.range.upperBound != state.byteCount {
        try unsafe output.writeAll(edit.bytes.span.bytes, at: edit.range.lowerBound)
      }
      _ = try Errno.check { fsync(output.raw) }
      try output.close()
    } catch {
      throw SplitcapError(writing: path, error)
    }
  }
}

extension WaveFileMap.Refusal {
  fileprivate static let tooLong = WaveFileMap.Refusal(
    "is big-endian, which has no form for more than 4 GiB")
}

extension [UInt8] {
  /// Whether the name behind RIFF and its size is that of sound.
  fileprivate var hasSoundName: Bool { dropFirst(8).elementsEqual("WAVE".utf8) }
}

extension SplitcapError {
  /// A file that nothing can be done for.
  fileprivate init(unrepairable path: String, _ reason: String, hint: String?) {
    self.init(.unsupportedFormat, "cannot repair '\(path)': \(reason)", hint: hint)
  }

  /// A file that exists.
  fileprivate init(replacing path: String) {
    self.init(
      writing: path, because: "it exists, and a repair replaces no file",
      hint: "remove it, or choose another name with --output")
  }
}
