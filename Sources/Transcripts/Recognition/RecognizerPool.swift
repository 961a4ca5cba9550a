private import Glibc
package import SplitcapCore
private import Synchronization

/// Recognisers that work on utterances, several at once.
///
/// May be used from any thread.
package final class RecognizerPool: Sendable {
  /// Utterances that may wait for each recogniser before a source that can wait has to.
  private static let waitingLimit = 4

  private struct State {
    var folder: UtteranceFolder?
    var waiting: [Job] = []
    var number = 0
    var isClosed = false
    var workers = 0
  }

  /// An utterance in its file; taken once.
  private final class Job: Sendable {
    let file: Mutex<UtteranceFile?>

    init(_ file: consuming UtteranceFile) { self.file = Mutex(file) }
  }

  private let rules: RecognizerRules
  private let jobs: Int
  private let onResult: @Sendable (Utterance, Result<String, SplitcapError>) -> Void
  private let state = Mutex(State())
  private let filled = Semaphore()
  private let changed = Semaphore()
  private let isCancelled = Atomic<Bool>(false)

  /// Makes a pool; its threads begin with the first utterances.
  ///
  /// - Parameters:
  ///   - rules: The recogniser.
  ///   - jobs: How many are at work at once, at most.
  ///   - onResult: Called once for each utterance, on a thread of the pool or the one that handed it over.
  package init(
    _ rules: RecognizerRules, jobs: Int,
    onResult: @escaping @Sendable (Utterance, Result<String, SplitcapError>) -> Void
  ) {
    self.rules = rules
    self.jobs = jobs
    self.onResult = onResult
  }

  /// Utterances that no recogniser has got yet.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Hands an utterance over.
  ///
  /// - Parameters:
  ///   - sound: The utterance.
  ///   - waiting: Whether to wait while many others do, as the source of a file may.
  package func submit(_ sound: UtteranceSound, waiting: Bool) {
    while waiting && waitingCount >= Self.waitingLimit * jobs { changed.wait() }
    do throws(SplitcapError) {
      let needsWorker = try state.withLock { (state) throws(SplitcapError) in
        if state.folder == nil { state.folder = try UtteranceFolder() }
        state.number += 1
        let file = try UtteranceFile(
          sound, rules, number: state.number, in: state.folder!.path)
        state.waiting.append(Job(file))
        guard state.workers < jobs else { return false }
        state.workers += 1
        return true
      }
      if needsWorker { try startWorker() }
      filled.post()
    } catch {
      onResult(sound.utterance, .failure(error))
    }
  }

  private func startWorker() throws(SplitcapError) {
    do throws(SplitcapError) {
      _ = try WorkerThread("recognizer") { self.work() }
    } catch {
      let isAlone = state.withLock { state in
        state.workers -= 1
        return state.workers == 0
      }
      // Others will take the utterance; without any, it must not wait for ever.
      guard isAlone else { return }
      state.withLock { _ = $0.waiting.popLast() }
      throw error
    }
  }

  private func work() {
    while let job = next() {
      guard let file = job.file.withLock({ $0.take() }) else { continue }
      changed.post()
      do throws(SplitcapError) {
        let text = try RecognizerRun.text(rules, of: file) {
          isCancelled.load(ordering: .relaxed)
        }
        onResult(file.utterance, .success(text))
      } catch {
        onResult(file.utterance, .failure(error))
      }
    }
    state.withLock { $0.workers -= 1 }
    changed.post()
  }

  /// The next utterance; `nil` when no more will come.
  private func next() -> Job? {
    while true {
      let (job, isClosed) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
      }
      if let job { return job }
      if isClosed {
        // The others are to wake up, too.
        filled.post()
        return nil
      }
      filled.wait()
    }
  }

  /// Waits until all utterances have been heard; nothing may be handed over any more.
  ///
  /// - Parameter patience: Whose end ends the recognisers that are at work; results are errors then.
  package func finish(_ patience: Patience) {
    state.withLock { $0.isClosed = true }
    filled.post()
    while state.withLock({ $0.workers > 0 }) {
      if patience.isOver(after: .zero) { isCancelled.store(true, ordering: .relaxed) }
      _ = usleep(10_000)
    }
    state.withLock { $0.folder = nil }
  }
}
