private import Glibc
internal import SplitcapCore
private import Synchronization

/// A line that a program printed while it got sound.
package struct ProgramLine: Sendable, Equatable {
  /// The line, without its end.
  package var text: String
  /// The timeline's frame up to which the program had read its sound by then.
  package var frame: Int
  /// When that frame was captured by the wall clock, in nanoseconds since 1970 (UTC).
  package var nanoseconds: Int64
}

/// Reads what a program prints, on a thread of its own, and hands on each line as it comes.
///
/// Bytes that are no UTF-8 are replaced, empty lines left out, and lines cut at 64 KiB.
final class ProgramLines: Sendable {
  private static let lineLimit = 65_536

  /// A flag that the thread may outlive us with.
  private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
  }

  private let thread: Mutex<WorkerThread?>
  private let hasProgramEnded = Flag()

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - output: What the program prints.
  ///   - onLine: Takes each line, on that thread.
  /// - Throws: ``SplitcapError`` if there can be no more threads.
  init(
    _ output: consuming Descriptor, onLine: @escaping @Sendable (String) -> Void
  ) throws(SplitcapError) {
    let hasEnded = hasProgramEnded
    thread = Mutex(
      try WorkerThread("lines-in", output) { output in
        Self.read(output, onLine) { hasEnded.value.load(ordering: .relaxed) }
      })
  }

  /// Waits until all has been read that the program printed; it has ended.
  ///
  /// What it started may still hold its output open, which keeps nobody.
  func finish() {
    hasProgramEnded.value.store(true, ordering: .relaxed)
    if let thread = thread.withLock({ $0.take() }) { thread.join() }
  }

  private static func read(
    _ output: borrowing Descriptor, _ onLine: (String) -> Void, _ hasEnded: () -> Bool
  ) {
    var splitter = LineSplitter(limit: lineLimit)
    var block = [UInt8](repeating: 0, count: 4096)
    var deadline: Int64?
    while true {
      let isReady = (try? output.wait(for: .reading, milliseconds: 50)) ?? true
      if hasEnded() {
        let now = SystemClock.monotonic
        deadline = deadline ?? now + 1_000_000_000
        if !isReady || now > deadline! { break }
      }
      guard isReady else { continue }
      var span = block.mutableSpan
      var room = unsafe span.mutableBytes
      guard let count = try? output.read(into: &room), count > 0 else { break }
      splitter.take(block.prefix(count), onLine)
    }
    splitter.finish(onLine)
  }
}

/// Cuts bytes into lines.
package struct LineSplitter: Sendable {
  private let limit: Int
  private var line: [UInt8] = []

  /// Makes a splitter of lines of at most `limit` bytes.
  package init(limit: Int) { self.limit = limit }

  /// Takes the bytes that follow, and hands on each line that they end.
  package mutating func take(_ bytes: ArraySlice<UInt8>, _ onLine: (String) -> Void) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        finish(onLine)
      } else if line.count < limit {
        line.append(byte)
      }
    }
  }

  /// Hands on the last line, if it has no end.
  package mutating func finish(_ onLine: (String) -> Void) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if !line.isEmpty { onLine(String(decoding: line, as: UTF8.self)) }
    line = []
  }
}
