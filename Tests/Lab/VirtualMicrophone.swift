import Foundation

/// A source of a private PulseAudio that delivers the ramp at its rate while it is recorded.
///
/// While nobody records it nothing is fed either, so a recording starts at the first frame of
/// ``Ramp`` that was not recorded before.
public final class VirtualMicrophone: Sendable {
  /// The name of the source.
  public let name: String
  /// The module that makes it.
  public let module: Module

  private let end = Latch()
  private let ended = Latch()
  private let pauses = NSLock()

  init(name: String, module: Module, fifo: String, rate: Int, channels: Int) throws {
    self.name = name
    self.module = module
    let handle = try Tube.open(fifo, O_WRONLY | O_NONBLOCK)
    Thread.detachNewThread { [end, ended, pauses] in
      feed(handle.fileDescriptor, rate: rate, channels: channels, pauses: pauses, until: end)
      try? handle.close()
      ended.open()
    }
  }

  deinit {
    end.open()
    _ = ended.wait(within: .seconds(10))
  }

  /// Feeds nothing while `body` runs: the microphone is there, but silent as a dead link is.
  public func whileStalled<Value>(_ body: () throws -> Value) rethrows -> Value {
    try pauses.withLock(body)
  }
}

/// Writes 10 ms at a time, at the pace of the clock, as far as the pipe takes them.
private func feed(
  _ descriptor: Int32, rate: Int, channels: Int, pauses: NSLock, until end: Latch
) {
  let clock = ContinuousClock()
  var due = clock.now
  var next = 0
  while !end.isOpened {
    let block = next..<next + rate / 100
    var rest = bytes(of: Ramp.frames(block, channels: channels))[...]
    pauses.withLock {
      while !rest.isEmpty && !end.isOpened {
        let done = unsafe rest.withUnsafeBytes {
          unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        if done > 0 { rest.removeFirst(done) } else { pause(milliseconds: 2) }
      }
    }
    next = block.upperBound
    due = max(due + .milliseconds(10), clock.now - .milliseconds(50))
    if due > clock.now { pause(milliseconds: Int((due - clock.now) / .milliseconds(1))) }
  }
}
