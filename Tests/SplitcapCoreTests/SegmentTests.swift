import SplitcapCore
import class SplitcapCore.Semaphore
import Synchronization
import Testing

@Suite("Segments")
struct SegmentTests {
  @Test(
    "all files are cut on the same frames, and hold every sample once", arguments: [true, false])
  func cuts(isLive: Bool) throws {
    let frames = 20_001
    let shelf = Shelf()
    let whole = Tape()
    var rules = RecordingRules()
    rules.segmentFrames = 3_333
    let segments = Mutex<[RecordingSegment]>([])
    let recording = Recording(
      to: [shelf.request(.left), whole.request(.left), shelf.request(.right)], rules: rules
    ) { event in
      if case .segment(let segment) = event { segments.withLock { $0.append(segment) } }
    }
    let gap = Gap(frames: 7_000, cause: .overrun)
    let summary = try recording.run(
      RampSource(frames: frames, isLive: isLive, gap: (after: 5_000, gap)))
    let wanted = Array(stride(from: 0, to: frames + 7_000, by: 3_333))
    #expect(shelf.files(.left).map(\.firstFrame) == wanted)
    #expect(shelf.files(.right).map(\.firstFrame) == wanted)
    #expect(shelf.files(.left).flatMap(\.samples) == whole.samples)
    #expect(whole.samples.count == frames + 7_000)
    let told = segments.withLock { $0 }
    #expect(told.map(\.index) == Array(1...9) && told.map(\.firstFrame) == wanted)
    #expect(told.map(\.gapFrames) == [0, 1_666, 3_333, 2_001, 0, 0, 0, 0, 0])
    #expect(told.map(\.frames).reduce(0, +) == summary.frames)
    for segment in told { #expect(segment.files.map(\.feed) == [.left, .right]) }
    // 3333 frames of 16 kHz are 208.3125 ms.
    let start = try #require(summary.startNanoseconds)
    #expect(told.map { $0.startNanoseconds - start } == (0..<9).map { $0 * 208_312_500 })
    #expect(summary.sinks.map(\.report?.fileCount) == [9, 0, 9])
    #expect(summary.sinks.map(\.frames) == [27_001, 27_001, 27_001])
  }

  @Test("a recording that ends with a segment leaves no empty file behind it")
  func noEmptyFile() throws {
    let shelf = Shelf()
    var rules = RecordingRules()
    rules.segmentFrames = 500
    let recording = Recording(to: [shelf.request(.left)], rules: rules)
    _ = try recording.run(RampSource(frames: 1_000, isLive: true))
    #expect(shelf.files(.left).map(\.samples.count) == [500, 500])
  }

  @Test("a gap that is not filled ends a segment: no silence, and the next has its own time")
  func unfilledGap() throws {
    let shelf = Shelf()
    let whole = Tape()
    var rules = RecordingRules()
    rules.segmentFrames = 800
    let recording = Recording(
      to: [shelf.request(.left), whole.request(.left), shelf.request(.right)], rules: rules)
    let gap = Gap(frames: 16_000_000, cause: .away, isFilled: false)
    let summary = try recording.run(
      RampSource(frames: 2_000, isLive: true, gap: (after: 1_000, gap)))
    #expect(summary.frames == 2_000 && summary.gapFrames == 0 && summary.gapCount == 1)
    #expect(whole.samples == (0..<2_000).map { RampSource.left($0) })
    let start = try #require(summary.startNanoseconds)
    for feed in [Feed.left, .right] {
      #expect(shelf.files(feed).map(\.firstFrame) == [0, 800, 1_000, 1_600])
      #expect(
        shelf.files(feed).map { $0.start - start } == [
          0, 50_000_000, 1_000_062_500_000, 1_000_100_000_000,
        ])
    }
  }

  @Test("so it is where a segment has just ended, with no frame in between")
  func unfilledGapAtCut() throws {
    let shelf = Shelf()
    var rules = RecordingRules()
    rules.segmentFrames = 1_000
    let recording = Recording(to: [shelf.request(.left)], rules: rules)
    let gap = Gap(frames: 16_000, cause: .away, isFilled: false)
    let summary = try recording.run(
      RampSource(frames: 1_500, isLive: true, gap: (after: 1_000, gap)))
    let start = try #require(summary.startNanoseconds)
    #expect(shelf.files(.left).map { $0.start - start } == [0, 1_062_500_000])
    #expect(shelf.files(.left).map(\.index) == [1, 2])
  }

