internal import SplitcapCore

/// The names of the files of two ears.
enum EarNames {
  /// Refuses one file for both ears, whatever it is called.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  static func check(_ left: String, _ right: String) throws(SplitcapError) {
    // A file that is not there is left to whoever opens it.
    guard let one = try? FileStatus(path: left), let other = try? FileStatus(path: right),
      one.kind == .regular, one.identity == other.identity
    else { return }
    throw SplitcapError(
      .usage, "\(left.quoted) and \(right.quoted) are the same file",
      hint: "name the file of each ear")
  }
}
