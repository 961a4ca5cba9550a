internal import SplitcapCore

/// What `verify` found, as one JSON object; `docs/files-json.md` describes it.
enum VerifyJSON {
  /// Raised when a key changes its meaning or goes away; a new key does not raise it.
  static let version = 1
  /// Findings and gaps that are listed; all are counted.
  private static let listed = EarComparison.listLimit

  /// The object on one line, with a newline after it.
  static func text(of result: Verification) -> String {
    let report = VerifyReport(result)
    let findings = result.findings
    let object = JSON.object([
      ("version", .integer(version)),
      ("fine", .bool(findings.isEmpty)),
      ("left", ear(result.left)),
      ("right", ear(result.right)),
      ("start", .optional(result.events?.start)),
      ("first_frame", .optional(result.events?.left.firstFrame)),
      ("gaps_from", .string(result.events == nil ? "zeros" : "events")),
      ("gap_count", .integer(result.gapCount)),
      ("gap_frames", .integer(result.gapFrames)),
      ("gaps", .array(gaps(result))),
      ("finding_count", .integer(findings.count)),
      (
        "findings",
        .array(
          findings.prefix(listed).map { finding in
            .object([
              ("finding", .string(finding.code)), ("message", .string(report.words(for: finding))),
            ])
          })
      ),
    ])
    return object.text + "\n"
  }

  private static func ear(_ ear: Verification.EarFacts) -> JSON {
    .object([
      ("path", .string(ear.path)),
      ("rate", .integer(ear.format.sampleRate)),
      ("format", .string(ear.formatWord)),
      ("frames", .integer(ear.frames)),
      ("damages", .array(ear.damages.map(JSON.string))),
    ])
  }

  private static func gaps(_ result: Verification) -> [JSON] {
    guard result.events != nil else {
      return result.comparison.silences.first.map { gap($0, cause: nil) }
    }
    return result.comparison.claims.prefix(listed).map { gap($0.range, cause: $0.cause) }
  }

  private static func gap(_ range: Range<Int>, cause: String?) -> JSON {
    .object([
      ("frame", .integer(range.lowerBound)),
      ("frames", .integer(range.count)),
      ("cause", .optional(cause)),
    ])
  }
}
