internal import SplitcapCore

extension SplitcapError {
  /// A conversion of rates that libsoxr refuses, for its `reason`.
  init(soxr reason: String?, from inputRate: Int, to outputRate: Int) {
    self.init(
      .unsupportedFormat,
      "cannot resample \(inputRate) to \(outputRate): \(reason ?? "out of memory")",
      hint: "choose another rate with --resample")
  }
}
