internal import CPulse
private import Glibc
internal import SplitcapCore

/// An error number of libpulse.
struct PulseFailure: Equatable, CustomStringConvertible {
  let code: Int32

  /// libpulse's own text for it.
  ///
  /// The corresponding C function is `pa_strerror`.
  var description: String {
    guard let text = unsafe pa_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  static func == (failure: PulseFailure, code: pa_error_code_t) -> Bool {
    failure.code == Int32(code.rawValue)
  }
}

extension SplitcapError {
  /// No server could be used; `address` is what the caller named, `timeout` is set if none answered.
  static func noServer(
    _ failure: PulseFailure, address: String?, after timeout: Duration?
  ) -> SplitcapError {
    let reason = timeout.map { "it gives no answer within \($0)" } ?? "\(failure)"
    let isRefused = timeout == nil && failure == PA_ERR_ACCESS
    let kind: Kind = isRefused ? .permissionDenied : .sourceUnavailable
    if let address {
      return SplitcapError(
        kind, "cannot use the sound server at '\(address)': \(reason)",
        hint: "check the address and that the server runs")
    }
    if let variable = environment("PULSE_SERVER") {
      return SplitcapError(
        kind, "PULSE_SERVER is set to '\(variable)', but that server cannot be used: \(reason)",
        hint: "start that server, or unset PULSE_SERVER to use the one of this session")
    }
    if isRefused {
      return SplitcapError(
        kind, "the sound server lets this user not in: \(reason)",
        hint: "run as the user whose session it is")
    }
    if timeout != nil {
      return SplitcapError(
        kind, "the sound server of this session hangs: \(reason)",
        hint: "restart it, or use --backend alsa")
    }
    if environment("XDG_RUNTIME_DIR") == nil {
      let home = environment("HOME") == nil ? " and HOME are" : " is"
      return SplitcapError(
        kind, "no PulseAudio or PipeWire server was found: XDG_RUNTIME_DIR\(home) not set",
        hint: "set XDG_RUNTIME_DIR=/run/user/\(getuid()), or PULSE_SERVER, or use --backend alsa")
    }
    return SplitcapError(
      kind, "no PulseAudio or PipeWire server answers: \(reason)",
      hint: "start one ('systemctl --user start pipewire-pulse' or 'pulseaudio --start'),"
        + " or use --backend alsa")
  }

  /// The device that is wanted is one of ALSA, not of the server.
  init(alsaName name: String) {
    self.init(
      .sourceUnavailable, "the sound server has no device '\(name)'",
      hint: "that is a name of ALSA: --backend alsa --device '\(name)'")
  }

  /// The server does not answer questions that every server answers.
  static func noAnswer(_ failure: PulseFailure) -> SplitcapError {
    SplitcapError(
      .sourceUnavailable, "the sound server does not say what can be recorded: \(failure)",
      hint: "restart the sound server, or use --backend alsa")
  }

  /// The server did not let `device` be recorded.
  static func cannotRecord(_ device: String, _ failure: PulseFailure) -> SplitcapError {
    let message = "cannot record '\(device)': \(failure)"
    let hint = "list the sources with 'splitcap devices'"
    switch pa_error_code_t(UInt32(failure.code)) {
    case PA_ERR_ACCESS:
      return SplitcapError(
        .permissionDenied, message, hint: "allow this program to record in the desktop's settings")
    case PA_ERR_BUSY:
      return SplitcapError(.sourceBusy, message, hint: "close the program that records it")
    case PA_ERR_NOENTITY, PA_ERR_KILLED, PA_ERR_NODATA:
      return SplitcapError(.sourceUnavailable, message, hint: hint)
    case PA_ERR_TIMEOUT:
      return SplitcapError(
        .sourceUnavailable, "cannot record '\(device)': the server does not start it",
        hint: "connect the device again, or restart the sound server")
    default:
      return SplitcapError(.backend, message, hint: hint)
    }
  }

  /// The server's source went away.
  static func removed(_ device: String) -> SplitcapError {
    SplitcapError(
      .sourceLost, "'\(device)' was removed from the sound server",
      hint: "was it unplugged or switched to another profile? see 'splitcap devices'")
  }

  /// The server itself went away.
  static func serverLost(_ device: String, _ failure: PulseFailure) -> SplitcapError {
    SplitcapError(
      .sourceLost, "the sound server went away while '\(device)' was recorded: \(failure)",
      hint: "start it again")
  }

  /// The server moved the recording to another source, in spite of our request.
  static func moved(_ device: String, to other: String) -> SplitcapError {
    SplitcapError(
      .sourceLost, "the sound server moved the recording from '\(device)' to '\(other)'",
      hint: "nothing of '\(other)' was recorded; record it by its name if it is meant")
  }

  /// The value of an environment variable that is set to something.
  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
