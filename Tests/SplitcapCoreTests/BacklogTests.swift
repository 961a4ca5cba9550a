import Testing

@testable import SplitcapCore

@Suite("What waits for one sink")
struct BacklogTests {
  private let pool = BlockPool(channelCount: 1, blockFrames: 100)

  private func block(_ firstFrame: Int) -> Block {
    pool.makeBlock(firstFrame: firstFrame, frameCount: 100)
  }

  /// Ten blocks for which there is room for four, then the sink takes all, then one more.
  private func overrun(_ backlog: inout Backlog) -> [Backlog.Outcome] {
    var outcomes = (0..<10).map { backlog.add(block(100 * $0)) }
    for item in backlog.takeAll() {
      if case .samples(let block, _) = item { backlog.release(block.frameCount) }
    }
    outcomes.append(backlog.add(block(1_000)))
    return outcomes
  }

  @Test("what does not fit is silence of its length, told at its start and at its end")
  func silence() {
    var backlog = Backlog(capacity: 400, rule: .silence)
    for index in 0..<7 { _ = backlog.add(block(100 * index)) }
    #expect(backlog.items.map(\.firstFrame) == [0, 100, 200, 300, 400])
    #expect(backlog.items.last?.frameCount == 300 && backlog.droppedFrames == 300)

    backlog = Backlog(capacity: 400, rule: .silence)
    let outcomes = overrun(&backlog)
    #expect(outcomes[3] == .done(nil) && outcomes[4] == .done(.full))
    #expect(outcomes[5...9].allSatisfy { $0 == .done(nil) })
    #expect(outcomes[10] == .done(.roomAgain(droppedFrames: 600)))
    #expect(backlog.items.map(\.firstFrame) == [1_000])
  }

  @Test("or left out, and a gap that comes meanwhile with it")
  func skip() {
    var backlog = Backlog(capacity: 200, rule: .skip)
    for index in 0..<4 { _ = backlog.add(block(100 * index)) }
    backlog.addSilence(firstFrame: 400, frames: 50)
    #expect(backlog.items.map(\.firstFrame) == [0, 100])
    #expect(backlog.droppedFrames == 250)
  }

  @Test("once full, a quarter must be free before sound is taken again")
  func quarter() {
    var backlog = Backlog(capacity: 800, rule: .silence)
    for index in 0..<9 { _ = backlog.add(block(100 * index)) }
    #expect(backlog.droppedFrames == 100)
    backlog.release(100)
    #expect(backlog.add(block(900)) == .done(nil) && backlog.droppedFrames == 200)
    backlog.release(200)
    #expect(backlog.add(block(1_000)) == .done(.roomAgain(droppedFrames: 200)))
  }

  @Test("a source that can wait must, and nothing is lost")
  func waiting() {
    var backlog = Backlog(capacity: 200, rule: .block)
    #expect(backlog.add(block(0)) == .done(nil) && backlog.add(block(100)) == .done(nil))
    #expect(backlog.add(block(200)) == .mustWait)
    backlog.release(100)
    #expect(backlog.add(block(200)) == .done(nil))
    #expect(backlog.droppedFrames == 0)
  }

  @Test("a block that is larger than the queue fits when nothing else is there")
  func large() {
    var backlog = Backlog(capacity: 10, rule: .silence)
    #expect(backlog.add(block(0)) == .done(nil))
    #expect(backlog.add(block(100)) == .done(.full))
  }

  /// A program ends after the first of three blocks that it took, when one more waits; another comes.
  private func endProgram(_ rule: SlowRule) -> Backlog {
    var backlog = Backlog(capacity: 800, rule: rule)
    for index in 0..<3 { _ = backlog.add(block(100 * index)) }
    let taken = backlog.takeAll()
    _ = backlog.add(block(300))
    backlog.release(100)
    backlog.leave(Array(taken.dropFirst()))
    _ = backlog.add(block(400))
    return backlog
  }

  @Test("what waits for a program that ends, and what passes until it is back, is missed")
  func away() {
    var backlog = endProgram(.silence)
    backlog.addSilence(firstFrame: 500, frames: 50)
    #expect(backlog.missedFrames == 450 && backlog.items.isEmpty && backlog.queuedFrames == 0)
    #expect(backlog.comeBack() == 550)
    _ = backlog.add(block(550))
    #expect(backlog.items.map(\.firstFrame) == [550] && backlog.missedFrames == 450)
    backlog.leave([])
    backlog.abandon()
    _ = backlog.add(block(650))
    #expect(backlog.missedFrames == 650 && backlog.items.isEmpty)
  }

  @Test("a source that waits gives it to the program's successor")
  func succession() {
    var backlog = endProgram(.block)
    #expect(backlog.comeBack() == 100)
    #expect(backlog.items.map(\.firstFrame) == [100, 200, 300, 400])
    #expect(backlog.missedFrames == 0 && backlog.queuedFrames == 400)
  }

  @Test("the waits before a restart double up to 30 s, and are short again after a good run")
  func backoff() {
    var backoff = Backoff()
    let waits = (0..<7).map { _ in backoff.wait(afterRunning: .seconds(2)).components.seconds }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30])
    #expect(backoff.wait(afterRunning: .seconds(60)) == .seconds(1))
    #expect(backoff.wait(afterRunning: .zero) == .seconds(2))
  }

  @Test("the end of one sink's patience leaves the others theirs; the whole's is everyone's")
  func patience() {
    let whole = Patience()
    let (one, other) = (Patience(within: whole), Patience(within: whole))
    one.end()
    #expect(one.isOver(after: .zero) && !other.isOver(after: .seconds(9)) && !other.isEnding)
    whole.shorten()
    #expect(other.isEnding && other.isOver(after: .seconds(2)) && !other.isOver(after: .zero))
  }
}
