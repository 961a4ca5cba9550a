private import Glibc
internal import SplitcapCore

/// A file that is written, and that ends with a whole frame whatever happens.
struct OutputFile: ~Copyable, Sendable {
  /// How a file is made and cared for.
  struct Care: Sendable {
    /// Whether a file that exists is left alone, and is an error.
    var noClobber = false
    /// How often the disk is to have all that was written; `nil` leaves it to the system.
    var syncInterval: Duration?
    /// Who is told of the space that is left.
    var space = SpaceWatch()
  }

  /// When the space is looked at again after the first look, in nanoseconds of CLOCK_MONOTONIC.
  private static let secondLook: Int64 = 1_000_000_000

  /// How often it is looked at from then on.
  private static let lookInterval: Int64 = 10_000_000_000

  /// The path, as the user gave it.
  let path: String
  /// Bytes in the file.
  private(set) var byteCount = 0
  private let descriptor: Descriptor
  private let care: Care
  private var syncTime = SystemClock.monotonic
  /// When the space is to be looked at; `nil` before the first look.
  private var nextSpaceLook: Int64?

  /// Makes the file at `path`, or empties it.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, also if another recording is writing to it;
  ///   with `noClobber` also if there is a file.
  init(creating path: String, _ care: Care) throws(SplitcapError) {
    do throws(Errno) {
      let descriptor = try Descriptor.emptying(path, care.noClobber ? O_EXCL : 0)
      if care.syncInterval != nil {
        // The name, too, is to be there after a power cut.
        try Descriptor(opening: FilePath(path).folder, O_RDONLY | O_DIRECTORY).sync()
      }
      self.init(descriptor, path: path, care)
    } catch {
      throw SplitcapError(writing: path, error)
    }
  }

  /// Writes to what is open already.
  init(_ descriptor: consuming Descriptor, path: String, _ care: Care = Care()) {
    self.descriptor = consume descriptor
    self.path = path
    self.care = care
  }

  deinit { care.space.forget(path) }

  /// Appends `bytes`, with one system call if it takes all.
  ///
  /// If not all fits, what is there of the last `unit` bytes is cut off again.
  mutating func append(_ bytes: RawSpan, unit: Int) throws(SplitcapError) {
    try write(bytes, at: byteCount, unit: unit)
  }

  /// Writes `bytes` at `offset` bytes from the start; the same is true of it.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, also if the file has been deleted or cut off.
  mutating func write(_ bytes: RawSpan, at offset: Int, unit: Int) throws(SplitcapError) {
    // Before it is longer again, with zeros for what is lost.
    try checkFate()
    var done = 0
    do throws(Errno) {
      while done < bytes.byteCount {
        let rest = bytes.extracting(droppingFirst: done)
        done += try descriptor.write(rest, at: offset + done)
      }
      byteCount = max(byteCount, offset + done)
    } catch {
      let end = offset + done - done % unit
      if offset + done > byteCount {
        byteCount = max(byteCount, end)
        descriptor.cut(to: byteCount)
      }
      throw SplitcapError(writing: path, error)
    }
  }

  /// Whether the disk is to have the samples before a header counts them.
  var syncsBeforeHeader: Bool { care.syncInterval != nil }

  /// Whether it is time for the disk to have all that was written.
  var isSyncDue: Bool {
    guard let interval = care.syncInterval else { return false }
    return .nanoseconds(SystemClock.monotonic - syncTime) >= interval
  }

  /// Waits until the disk has all that was written.
  mutating func sync() throws(SplitcapError) {
    do throws(Errno) {
      try descriptor.syncData()
    } catch {
      throw SplitcapError(writing: path, error)
    }
    syncTime = SystemClock.monotonic
  }

  /// Looks now and then how much room the file has.
  ///
  /// - Parameters:
  ///   - frame: The timeline's frame up to which it is written, or a block before.
  ///   - bytesPerSecond: How fast it grows; `nil` if that is not known yet.
  mutating func look(frame: Int, bytesPerSecond: Double?) {
    guard let bytesPerSecond else { return }
    let now = SystemClock.monotonic
    let isFirst = nextSpaceLook == nil
    guard now >= nextSpaceLook ?? now else { return }
    nextSpaceLook = now + (isFirst ? Self.secondLook : Self.lookInterval)
    guard let space = try? descriptor.space() else { return }
    care.space.note(space, of: path, bytesPerSecond: bytesPerSecond)
    // Not before all files that are opened together have been noted.
    if !isFirst { care.space.check(space, of: path, frame: frame) }
  }

  /// Asks the file system for errors that it reports only on closing, as some do for a full disk.
  ///
  /// - Throws: ``SplitcapError`` of kind `sinkFailed`, also if the file has been deleted or cut off.
  func settle() throws(SplitcapError) {
    do throws(Errno) {
      try descriptor.settle()
    } catch {
      throw SplitcapError(writing: path, error)
    }
    try checkFate()
  }

  private func checkFate() throws(SplitcapError) {
    switch try? descriptor.fate(byteCount: byteCount) {
    case .deleted: throw SplitcapError(deleted: path)
    case .cut: throw SplitcapError(cut: path)
    case .whole, nil: break
    }
  }
}

extension Descriptor {
  /// Writes once, at most all of `bytes`, at `offset` bytes from the start.
  ///
  /// The corresponding C function is `pwrite`.
  fileprivate func write(_ bytes: RawSpan, at offset: Int) throws(Errno) -> Int {
    try unsafe bytes.withUnsafeBytes { (part) throws(Errno) in
      try Errno.check { unsafe pwrite(raw, part.baseAddress, part.count, off_t(offset)) }
    }
  }

  /// Closes a duplicate, on which Linux reports the same errors as on closing the last one.
  ///
  /// Where there can be no more descriptors, it waits for the disk instead, which finds them, too.
  fileprivate func settle() throws(Errno) {
    let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
    if copy >= 0 {
      try Descriptor(adopting: copy).close()
    } else {
      _ = try Errno.check { fsync(raw) }
    }
  }

  /// Waits until the disk has the file's bytes, and what is needed to find them.
  ///
  /// The corresponding C function is `fdatasync`.
  fileprivate func syncData() throws(Errno) {
    do throws(Errno) {
      _ = try Errno.check { fdatasync(raw) }
    } catch {
      // What has no disk behind it, such as a device, says so by this.
      guard error.code == EINVAL else { throw error }
    }
  }

  /// Waits until the disk has a folder's names.
  ///
  /// The corresponding C function is `fsync`.
  fileprivate func sync() throws(Errno) { _ = try Errno.check { fsync(raw) } }

  /// Cuts the file off, if it can be.
  ///
  /// The corresponding C function is `ftruncate`.
  fileprivate func cut(to byteCount: Int) { _ = ftruncate(raw, off_t(byteCount)) }
}

#if _endian(big)
#error("the sinks write samples as they stand in memory, which must be little-endian")
#endif
