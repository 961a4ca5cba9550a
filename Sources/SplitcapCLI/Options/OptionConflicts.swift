internal import SplitcapCore

/// Options that make no sense together, or not alone.
enum OptionConflicts {
  private struct Conflict {
    let first: Option.Name
    let second: Option.Name
    let why: String
    let hint: String
  }

  private struct Need {
    let option: Option.Name
    let needed: Option.Name
    let why: String
    let hint: String
  }

  private static let conflicts = [
    Conflict(
      first: .input, second: .device, why: "each says what to record", hint: "give one of them"),
    Conflict(
      first: .input, second: .backend, why: "an input needs no back end",
      hint: "leave out --backend"),
    Conflict(
      first: .input, second: .latency, why: "an input waits for its outputs, so nothing is late",
      hint: "leave out --latency"),
    Conflict(
      first: .input, second: .rate, why: "an input has its own rate",
      hint: "--resample HZ sets the rate of the outputs; --input-rate HZ says that of an input "
        + "without a header"),
    Conflict(
      first: .input, second: .onLost, why: "only a device may come back",
      hint: "leave out --on-lost"),
    Conflict(
      first: .input, second: .wait, why: "only a device may come back",
      hint: "leave out --wait"),
    Conflict(
      first: .frames, second: .duration, why: "each says when to stop", hint: "give one of them"),
    Conflict(
      first: .quiet, second: .verbose, why: "they contradict each other",
      hint: "give one of them"),
  ]

  private static let needs = [
    Need(
      option: .keep, needed: .segment, why: "it says which segments are kept",
      hint: "add --segment, such as --segment 10m"),
    Need(
      option: .onSegment, needed: .segment, why: "it runs for each segment",
      hint: "add --segment, such as --segment 10m"),
    Need(
      option: .inputRate, needed: .input, why: "it describes an input",
      hint: "--rate HZ chooses the rate of a device"),
    Need(
      option: .inputFormat, needed: .input, why: "it describes an input",
      hint: "a device's format is found by itself"),
    Need(
      option: .inputChannels, needed: .input, why: "it describes an input",
      hint: "--channels L,R chooses channels of a device"),
    Need(
      option: .inputFormat, needed: .inputRate, why: "without it, the input's header says it",
      hint: "add --input-rate, such as --input-rate 16000"),
    Need(
      option: .inputChannels, needed: .inputRate, why: "without it, the input's header says it",
      hint: "add --input-rate, such as --input-rate 16000"),
  ]

  /// Checks which options were given together.
  ///
  /// - Throws: ``SplitcapError`` of kind `usage` for the first pair that can't be meant.
  static func check(_ given: GivenArguments) throws(SplitcapError) {
    for conflict in conflicts where given.has(conflict.first) && given.has(conflict.second) {
      throw SplitcapError(
        .usage,
        "--\(conflict.first.rawValue) and --\(conflict.second.rawValue) cannot be given together: "
          + conflict.why, hint: conflict.hint)
    }
    for need in needs where given.has(need.option) && !given.has(need.needed) {
      throw SplitcapError(
        .usage,
        "--\(need.option.rawValue) needs --\(need.needed.rawValue): \(need.why)",
        hint: need.hint)
    }
    try checkValues(given)
  }

  /// Checks what depends on values.
  private static func checkValues(_ given: GivenArguments) throws(SplitcapError) {
    func gives(_ name: Option.Name, _ isMeant: (String) -> Bool) -> Bool {
      given.options.contains { $0.option.name == name && isMeant($0.value) }
    }
    if gives(.mono, { $0 == "copy" }) && given.has(.channels) {
      throw SplitcapError(
        .usage,
        "--mono copy and --channels cannot be given together: the one is for sources of one "
          + "channel, the other for sources of more",
        hint: "give one of them")
    }
    if gives(.onSlow, { $0 == SlowRule.block.rawValue }) && !given.has(.input) {
      throw SplitcapError(
        .usage, "--on-slow block needs --input: a device never waits",
        hint: "--on-slow silence keeps all in its place; --queue TIME keeps more for slow outputs")
    }
    let outputs: [Option.Name] = [.left, .right, .stereo]
    if given.has(.mergeOutput) && !outputs.contains(where: { gives($0) { $0.hasPrefix("exec:") } })
    {
      throw SplitcapError(
        .usage, "--merge-output needs an output that is a program",
        hint: "--left 'exec:COMMAND'; nothing else prints lines")
    }
    if given.has(.respawn) && !outputs.contains(where: { gives($0) { $0.hasPrefix("exec:") } }) {
      throw SplitcapError(
        .usage, "--respawn needs an output that is a program",
        hint: "--left 'exec:COMMAND'; of other outputs there is nothing to start again")
    }
  }
}
