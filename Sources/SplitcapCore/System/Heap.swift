private import CLinux

/// The memory that `malloc` manages.
enum Heap {
  /// Gives the system back what is free.
  ///
  /// What frees many small pieces would leave the process as large as it was at its worst. Takes
  /// milliseconds, for which threads that allocate may wait.
  ///
  /// The corresponding C function is `malloc_trim`.
  static func giveBackFree() { _ = malloc_trim(0) }
}
