import Glibc
import SplitcapCore
import class SplitcapCore.Semaphore
import Synchronization
import Testing

@Suite("Recording")
struct RecordingTests {
  @Test("left and right are the source's, to the last sample, for a source that can wait")
  func splitsAll() throws {
    let frames = 500_000
    let (left, right, both) = (Tape(), Tape(), Tape())
    let recording = Recording(to: [
      left.request(.left), right.request(.right), both.request(.stereo),
    ])
    let summary = try recording.run(RampSource(frames: frames, isLive: false))
    #expect(summary.ending == .sourceEnded)
    #expect(summary.frames == frames)
    #expect(left.samples == (0..<frames).map { RampSource.left($0) })
    #expect(right.samples == (0..<frames).map { RampSource.right($0) })
    #expect(both.samples == (0..<2 * frames).map { RampSource.sample($0) })
    #expect(summary.sinks.map(\.frames) == [frames, frames, frames])
  }

  @Test("a frame limit is kept exactly, gaps included")
  func limit() throws {
    let tape = Tape()
    let recording = Recording(to: [tape.request(.left)], frameLimit: 1_234)
    let gap = Gap(frames: 300, cause: .overrun)
    let summary = try recording.run(RampSource(frames: 9_999, isLive: true, gap: (after: 100, gap)))
    #expect(summary.ending == .limitReached)
    #expect(summary.frames == 1_234)
    #expect(tape.samples.count == 1_234)
  }

  @Test("a gap is silence of the same length in every feed, counted and reported")
  func gap() throws {
    let (left, right) = (Tape(), Tape())
    let heard = Mutex<[Int]>([])
    let recording = Recording(to: [left.request(.left), right.request(.right)]) { event in
      if case .gap(let firstFrame, let gap) = event {
        heard.withLock { $0 += [firstFrame, gap.frames] }
      }
    }
    let gap = Gap(frames: 300, cause: .serverHole)
    let summary = try recording.run(RampSource(frames: 1_000, isLive: true, gap: (after: 400, gap)))
    #expect(summary.frames == 1_300)
    #expect(summary.gapCount == 1 && summary.gapFrames == 300)
    #expect(heard.withLock { $0 } == [400, 300])
    for (tape, ear) in [(left, RampSource.left), (right, RampSource.right)] {
      #expect(tape.samples[..<400].elementsEqual((0..<400).map(ear)))
      #expect(tape.samples[400..<700].allSatisfy { $0 == 0 })
      #expect(tape.samples[700...].elementsEqual((400..<1_000).map(ear)))
    }
    #expect(summary.sinks.allSatisfy { $0.silentFrames == 300 && $0.droppedFrames == 0 })
  }

