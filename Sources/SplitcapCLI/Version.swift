/// Which splitcap this is.
enum Version {
  /// The version's number.
  static let number = "0.1.0"
  /// The day it was made, as the man page shows it.
  static let date = "November 30, 2026"
}
