private import Glibc

/// Descriptors 0, 1 and 2, which a program may have been started without.
enum StandardDescriptors {
  /// Takes the numbers that are free, so that no file, pipe or socket gets one of them.
  ///
  /// What is put there can't be used the usual way round, so that sound to a closed standard output
  /// is an error, not lost.
  static func occupy() {
    for (number, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one, since those below are taken.
      _ = unsafe open("/dev/null", mode | O_CLOEXEC)
    }
  }
}
