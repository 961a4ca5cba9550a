private import Synchronization

/// Knows which files of each segment are still being written, and tells of a segment when none is.
///
/// The splitter enters segments, the sinks' threads their files.
final class SegmentBook: Sendable {
  private struct Entry {
    var segment: RecordingSegment
    /// Sinks whose file is not done.
    var waiting: Set<Int>
    /// Files with the sinks that wrote them.
    var files: [(sink: Int, SegmentFile)] = []
  }

  private struct State {
    var entries: [Entry] = []
    /// Sinks that have ended.
    var left: Set<Int> = []
  }

  private let state = Mutex(State())
  private let observer: @Sendable (RecordingEvent) -> Void

  init(observer: @escaping @Sendable (RecordingEvent) -> Void) { self.observer = observer }

  /// Enters a segment that has ended; it is told of when each of `sinks` has entered a file for it.
  func enter(_ segment: RecordingSegment, sinks: Set<Int>) {
    state.withLock { state in
      state.entries.append(Entry(segment: segment, waiting: sinks.subtracting(state.left)))
      tell(&state)
    }
  }

  /// Enters the file of a sink for the first segment that waits for one; `nil` if it got nothing.
  func enter(_ file: SegmentFile?, of sink: Int) {
    state.withLock { state in
      guard let place = state.entries.firstIndex(where: { $0.waiting.contains(sink) }) else {
        return
      }
      state.entries[place].waiting.remove(sink)
      if let file { state.entries[place].files.append((sink, file)) }
      tell(&state)
    }
  }

  /// Says that a sink has ended and enters nothing more.
  func leave(_ sink: Int) {
    state.withLock { state in
      state.left.insert(sink)
      for place in state.entries.indices { state.entries[place].waiting.remove(sink) }
      tell(&state)
    }
  }

  /// Tells of what is complete, in order, which is why the lock is held for it.
  private func tell(_ state: inout State) {
    while let entry = state.entries.first, entry.waiting.isEmpty {
      state.entries.removeFirst()
      guard !entry.files.isEmpty else { continue }
      var segment = entry.segment
      segment.files = entry.files.sorted { $0.sink < $1.sink }.map(\.1)
      observer(.segment(segment))
    }
  }
}
