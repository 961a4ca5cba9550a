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

  private let handle: FileHandle
  private let end = Latch()
  private let ended = Latch()
  private let feeding = Feeding()

  init(name: String, module: Module, fifo: String, rate: Int, channels: Int) throws {
    self.name = name
    self.module = module
    handle = try Tube.open(fifo, O_WRONLY | O_NONBLOCK)
    Thread.detachNewThread { [handle, end, ended, feeding] in
      feed(handle.fileDescriptor, rate: rate, channels: channels, feeding, until: end)
      ended.open()
    }
  }

  deinit {
    end.open()
    _ = ended.wait(within: .seconds(10))
  }

  /// Waits until the server has taken all that was fed; call it in ``whileStalled(_:)``.
  ///
  /// - Returns: Frames fed so far, from the start of the ramp on.
  public func waitUntilTaken() throws -> Int {
    try waitUntil("the server has taken all of '\(name)'") {
      var waiting: Int32 = 0
      guard unsafe ioctl(handle.fileDescriptor, UInt(FIONREAD), &waiting) == 0 else {
        throw LabError("the microphone '\(name)' is gone: errno \(errno)")
      }
      return waiting == 0
    }
    return unsafe feeding.frames
  }

  /// Feeds nothing while `body` runs: the microphone is there, but silent as a dead link is.
  public func whileStalled<Value>(_ body: () throws -> Value) rethrows -> Value {
    try feeding.lock.withLock(body)
  }
}

/// How far a microphone is; it changes while the lock is held only.
private final class Feeding: Sendable {
  let lock = NSLock()
  nonisolated(unsafe) var frames = 0
}

/// Writes 10 ms at a time, at the pace of the clock, as far as the pipe takes them.
private func feed(
  _ descriptor: Int32, rate: Int, channels: Int, _ feeding: Feeding, until end: Latch
) {
  let clock = ContinuousClock()
  var due = clock.now
  var next = 0
  while !end.isOpened {
    let block = next..<next + rate / 100
    var rest = bytes(of: Ramp.frames(block, channels: channels))[...]
    feeding.lock.withLock {
      while !rest.isEmpty && !end.isOpened {
        let done = unsafe rest.withUnsafeBytes {
          unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        if done > 0 { rest.removeFirst(done) } else { pause(milliseconds: 2) }
      }
      unsafe feeding.frames = block.upperBound
    }
    next = block.upperBound
    due = max(due + .milliseconds(10), clock.now - .milliseconds(50))
    let early = due - clock.now
    if early > .zero { pause(milliseconds: Int(early / .milliseconds(1))) }
  }
}
