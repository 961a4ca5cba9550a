import Foundation

/// A sound server of one test's own that speaks PulseAudio's protocol.
public protocol SoundServer: AnyObject, Sendable {
  /// The server's address, as `PULSE_SERVER` takes it.
  var address: String { get }
  /// What a program needs in its environment to use this server and nothing of the user's.
  var environment: [String: String?] { get }
  /// A folder of the server's own.
  var folder: TemporaryFolder { get }
}

extension SoundServer {
  /// Runs `pactl`; returns what it prints.
  @discardableResult
  public func pactl(_ arguments: String...) throws -> String {
    try Program.output(of: "pactl", arguments, environment: environment)
  }

  /// Loads a module; returns its index.
  @discardableResult
  public func load(_ module: String, _ arguments: String...) throws -> Module {
    let text = try Program.output(
      of: "pactl", ["load-module", module] + arguments, environment: environment)
    guard let index = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw LabError("pactl load-module \(module) \(arguments) said: \(text)")
    }
    return Module(index: index)
  }

  /// Unloads a module, and with it its sources and sinks.
  public func unload(_ module: Module) throws { try pactl("unload-module", "\(module.index)") }

  /// Adds a sink that plays to nobody; its monitor is the source `NAME.monitor`.
  @discardableResult
  public func addNullSink(
    _ name: String, rate: Int, channels: Int = 2, map: String = "front-left,front-right"
  ) throws -> Module {
    let module = try load(
      "module-null-sink", "sink_name=\(name)", "rate=\(rate)", "channels=\(channels)",
      "channel_map=\(map)")
    try waitForSource("\(name).monitor")
    return module
  }

  /// Adds a source that takes its channels from another one.
  @discardableResult
  public func addRemapSource(
    _ name: String, over master: String, channels: Int = 2, map: String, masterMap: String,
    properties: String = "device.description=Remapped"
  ) throws -> Module {
    let module = try load(
      "module-remap-source", "source_name=\(name)", "master=\(master)", "channels=\(channels)",
      "channel_map=\(map)", "master_channel_map=\(masterMap)", "remix=no",
      "source_properties=\"\(properties)\"")
    try waitForSource(name)
    return module
  }

  /// Makes a source the one that is recorded if none is named.
  public func setDefaultSource(_ name: String) throws {
    // PipeWire refuses until its session manager has made a place to keep it.
    try waitUntil("'\(name)' is the default source") {
      _ = try Program.run("pactl", ["set-default-source", name], environment: environment)
      return try pactl("get-default-source") == "\(name)\n"
    }
  }

  /// Waits until the server has a source of this name.
  public func waitForSource(_ name: String) throws {
    try waitUntil("there is a source '\(name)'") {
      try pactl("list", "short", "sources").split(separator: "\n").contains {
        $0.split(separator: "\t").dropFirst().first == Substring(name)
      }
    }
  }

  /// Plays samples into a sink, in its own format, so that they come out of its monitor unchanged.
  ///
  /// Volumes are left at 100 %. The sound stands in the monitor between silence before and after.
  public func play(
    _ samples: [Int16], into sink: String, rate: Int, channels: Int = 2,
    map: String = "front-left,front-right"
  ) throws -> Program {
    // The monitor has already been given the block that a new stream is mixed into, so the first
    // few milliseconds of a stream never reach it: they are silence.
    let silence = [Int16](repeating: 0, count: rate / 5 * channels)
    return try Program(
      "pacat",
      [
        "--playback", "--raw", "--latency-msec=300", "--format=s16le", "--rate=\(rate)",
        "--channels=\(channels)",
        "--channel-map=\(map)", "--device=\(sink)",
      ], environment: environment, input: .bytes(bytes(of: silence + samples)))
  }

  /// Keeps a sink's monitor running in small blocks, and returns once it does.
  ///
  /// PulseAudio renders an idle null sink in blocks of 2 s until somebody asks for less. PipeWire
  /// lets every block fail that a busy machine is late for: there, ask for 100 ms, as whoever
  /// records must, too.
  public func keepAwake(_ sink: String, milliseconds: Int = 10) throws -> Program {
    let recorder = try Program(
      "parec", ["--raw", "--latency-msec=\(milliseconds)", "--device=\(sink).monitor"],
      environment: environment)
    try waitUntil("the monitor of '\(sink)' delivers") { !recorder.outputSoFar.isEmpty }
    return recorder
  }
}

/// A module that a server has loaded.
public struct Module: Sendable {
  /// The server's number for it.
  public let index: Int
}

/// Waits until a server listens on the socket at `path`, or `program`, which should, has ended.
func waitForSocket(_ path: String, of program: Program) throws {
  try waitUntil("'\(program.command)' listens") {
    guard program.isRunning else {
      throw LabError("'\(program.command)' ended: \(program.errorsSoFar)")
    }
    return answers(path)
  }
}
