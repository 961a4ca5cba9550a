import Foundation
import Synchronization

/// A PulseAudio of one test's own; it starts without any source or sink.
///
/// It ends with this object.
public final class PrivatePulseServer: SoundServer {
  /// See ``SoundServer/folder``.
  public let folder: TemporaryFolder
  /// See ``SoundServer/address``.
  public let address: String
  /// See ``SoundServer/environment``.
  public let environment: [String: String?]
  /// The server's process.
  public var program: Program { running.withLock { $0! } }

  private let running = Mutex<Program?>(nil)

  /// Starts it, and returns once it answers; or leaves that to ``start()``.
  public init(isStarted: Bool = true) throws {
    folder = try TemporaryFolder()
    let socket = folder("native")
    address = "unix:\(socket)"
    environment = try [
      "XDG_RUNTIME_DIR": folder.makeFolder("run"), "HOME": folder.makeFolder("home"),
      "PULSE_SERVER": address, "PULSE_RUNTIME_PATH": nil, "PULSE_SOURCE": nil, "PULSE_SINK": nil,
      "DBUS_SESSION_BUS_ADDRESS": nil,
    ]
    if isStarted { try start() }
  }

  /// Starts it, also anew after its end, and returns once it answers.
  public func start() throws {
    let socket = folder("native")
    let program = try Program(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
        "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
      ], environment: environment)
    running.withLock { $0 = program }
    try waitForSocket(socket, of: program)
  }

  deinit { running.withLock { $0?.terminate() } }

  /// Adds a microphone whose samples are the test's, one by one; see ``VirtualMicrophone``.
  public func addMicrophone(
    _ name: String, rate: Int, channels: Int = 2, map: String = "front-left,front-right",
    properties: String = "device.description=Headset"
  ) throws -> VirtualMicrophone {
    let fifo = folder("\(name).fifo")
    // A server that was killed has left its own, which the module would not take.
    try? FileManager.default.removeItem(atPath: fifo)
    let module = try load(
      "module-pipe-source", "source_name=\(name)", "file=\(fifo)", "format=s16le", "rate=\(rate)",
      "channels=\(channels)", "channel_map=\(map)", "source_properties=\"\(properties)\"")
    return try VirtualMicrophone(
      name: name, module: module, fifo: fifo, rate: rate, channels: channels)
  }
}
