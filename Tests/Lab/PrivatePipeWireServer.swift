import Foundation
import Synchronization

/// A PipeWire of one test's own, with its session manager and its Pulse server.
///
/// All of it ends with this object.
public final class PrivatePipeWireServer: SoundServer {
  /// See ``SoundServer/folder``.
  public let folder: TemporaryFolder
  /// See ``SoundServer/address``.
  public let address: String
  /// See ``SoundServer/environment``.
  public let environment: [String: String?]
  /// Message bus, graph, session manager and Pulse server, in the order of their start.
  public var programs: [Program] { running.withLock { $0 } }

  private let running: Mutex<[Program]>

  /// Starts it, and returns once sound can be played and recorded.
  public init() throws {
    folder = try TemporaryFolder()
    let run = try folder.makeFolder("run")
    let bus = "unix:path=\(run)/bus"
    let pulse = "\(run)/pulse/native"
    address = "unix:\(pulse)"
    let environment: [String: String?] = try [
      "XDG_RUNTIME_DIR": run, "HOME": folder.makeFolder("home"), "PULSE_SERVER": address,
      "DBUS_SESSION_BUS_ADDRESS": bus, "PULSE_RUNTIME_PATH": nil, "PULSE_SOURCE": nil,
      "PULSE_SINK": nil, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil,
      "PIPEWIRE_RUNTIME_DIR": nil, "PIPEWIRE_REMOTE": nil,
    ]
    self.environment = environment
    // Blocks of 85 ms at 48 kHz: a graph that is late for one loses it, and tests run side by side.
    let settings = try folder.makeFolder("home/.config/pipewire/pipewire.conf.d")
    try "context.properties = { default.clock.quantum = 4096 default.clock.min-quantum = 4096 }"
      .write(toFile: "\(settings)/lab.conf", atomically: false, encoding: .utf8)

    var programs: [Program] = []
    func start(_ name: String, _ arguments: [String] = [], listensOn socket: String? = nil) throws {
      let program = try Program(name, arguments, environment: environment)
      programs.append(program)
      if let socket { try waitForSocket(socket, of: program) }
    }
    try start(
      "dbus-daemon", ["--session", "--address=\(bus)", "--nofork", "--nopidfile", "--nosyslog"],
      listensOn: "\(run)/bus")
    try start("pipewire", listensOn: "\(run)/pipewire-0")
    try start("wireplumber")
    try start("pipewire-pulse", listensOn: pulse)
    running = Mutex(programs)
    // The session manager makes a sink if there is none: then it does its work.
    try waitUntil("the session manager works") {
      try pactl("list", "short", "sinks").contains("auto_null")
    }
  }

  /// Kills the Pulse server, with all that was made through it, and starts another one.
  public func restartPulseServer(whileAway body: () throws -> Void) throws {
    programs.last!.signal(SIGKILL)
    try programs.last!.wait()
    try body()
    let program = try Program("pipewire-pulse", environment: environment)
    running.withLock { $0[$0.count - 1] = program }
    try waitForSocket(String(address.dropFirst("unix:".count)), of: program)
  }

  deinit {
    for program in programs.reversed() { program.terminate() }
  }

  /// Adds a source with any properties, such as those of a Bluetooth headset; it delivers silence.
  ///
  /// `properties` are in PipeWire's own notation: `audio.position=[FL FR] audio.rate=48000`.
  public func addSource(_ name: String, properties: String) throws -> Program {
    // The node lives as long as the program that made it.
    let program = try Program("pw-cli", environment: environment, input: .held)
    let text = """
      create-node adapter { factory.name=support.null-audio-sink node.name="\(name)" \
      media.class=Audio/Source/Virtual \(properties) }

      """
    try program.write([UInt8](text.utf8))
    try waitForSource(name)
    return program
  }
}
