private import Glibc

/// The terminal that answers are read on.
enum Terminal {
  /// Columns of the terminal on standard output; `nil` if there is none.
  ///
  /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
  static var columns: Int? {
    var size = winsize()
    let status = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