  @Test("a sink for which there is no thread fails, with the reason and a hint")
  func noThread() async {
    // The size of new threads' stacks holds for a whole process, hence the child.
    await #expect(processExitsWith: .success) {
      let (left, right) = (Tape(), Tape())
      let recording = Recording(to: [left.request(.left), right.request(.right)])
      // Sinks get their threads once frames flow.
      let source = RampSource(frames: 500_000, isLive: false) { position in
        if position == 0 { askForHugeStacks() }
        return true
      }
      let summary = try recording.run(source)
      #expect(summary.ending == .noSinkLeft || summary.ending == .sourceEnded)
      #expect(!left.wasOpened && !right.wasOpened)
      for sink in summary.sinks {
        #expect(sink.error?.kind == .sinkFailed && sink.frames == 0)
        #expect(sink.error?.message.hasPrefix("cannot write 'tape': cannot start") == true)
        #expect(sink.error?.hint?.contains("ulimit -u") == true)
      }
    }
  }

  @Test("a sink that fails is reported once and leaves the other whole")
  func sinkFails() throws {
    let (left, right) = (Tape(failsAfter: 1_000), Tape())
    let failures = Atomic<Int>(0)
    let recording = Recording(to: [left.request(.left), right.request(.right)]) { event in
      if case .sinkFailed = event { failures.add(1, ordering: .relaxed) }
    }
    let summary = try recording.run(RampSource(frames: 400_000, isLive: false))
    #expect(right.samples.count == 400_000)
    #expect(summary.sinks[0].error?.kind == .sinkFailed)
    #expect(failures.load(ordering: .relaxed) == 1)
  }

  @Test("the end of the last sink ends the recording")
  func allSinksEnd() throws {
    let recording = Recording(to: [Tape(failsAfter: 0).request(.left)])
    let summary = try recording.run(RampSource(frames: .max, isLive: false))
    #expect(summary.ending == .noSinkLeft)
  }

  @Test("a sink that stalls holds up neither the source nor another sink of a live recording")
  func stall() throws {
    let (stalled, other) = (Tape(), Tape())
    let release = Semaphore()
    let frames = 90 * 16_000  // more than the queue's 60 s
    let recording = Recording(to: [
      stalled.request(.left, waitingFor: release), other.request(.right),
    ])
    let sinks = try recording.run(
      RampSource(frames: frames, isLive: true) { position in
        if other.count >= frames - 16_000 { release.post() }
        return position - other.count < 16_000
      }
    ).sinks
    #expect(other.samples == (0..<frames).map { RampSource.right($0) })
    // What did not fit is silence, so that the rest stands where it belongs.
    #expect(sinks[0].droppedFrames > 0)
    #expect(stalled.samples.count == frames)
    let wrong = stalled.samples.enumerated().filter {
      $0.element != RampSource.left($0.offset) && $0.element != 0
    }
    #expect(wrong.isEmpty)
  }

  @Test("a gap that the source reports while the ring is full is counted with the rest")
  func gapInStall() throws {
    let tape = Tape()
    let release = Semaphore()
    // The splitter waits here until the source is far beyond what the ring holds.
    let recording = Recording(to: [tape.request(.left)]) { event in
      if case .started = event { release.wait() }
    }
    let gap = Gap(frames: 300, cause: .overrun)
    let summary = try recording.run(
      RampSource(frames: 100_000, isLive: true, gap: (after: 50_000, gap)) { position in
        if position >= 60_000 { release.post() }
        return position < 60_000 || position - tape.count < 16_000
      })
    #expect(summary.frames == 100_300)
    #expect(summary.gapCount == 1 && summary.gapFrames > 300)
    let wrong = tape.samples.enumerated().filter { index, sample in
      sample != 0 && sample != RampSource.left(index < 50_000 ? index : index - 300)
    }
    #expect(tape.count == 100_300 && wrong.isEmpty)
    #expect(tape.samples.last == RampSource.left(99_999))
  }

  @Test("a source is not given up for the time in which this program itself was stopped")
  func stoppedProgram() throws {
    let stops = Atomic<Int>(0)
    let summary = try Recording(to: [Tape().request(.left)])
      .run(
        RampSource(frames: 1_000, isLive: true, gap: (after: 500, Gap(frames: 1, cause: .overrun)))
        {
          guard $0 == 500, stops.add(1, ordering: .relaxed).oldValue == 0 else { return true }
          usleep(3_500_000)  // what a read takes that a Ctrl-Z interrupts
          return false
        })
    #expect(summary.ending == .sourceEnded && summary.frames == 1_001)
  }

  @Test("a stop ends a source that has nothing to say")
  func stopsWhileQuiet() throws {
    let recording = Recording(to: [Tape().request(.left)])
    recording.stop()
    let summary = try recording.run(RampSource(frames: 0, isLive: true, isReady: { _ in false }))
    #expect(summary.ending == .stopped)
    #expect(summary.startNanoseconds == nil)
  }

  @Test("a channel that the source lacks is refused before a sink is opened")
  func noChannel() {
    let tape = Tape()
    let recording = Recording(
      to: [tape.request(.left)], ears: ChannelPair(left: 2, right: 3))
    #expect(throws: SplitcapError.self) {
      try recording.run(RampSource(frames: 10, isLive: false))
    }
    #expect(!tape.wasOpened)
  }

  @Test("a device that is to wait for a sink is refused before a sink is opened")
  func waitingDevice() {
    let tape = Tape()
    var rules = RecordingRules()
    rules.onSlow = .block
    let recording = Recording(to: [tape.request(.left)], rules: rules)
    #expect(throws: SplitcapError.self) { try recording.run(RampSource(frames: 10, isLive: true)) }
    #expect(!tape.wasOpened)
  }

  @Test("an ear that is dead for a while is found, in however large pieces the source is read")
  func deadForAWhile() throws {
    let second = 16_000
    for isLive in [true, false] {
      let findings = Mutex<[EarWatch.Finding]>([])
      let tape = Tape()
      let recording = Recording(to: [tape.request(.left)]) { event in
        if case .suspicious(_, let finding) = event { findings.withLock { $0.append(finding) } }
      }
      let source = RampSource(
        frames: 20 * second, isLive: isLive, deadRight: 5 * second..<9 * second
      ) { !isLive || $0 - tape.count < second }
      _ = try recording.run(source)
      #expect(findings.withLock { $0 } == [.deadEar(.right)])
    }
  }

  @Test("an empty file gives sinks that are empty, not missing")
  func empty() throws {
    let tape = Tape()
    let summary = try Recording(to: [tape.request(.left)])
      .run(RampSource(frames: 0, isLive: false))
    #expect(summary.frames == 0)
    #expect(tape.wasOpened)
    #expect(summary.startNanoseconds ?? 0 > 0)
  }

  @Test("a source that fails or is stopped before its first frame opens no sink")
  func nothingOpened() throws {
    let tape = Tape()
    #expect(throws: RampSource.failure) {
      try Recording(to: [tape.request(.left)])
        .run(RampSource(frames: 0, isLive: false, fails: true))
    }
    let recording = Recording(to: [tape.request(.left)])
    recording.stop()
    let summary = try recording.run(RampSource(frames: 10, isLive: false))
    #expect(summary.ending == .stopped && summary.startNanoseconds == nil)
    #expect(!tape.wasOpened)
  }
}
