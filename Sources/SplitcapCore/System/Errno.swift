private import Glibc

/// A failed system call's `errno`.
package struct Errno: Error, Sendable, Equatable {
  /// The number, such as `ENOSPC`.
  package let code: Int32

  /// Wraps a number.
  package init(_ code: Int32) { self.code = code }

  /// A file is there already: `EEXIST`.
  package static let exists = Errno(EEXIST)

  /// The calling thread's last error.
  package static var last: Errno { Errno(errno) }
}

extension Errno {
  /// Makes a call again while signals interrupt it; throws if it returns a negative number.
  package static func check<Result: SignedInteger>(
    _ call: () -> Result
  ) throws(Errno) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw Errno.last }
    }
  }
}

extension Errno: CustomStringConvertible {
  /// The system's text for it, such as `No space left on device`.
  package var description: String {
    // Safe on every thread: since 2.32, glibc keeps the text of an unknown number a thread.
    unsafe String(cString: strerror(code))
  }
}
