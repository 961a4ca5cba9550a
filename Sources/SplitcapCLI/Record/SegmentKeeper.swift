private import Glibc
internal import SoundFiles
internal import SplitcapCore

/// Removes old segments of this run, with all their files and the folders that were made for them;
/// nothing else.
struct SegmentKeeper {
  /// A segment that is still there.
  private struct Kept {
    let end: Int64
    let files: [(path: String, identity: FileIdentity)]
  }

  private let keep: RecordOptions.Keep
  private let files: SegmentFiles
  private var kept: [Kept] = []

  init(_ keep: RecordOptions.Keep, _ files: SegmentFiles) {
    self.keep = keep
    self.files = files
  }

  /// Notes a segment, the last one so far.
  mutating func add(_ segment: RecordingSegment, _ format: StreamFormat) {
    guard keep != .all else { return }
    let length = Int64(format.seconds(frames: segment.frames) * 1e9)
    // What stands there later under the same name may be someone else's.
    kept.append(
      Kept(
        end: segment.startNanoseconds + length,
        files: segment.files.compactMap { file in
          (try? FileStatus(path: file.path)).map { (file.path, $0.identity) }
        }))
  }

  /// Removes what is not to be kept.
  ///
  /// - Returns: Why something could not be removed.
  mutating func removeOld() -> [SplitcapError] {
    var errors: [SplitcapError] = []
    while let oldest = kept.first, isOld(oldest) {
      kept.removeFirst()
      for (path, identity) in oldest.files {
        do throws(Errno) {
          if (try? FileStatus(path: path).identity) == identity {
            _ = try Errno.check { unsafe unlink(path) }
          }
          try files.removeEmptyFolders(above: path)
        } catch {
          errors.append(
            SplitcapError(.sinkFailed, "cannot remove the old segment \(path.quoted): \(error)"))
        }
      }
    }
    return errors
  }

  private func isOld(_ segment: Kept) -> Bool {
    switch keep {
    case .all: false
    case .count(let count): kept.count > count
    case .time(let time): segment.end < kept[kept.count - 1].end - nanoseconds(time)
    }
  }

  private func nanoseconds(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
