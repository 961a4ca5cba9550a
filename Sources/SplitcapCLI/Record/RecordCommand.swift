internal import SplitcapCore

/// `splitcap record`: checks the command; what records is not part of the program yet.
enum RecordCommand {
  static func run(options: RecordOptions) throws(SplitcapError) -> Int32 {
    let plan = try RecordPlan(options)
    throw SplitcapError(.backend, "can't record to \(plan.sinks.count) outputs yet")
  }
}
