internal import SplitcapCore

/// A joined file that may be made: its format is known, and it is neither of the ears.
struct JoinPlan {
  /// Where it is made, at the end of symbolic links.
  let path: String
  let container: Container

  /// Looks at the names; opens and makes nothing.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage`.
  init(_ options: JoinOptions) throws(SplitcapError) {
    try EarNames.check(options.left, options.right)
    let resolver = SinkResolver(pipeFormat: .raw, noClobber: options.noClobber)
    let output = try resolver.resolve(.path(options.output))
    guard case .file(_, let container) = output.target else {
      throw SplitcapError(
        .usage, "\(options.output.quoted) is no file",
        hint: "join makes a file; to a pipe: sox -M \(options.left.shellQuoted) "
          + "\(options.right.shellQuoted) -t wav -")
    }
    for input in [options.left, options.right] {
      guard let status = try? FileStatus(path: input), status.identity == output.identity
      else { continue }
      throw SplitcapError(
        .usage, "\(options.output.quoted) would overwrite the ear \(input.quoted)",
        hint: "give the joined file another name")
    }
    self.container = container
    path = try SinkResolver.followingLinks(FilePath(options.output)).text
  }
}
