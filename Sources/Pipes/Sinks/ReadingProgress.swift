private import Glibc
private import Synchronization

/// How far a program has read its sound; the sink's thread writes it, others ask.
final class ReadingProgress: Sendable {
  private struct State {
    /// The timeline's frame that the block begins with which is being written.
    var firstFrame: Int
    /// Bytes written before it.
    var bytesBefore = 0
    /// Bytes written in all.
    var bytes = 0
    /// The pipe's writing end, as long as it is open.
    var descriptor: Int32?
  }

  private let bytesPerFrame: Int
  private let state: Mutex<State>

  /// Begins where nothing has been read.
  ///
  /// - Parameters:
  ///   - descriptor: The writing end of its standard input.
  ///   - firstFrame: The frame that it gets first.
  ///   - channelCount: Samples in a frame.
  init(_ descriptor: Int32, firstFrame: Int, channelCount: Int) {
    bytesPerFrame = 2 * channelCount
    state = Mutex(State(firstFrame: firstFrame, descriptor: descriptor))
  }

  /// A block begins, behind so many bytes.
  func begin(_ firstFrame: Int, after bytes: Int) {
    state.withLock { state in
      state.firstFrame = firstFrame
      state.bytesBefore = bytes
      state.bytes = bytes
    }
  }

  /// So many bytes have been written in all.
  func note(_ bytes: Int) { state.withLock { $0.bytes = bytes } }

  /// The pipe is about to be closed.
  func close() { state.withLock { $0.descriptor = nil } }

  /// The timeline's frame up to which the program has read.
  ///
  /// The corresponding C function is `ioctl` with `FIONREAD`.
  var frame: Int {
    state.withLock { state in
      var unread: Int32 = 0
      if let descriptor = state.descriptor {
        _ = unsafe ioctl(descriptor, UInt(FIONREAD), &unread)
      }
      return max(
        0, state.firstFrame + (state.bytes - state.bytesBefore - Int(unread)) / bytesPerFrame)
    }
  }
}
