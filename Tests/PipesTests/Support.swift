import Foundation
import Lab
import Pipes
import SplitcapCore
import Testing

extension TemporaryFolder {
  /// The text that a program wrote into a file, without its last newline.
  func said(_ name: String) -> String? {
    try? text(of: name).trimmingCharacters(in: .newlines)
  }
}

/// Frames of two ears; see ``Ramp``.
func ramp(frames: Int) -> [Int16] { Ramp.stereo(frames: 0..<frames) }

/// Work on a thread of its own, whose result is waited for.
final class Background<Value: Sendable>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var value: Value?

  init(_ work: @escaping @Sendable () -> Value) {
    // SIGPIPE is ignored, as the program does.
    _ = signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread { [self] in
      value = work()
      done.signal()
    }
  }

  /// The result; `nil` if it does not come within a time that only a hang reaches.
  func wait() -> Value? {
    done.wait(timeout: .now() + 30) == .success ? value : nil
  }
}

/// What a source gave until its end.
struct Heard: Sendable {
  var samples: [Int16] = []
  var notes: [String] = []
  var info: SourceInfo?
  var error: SplitcapError?
}

/// Opens a stream and reads it to its end, in reads of `frames` frames.
func hear(
  _ origin: StreamSource.Origin, headerless: HeaderlessFormat? = nil, frames: Int = 1000
) -> Heard {
  var heard = Heard()
  let deadline = SystemClock.monotonic + 30_000_000_000
  do throws(SplitcapError) {
    var source = try StreamSource(
      origin, headerless: headerless, isCancelled: { SystemClock.monotonic > deadline })
    heard.info = source.info
    let channels = source.info.format.channelCount
    var block = [Int16](repeating: 0, count: frames * channels)
    reading: while true {
      if SystemClock.monotonic > deadline { throw SplitcapError(.cancelled, "hangs") }
      var room = block.mutableSpan
      switch try source.read(into: &room) {
      case .frames(let count): heard.samples += block[..<(count * channels)]
      case .nothing: continue
      case .gap: Issue.record("a stream has no gaps")
      case .end: break reading
      }
    }
    var room = block.mutableSpan
    #expect(try source.read(into: &room) == .end)
    heard.notes = source.closingNotes
  } catch {
    heard.error = error
  }
  return heard
}

/// Reads a descriptor to its end, and closes it.
func drain(_ number: Int32) -> [UInt8] {
  Array(FileHandle(fileDescriptor: number, closeOnDealloc: true).readDataToEndOfFile())
}

/// Both ends of a pipe, or of a pair of sockets.
func pipeEnds() -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  unsafe _ = pipe(&ends)
  return (ends[0], ends[1])
}

/// What a sink is told, for tests that do not care.
func context(
  _ feed: Feed = .stereo, rate: Int = 16_000, firstFrame: Int = 0, patience: Patience = Patience()
) -> SinkContext {
  SinkContext(
    feed: feed, format: StreamFormat(sampleRate: rate, channelCount: feed.channelCount),
    startNanoseconds: 1_769_846_700_250_000_000, firstFrame: firstFrame, patience: patience)
}

/// How a sink got on.
struct Written: Sendable {
  var isClosed = false
  var report: SinkReport?
  var writeError: SplitcapError?
  var finishError: SplitcapError?
}

/// Opens a sink, writes `samples` in blocks, and finishes it, as a sink's thread does.
func write(
  _ samples: [Int16], to request: SinkRequest, _ context: SinkContext = context(),
  blockSamples: Int = 4096, beforeFinish: () -> Void = {}
) -> Written {
  _ = signal(SIGPIPE, SIG_IGN)
  var written = Written()
  do throws(SplitcapError) {
    var sink = try request.open(context)
    var done = 0
    do throws(SplitcapError) {
      while done < samples.count && !written.isClosed {
        let block = Array(samples[done...].prefix(blockSamples))
        let firstFrame = context.firstFrame + done / context.format.channelCount
        written.isClosed = try sink.write(block.span, firstFrame: firstFrame) == .closed
        done += block.count
      }
    } catch {
      written.writeError = error
    }
    beforeFinish()
    do throws(SplitcapError) {
      written.report = try sink.finish()
      written.finishError = written.report?.failure
    } catch {
      written.finishError = error
    }
  } catch {
    written.writeError = error
  }
  return written
}