  @Test("a cut that is asked for comes at the frame that has been reached, once")
  func asked() throws {
    let shelf = Shelf()
    let tape = Tape()
    let isAsked = Atomic<Bool>(false)
    let isCut = Atomic<Bool>(false)
    let recording = Recording(to: [
      shelf.request(.left), shelf.request(.stereo), tape.request(.right),
    ]) { event in
      if case .segment = event { isCut.store(true, ordering: .sequentiallyConsistent) }
    }
    // No frame comes behind the 5000th until the files before it are done.
    let source = RampSource(
      frames: 9_000, isLive: true, gap: (after: 5_000, Gap(frames: 1, cause: .stall))
    ) {
      guard $0 >= 5_000 else { return true }
      let isThere = tape.count == 5_000
      if isThere && !isAsked.exchange(true, ordering: .sequentiallyConsistent) { recording.cut() }
      return isCut.load(ordering: .sequentiallyConsistent)
    }
    _ = try recording.run(source)
    for feed in [Feed.left, .stereo] {
      #expect(shelf.files(feed).map(\.firstFrame) == [0, 5_000])
      #expect(
        shelf.files(feed).map(\.samples.count) == [5_000, 4_001].map { $0 * feed.channelCount })
    }
  }

  @Test("files that may hold only so much are cut together, before the smallest is full")
  func limits() throws {
    let (small, large, endless) = (Shelf(fileFrames: 700), Shelf(fileFrames: 900), Shelf())
    let segments = Mutex<[RecordingSegment]>([])
    let recording = Recording(
      to: [small.request(.left), large.request(.right), endless.request(.stereo)]
    ) { event in
      if case .segment(let segment) = event { segments.withLock { $0.append(segment) } }
    }
    _ = try recording.run(RampSource(frames: 1_500, isLive: false))
    #expect(small.files(.left).map(\.firstFrame) == [0, 700, 1_400])
    #expect(large.files(.right).map(\.firstFrame) == [0, 700, 1_400])
    #expect(endless.files(.stereo).map(\.firstFrame) == [0])
    let told = segments.withLock { $0 }
    #expect(told.map(\.files.count) == [2, 2, 3])
    #expect(told.last?.files.last?.firstFrame == 0 && told.last?.files.last?.frames == 1_500)
  }

  @Test("a recording that is never cut tells of no segment")
  func never() throws {
    let shelf = Shelf()
    let count = Atomic<Int>(0)
    let recording = Recording(to: [shelf.request(.left)]) { event in
      if case .segment = event { count.add(1, ordering: .relaxed) }
    }
    _ = try recording.run(RampSource(frames: 1_500, isLive: false))
    #expect(count.load(ordering: .relaxed) == 0 && shelf.files(.left).count == 1)
  }

  @Test(
    "a file that fails ends its sink; the other's segments are whole, and told", arguments: [1, 2])
  func failure(index: Int) throws {
    let (bad, good) = (Shelf(failsAt: index), Shelf())
    var rules = RecordingRules()
    rules.segmentFrames = 400
    let segments = Mutex<[RecordingSegment]>([])
    let recording = Recording(
      to: [bad.request(.left), good.request(.right)], rules: rules
    ) { event in
      if case .segment(let segment) = event { segments.withLock { $0.append(segment) } }
    }
    let summary = try recording.run(RampSource(frames: 1_200, isLive: false))
    #expect(summary.sinks[0].error?.kind == .sinkFailed && summary.sinks[1].error == nil)
    #expect(summary.sinks[0].frames == (index - 1) * 400)
    #expect(good.files(.right).map(\.samples.count) == [400, 400, 400])
    let told = segments.withLock { $0 }
    #expect(told.map(\.index) == [1, 2, 3])
    #expect(told.map(\.files.count) == (1...3).map { $0 < index ? 2 : 1 })
  }
}

/// Keeps what a series of files gets.
final class Shelf: Sendable {
  struct File: Sendable {
    var index: Int
    var firstFrame: Int
    var start: Int64
    var samples: [Int16] = []
  }

  private let kept = Mutex<[Feed: [File]]>([:])
  private let fileFrames: Int?
  private let failsAt: Int?

  /// Files of at most `fileFrames` frames; the one with the index `failsAt` cannot be opened.
  init(fileFrames: Int? = nil, failsAt: Int? = nil) {
    self.fileFrames = fileFrames
    self.failsAt = failsAt
  }

  func files(_ feed: Feed) -> [File] { kept.withLock { $0[feed] ?? [] } }

  func request(_ feed: Feed) -> SinkRequest {
    SinkRequest(
      feed: feed, name: "shelf", isFile: true, fileFrames: fileFrames
    ) { (context) throws(SplitcapError) in
      if context.segmentIndex == self.failsAt { throw SplitcapError(.sinkFailed, "no room") }
      let file = File(
        index: context.segmentIndex, firstFrame: context.firstFrame,
        start: context.startNanoseconds)
      self.kept.withLock { $0[feed, default: []].append(file) }
      return Slot(shelf: self, feed: feed)
    }
  }

  private struct Slot: Sink, ~Copyable {
    let shelf: Shelf
    let feed: Feed

    mutating func write(
      _ samples: Span<Int16>, firstFrame: Int
    ) throws(SplitcapError) -> WriteResult {
      shelf.kept.withLock { kept in
        let last = kept[feed]!.count - 1
        for i in samples.indices { kept[feed]![last].samples.append(samples[i]) }
      }
      return .more
    }

    mutating func finish() throws(SplitcapError) -> SinkReport {
      let samples = shelf.files(feed).last!.samples.count
      var report = SinkReport(bytes: 2 * samples, frames: samples / feed.channelCount)
      report.fileCount = 1
      return report
    }
  }
}
