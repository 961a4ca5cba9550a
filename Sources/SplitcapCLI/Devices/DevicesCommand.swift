private import ALSASource
private import Glibc
internal import SplitcapCore

/// `splitcap devices`: what can be recorded, and what to type for it.
enum DevicesCommand {
  /// Asks the back ends, and shows what they list.
  static func run(_ options: DevicesOptions) throws(SplitcapError) -> ExitStatus {
    let list = DeviceList(gathering: options)
    if options.isVerbose { ALSAMessages.take().forEach { Console.say($0) } }
    return try show(list, options)
  }

  /// Shows a list on standard output; what was in the way goes to standard error.
  ///
  /// - Returns: Success if any back end could be asked, whatever it lists.
  private static func show(
    _ list: DeviceList, _ options: DevicesOptions
  ) throws(SplitcapError) -> ExitStatus {
    switch options.form {
    case .json: try Console.answer(DeviceJSON.text(of: list))
    case .names: try Console.answer(list.devices.map { $0.name.printable + "\n" }.joined())
    case .table:
      let table = DeviceTable(
        list, width: Terminal.columns(of: STDOUT_FILENO), isVerbose: options.isVerbose)
      try Console.answer(table.text)
    }
    // A machine without the one back end is nothing to worry about, if there is the other.
    if list.answers.isEmpty {
      for problem in list.problems { Console.fail(problem.error) }
      return .sourceUnavailable
    }
    guard options.form == .table else { return .success }
    for problem in list.problems {
      Console.say("\(problem.backend.rawValue) lists nothing: \(problem.error.message)")
    }
    if list.devices.isEmpty { Console.warn("there is no device to record") }
    return .success
  }
}
