import SplitcapCore

@testable import SplitcapCLI

extension FuzzTarget {
  /// A whole command line, an argument a line: what is read means the same in its plainest form, or
  /// the refusal can be printed.
  static let commandLine = FuzzTarget(
    "command-line",
    seeds: [
      "--left\nl.wav\n--right\nr.wav", "-l\n-\n-D\nJabra\n--rate\n16000,48000\n-q",
      "record\n-qll.wav\n--duration=1m30s\n--channels=2,1\n--latency=20ms",
      "-l\nl.raw\n-i\n-\n--input-rate\n8000\n--input-format\nu8\n--input-channels\n1\n--mono\ncopy",
      "devices\n--json\n--backend\nalsa", "verify\nl.wav\nr.wav\n--events\ne.jsonl",
      "join\nl.wav\nr.wav\nboth.flac", "repair\n-n\na.wav\nb.wav", "help\nrecord", "help\n--man",
      "completions\nzsh",
      "--help",
      "-l\nl.wav\n--\n", "--stereo\nexec:cat\n--frames\n1000\n--resample\nnever\n--no-clobber",
    ],
    words: Option.all.map { "\n\($0.spelling)=" } + CommandName.allCases.map(\.rawValue)
      + ["\n", "\u{301}", "16000", "1,2", "never", "wav", "exec:", "fd:3"]
  ) { text in
    let arguments = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try orRefusal { () throws(SplitcapError) in
      try Invocation(arguments)
    } then: { invocation in
      if case .record(let options) = invocation { try checkSense(of: options) }
      guard let command = invocation.command else { return }
      let rest = arguments.dropFirst(arguments.first == command.rawValue ? 1 : 0)
      let given = try GivenArguments(rest, of: command)
      try promise(given.words.isEmpty, "the words \(given.words) are lost")
      let plain = given.options.map {
        $0.option.spelling + ($0.option.value == nil ? "" : "=" + $0.value)
      }
      let again = try Invocation([command.rawValue] + plain)
      try promise(invocation.hasSameOptions(as: again), "\(plain) is \(again), not \(invocation)")
    }
  }

  private static func checkSense(of options: RecordOptions) throws {
    try promise(!options.sinks.isEmpty, "it records to nothing")
    try promise(!options.rates.isEmpty, "it has no rate")
    try promise(Set(options.rates).count == options.rates.count, "a rate is there twice")
    try promise(options.rates.allSatisfy { 1...384_000 ~= $0 }, "rates \(options.rates)")
    try promise(1...1024 ~= options.inputChannels, "\(options.inputChannels) channels")
    try promise(options.channels.map { $0.left != $0.right } ?? true, "one channel for both ears")
    try promise(options.latency > .zero, "latency \(options.latency)")
    switch options.limit {
    case .none: break
    case .frames(let count): try promise(count > 0, "\(count) frames")
    case .duration(let time): try promise(time > .zero, "\(time)")
    }
  }
}

extension Invocation {
  /// The command, if it is one that has options of its own.
  fileprivate var command: CommandName? {
    switch self {
    case .record: .record
    case .devices: .devices
    default: nil
    }
  }

  fileprivate func hasSameOptions(as other: Invocation) -> Bool {
    switch (self, other) {
    case (.record(let options), .record(let others)): options == others
    case (.devices(let options), .devices(let others)): options == others
    default: false
    }
  }
}
