internal import SplitcapCore

/// One file of a sink: whatever writes it, and the name that it gets in the end.
struct FileSink: ~Copyable, Sink {
  private var inner: any Sink & ~Copyable
  private let path: String
  /// Where a segment goes once it is whole.
  private let segment: (place: SegmentFiles.Place, files: SegmentFiles)?
  private var isWhole = true

  /// A file that has its name from the beginning.
  init(_ inner: consuming any Sink & ~Copyable, path: String) {
    self.inner = inner
    self.path = path
    segment = nil
  }

  /// A segment, which `inner` writes to the part of `place`.
  init(
    _ inner: consuming any Sink & ~Copyable, _ place: SegmentFiles.Place, _ files: SegmentFiles
  ) {
    self.inner = inner
    path = place.path
    segment = (place, files)
  }

  mutating func write(
    _ samples: Span<Int16>, firstFrame: Int
  ) throws(SplitcapError) -> WriteResult {
    do {
      return try inner.write(samples, firstFrame: firstFrame)
    } catch {
      isWhole = false
      throw error
    }
  }

  /// Closes the file.
  ///
  /// A segment that is not whole keeps the name that says so.
  mutating func finish() throws(SplitcapError) -> SinkReport {
    var report = try inner.finish()
    report.fileCount = 1
    report.path = path
    if let segment {
      report.path = isWhole ? try segment.files.complete(segment.place) : segment.place.part
      if isWhole && report.path != segment.place.wanted {
        report.notes.append("a name was taken, so there is a number in it")
      }
    }
    return report
  }
}
