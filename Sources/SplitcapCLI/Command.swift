internal import SplitcapCore

/// Runs the program.
///
/// - Parameter arguments: The command line, without the program's name.
/// - Returns: The exit status.
package func run(arguments: [String]) -> Int32 {
  StandardDescriptors.occupy()
  do throws(SplitcapError) {
    switch try Invocation(arguments) {
    case .record(let options): return RecordCommand.run(options).rawValue
    case .devices(let options): return try DevicesCommand.run(options).rawValue
    case .verify(let options): return try VerifyCommand.run(options).rawValue
    case .join(let options): return try JoinCommand.run(options).rawValue
    case .repair(let options): return try RepairCommand.run(options).rawValue
    case .shortHelp(let command): try Console.answer(HelpText.short(command))
    case .longHelp(let command): try Console.answer(HelpText.long(command))
    case .manual: try Console.answer(ManualPage.text)
    case .completions(let shell): try Console.answer(shell.completions)
    case .version: try Console.answer(HelpText.version)
    }
    return ExitStatus.success.rawValue
  } catch {
    Console.fail(error)
    return ExitStatus(error).rawValue
  }
}
