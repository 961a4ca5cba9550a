private import Glibc

/// The terminal that answers or messages are read on.
enum Terminal {
  /// Columns of the terminal behind `descriptor`; `nil` if there is none.
  ///
  /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    let status = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
