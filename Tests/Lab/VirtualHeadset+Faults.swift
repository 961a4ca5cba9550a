import Foundation

extension VirtualHeadset {
  /// What goes wrong with it; times are seconds on its timeline, which begins with the first start.
  ///
  /// See `Tests/VirtualHeadset/README.md` for what each does to the reader.
  public enum Fault: Sendable {
    /// The device stops with `EPIPE` and loses the sound of `length` seconds.
    case overrun(at: Double, for: Double)
    /// The device is suspended for `length` seconds, whose sound is lost.
    case suspended(at: Double, for: Double)
    /// The device is not there; it comes back with other rates and channels if some are given.
    ///
    /// Gone at 0, it is absent from the first attempt to open it on.
    case gone(at: Double, for: Double = .infinity, rates: [Int] = [], channels: [Int] = [])
    /// Nothing comes; then all at once, or an overrun if that is more than the buffer takes.
    case stall(at: Double, for: Double)
    /// Nothing comes any more, and no error either.
    case hang(at: Double)
    /// Frames vanish, and nobody says so.
    case loss(at: Double, for: Double)
  }

  /// Whether there must be a file that says when its timeline began.
  var hasState: Bool { keepsTimeline || !faults.isEmpty }

  /// The name of that file.
  var stateName: String { "\(name).state" }
}

extension VirtualHeadset.Fault {
  /// One line of the script.
  var definition: String {
    switch self {
    case .overrun(let start, let length): "{ kind overrun at \(start) for \(length) }"
    case .suspended(let start, let length): "{ kind suspended at \(start) for \(length) }"
    case .stall(let start, let length): "{ kind stall at \(start) for \(length) }"
    case .loss(let start, let length): "{ kind loss at \(start) for \(length) }"
    case .hang(let start): "{ kind hang at \(start) }"
    case .gone(let start, let length, let rates, let channels):
      "{ kind gone at \(start)"
        + (length.isFinite ? " for \(length)" : "")
        + (rates.isEmpty ? "" : " rates [ \(rates.map(String.init).joined(separator: " ")) ]")
        + (channels.isEmpty
          ? "" : " channels [ \(channels.map(String.init).joined(separator: " ")) ]")
        + " }"
    }
  }
}

extension VirtualHeadsets {
  /// Pulls the plug of a headset that has faults or keeps its timeline: `ENODEV` from now on.
  public func unplug(_ name: String) throws { try movePlug(name, isIn: false) }

  /// Puts the plug back: what opens the headset from now on gets it, at its place on the timeline.
  public func plugIn(_ name: String) throws { try movePlug(name, isIn: true) }

  private func movePlug(_ name: String, isIn: Bool) throws {
    let path = folder.appendingPathComponent("\(name).state")
    guard let file = try? FileHandle(forUpdating: path) else {
      throw LabError("'\(name)' has no state: set `keepsTimeline`")
    }
    defer { try? file.close() }
    try file.seek(toOffset: 8)
    // The low byte is enough: whether it is odd, and that it changes, is what counts.
    let moves = try file.read(upToCount: 1)?.first ?? 0
    guard moves.isMultiple(of: 2) != isIn else {
      throw LabError("the plug of '\(name)' is \(isIn ? "in" : "out") already")
    }
    try file.seek(toOffset: 8)
    try file.write(contentsOf: Data([moves &+ 1]))
  }
}
