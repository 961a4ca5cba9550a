internal import SplitcapCore

/// Puts what recognisers heard in the order in which it was said.
///
/// An entry is handed on once nothing that began before it can still come: neither from a recogniser nor
/// from an ear on which someone has not finished.
struct TranscriptOrder: Sendable {
  private struct Slot {
    var entry: TranscriptEntry
    var isDone: Bool
  }

  private struct Voice: Hashable {
    var ear: Ear
    var isBleed: Bool
  }

  /// Where the sound of an utterance begins that has not ended.
  private var open: [Voice: Int] = [:]
  /// In the order of their starts.
  private var slots: [Slot] = []

  init() {}

  /// Someone has begun to speak; nothing before `frame` belongs to it.
  mutating func begin(_ ear: Ear, isBleed: Bool, at frame: Int) {
    open[Voice(ear: ear, isBleed: isBleed)] = frame
  }

  /// An utterance has ended; what was said is not known yet.
  mutating func end(_ utterance: Utterance) {
    open[Voice(ear: utterance.ear, isBleed: utterance.isBleed)] = nil
    insert(Slot(entry: TranscriptEntry(utterance), isDone: false))
  }

  /// What was said in an utterance that has ended, or just a line that belongs to one.
  mutating func settle(_ entry: TranscriptEntry) {
    if let place = place(of: entry.utterance) {
      slots[place] = Slot(entry: entry, isDone: true)
    } else {
      insert(Slot(entry: entry, isDone: true))
    }
  }

  /// Waits no longer for what was said in an utterance.
  mutating func pass(_ utterance: Utterance) {
    if let place = place(of: utterance) { slots.remove(at: place) }
  }

  /// The entries that are ready, in order.
  mutating func takeReady() -> [TranscriptEntry] {
    let limit = open.values.min() ?? .max
    let count = slots.prefix { $0.isDone && $0.entry.utterance.speech.lowerBound <= limit }.count
    defer { slots.removeFirst(count) }
    return slots.prefix(count).map(\.entry)
  }

  private func place(of utterance: Utterance) -> Int? {
    slots.firstIndex { !$0.isDone && $0.entry.utterance == utterance }
  }

  private mutating func insert(_ slot: Slot) {
    let start = slot.entry.utterance.speech.lowerBound
    let place = slots.lastIndex { $0.entry.utterance.speech.lowerBound <= start }
    slots.insert(slot, at: (place ?? -1) + 1)
  }
}
