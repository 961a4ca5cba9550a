private import SoundFiles
internal import SplitcapCore

/// `splitcap repair`: makes WAV files valid that a recorder left behind.
enum RepairCommand {
  /// Repairs file after file, and says what was done.
  static func run(_ options: RepairOptions) throws(SplitcapError) -> ExitStatus {
    let signals = StopSignals()
    var files: [RepairedFile] = []
    for path in options.paths {
      let file = repair(path, options) { signals.wait(milliseconds: 0) == .stop }
      files.append(file)
      if !options.isJSON { try file.show(isQuiet: options.isQuiet) }
      if case .failed(let error) = file.outcome, error.kind == .cancelled { break }
    }
    if options.isJSON { try Console.answer(RepairJSON.text(of: files)) }
    return files.map(\.status).max { $0.rawValue < $1.rawValue } ?? .success
  }

  private static func repair(
    _ path: String, _ options: RepairOptions, _ isCancelled: () -> Bool
  ) -> RepairedFile {
    var result = RepairedFile(path: path)
    do throws(SplitcapError) {
      let file = try WaveFileRepair(path: path, headerless: options.headerless)
      result.plan = file.plan
      guard !file.plan.problems.isEmpty else {
        result.outcome = .healthy
        return result
      }
      let output = options.output ?? repairedName(of: path)
      if options.isDryRun {
        try file.checkNobodyWrites()
        result.outcome = .needsRepair
      } else if options.inPlace {
        try file.writeInPlace()
        result.outcome = .repaired(as: path)
      } else {
        try file.writeCopy(to: output, isCancelled: isCancelled)
        result.outcome = .repaired(as: output)
      }
    } catch {
      result.outcome = .failed(error)
    }
    return result
  }

  /// The name beside the old one: `call.repaired.wav` for `call.wav`.
  private static func repairedName(of path: String) -> String {
    FilePath(path).stem + ".repaired.wav"
  }
}
