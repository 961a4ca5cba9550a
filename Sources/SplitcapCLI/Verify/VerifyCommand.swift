internal import SplitcapCore

/// `splitcap verify`: whether two files are the two ears of one recording.
enum VerifyCommand {
  /// Reads both files, and says what was found.
  static func run(_ options: VerifyOptions) throws(SplitcapError) -> ExitStatus {
    try EarNames.check(options.left, options.right)
    let result = try Verification(options)
    if result.events?.isCut == true, let path = options.events {
      Console.warn("the last line of \(path.quoted) is not whole, and was left out")
    }
    if options.isJSON {
      try Console.answer(VerifyJSON.text(of: result))
    } else {
      let report = VerifyReport(result)
      let text = options.isQuiet ? report.findings : report.text
      if !text.isEmpty { try Console.answer(text) }
    }
    return result.findings.isEmpty ? .success : .incomplete
  }
}
