internal import SplitcapCore

/// What `repair` found and did, as one JSON object; `docs/files-json.md` describes it.
enum RepairJSON {
  /// Raised when a key changes its meaning or goes away; a new key does not raise it.
  static let version = 1

  /// The object on one line, with a newline after it.
  static func text(of files: [RepairedFile]) -> String {
    let object = JSON.object([
      ("version", .integer(version)),
      ("files", .array(files.map(file))),
    ])
    return object.text + "\n"
  }

  private static func file(_ file: RepairedFile) -> JSON {
    let plan = file.plan
    var result: String
    var output: String?
    var failure: SplitcapError?
    switch file.outcome {
    case .healthy: result = "healthy"
    case .repaired(let name): (result, output) = ("repaired", name)
    case .needsRepair: result = "needs-repair"
    case .failed(let error): (result, failure) = ("failed", error)
    }
    return .object([
      ("path", .string(file.path)),
      ("result", .string(result)),
      ("output", .optional(output)),
      ("rate", .optional(plan?.format?.sampleRate)),
      ("channels", .optional(plan?.format?.channelCount)),
      ("format", .optional(plan?.sampleFormat?.rawValue)),
      ("frames", .optional(plan?.frames)),
      ("sound_bytes", .optional(plan?.soundBytes)),
      ("problems", .array((plan?.problems ?? []).map(problem))),
      ("message", .optional(failure?.message)),
      ("hint", .optional(failure?.hint)),
    ])
  }

  private static func problem(_ problem: WaveRepair.Problem) -> JSON {
    .object([("problem", .string(problem.code)), ("message", .string(problem.text))])
  }
}
