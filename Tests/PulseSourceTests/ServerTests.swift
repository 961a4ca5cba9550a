import Foundation
import Lab
import PulseSource
import SplitcapCore
import Testing

/// The error that connecting ends in.
private func refusal(address: String? = nil, timeout: Duration = .seconds(1)) -> SplitcapError? {
  do throws(SplitcapError) {
    let server = try PulseServer(address: address, timeout: timeout)
    _ = server.description
    return nil
  } catch {
    return error
  }
}

/// Changes this process's environment; only for tests that run in a process of their own.
private func setEnvironment(_ variables: [String: String?]) {
  signal(SIGPIPE, SIG_IGN)
  for (name, value) in variables {
    if let value { unsafe _ = setenv(name, value, 1) } else { unsafe _ = unsetenv(name) }
  }
}

@Suite("PulseSource: servers that can't be used")
struct ServerTests {
  @Test("an address where nobody listens is named, with the reason")
  func nobody() throws {
    let folder = try TemporaryFolder()
    let error = try #require(refusal(address: "unix:\(folder("none"))"))
    #expect(error.kind == .sourceUnavailable)
    #expect(error.message.contains("\(folder("none"))"))
    #expect(error.message.contains("Connection refused"))
    #expect(error.hint != nil)
  }

  @Test("a socket that accepts and never answers is given up after the timeout")
  func mute() throws {
    let folder = try TemporaryFolder()
    let socket = try MuteSocket(folder("native"))
    let error = try #require(
      refusal(address: "unix:\(folder("native"))", timeout: .milliseconds(300)))
    #expect(error.kind == .sourceUnavailable)
    #expect(error.message.contains("no answer within 0.3 seconds"))
    withExtendedLifetime(socket) {}
  }

  @Test("a server that is stopped after its start is given up after the timeout")
  func stopped() throws {
    let server = try PrivatePulseServer()
    server.program.signal(SIGSTOP)
    let error = try #require(refusal(address: server.address, timeout: .milliseconds(300)))
    #expect(error.kind == .sourceUnavailable)
    server.program.signal(SIGCONT)
  }

  @Test("PULSE_SERVER that is set and refused is said loudly")
  func variable() async {
    await #expect(processExitsWith: .success) {
      setEnvironment(["PULSE_SERVER": "unix:/nonexistent/native"])
      let error = try #require(refusal())
      #expect(error.kind == .sourceUnavailable)
      #expect(error.message.hasPrefix("PULSE_SERVER is set to 'unix:/nonexistent/native'"))
      #expect(error.hint?.contains("unset PULSE_SERVER") == true)
    }
  }

  @Test("no server, no XDG_RUNTIME_DIR and no HOME is one clear error")
  func bareEnvironment() async {
    await #expect(processExitsWith: .success) {
      setEnvironment([
        "PULSE_SERVER": nil, "PULSE_RUNTIME_PATH": nil, "XDG_RUNTIME_DIR": nil, "HOME": nil,
      ])
      let error = try #require(refusal())
      #expect(error.kind == .sourceUnavailable)
      #expect(error.message.hasSuffix("XDG_RUNTIME_DIR and HOME are not set"))
      #expect(error.hint?.contains("XDG_RUNTIME_DIR=/run/user/") == true)
    }
  }

  @Test("a session without a server says how to start one")
  func noServer() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      setEnvironment([
        "PULSE_SERVER": nil, "PULSE_RUNTIME_PATH": nil, "XDG_RUNTIME_DIR": folder.path,
        "HOME": folder.path,
      ])
      let error = try #require(refusal())
      #expect(error.kind == .sourceUnavailable)
      #expect(error.message.hasPrefix("no PulseAudio or PipeWire server answers"))
      #expect(error.hint?.contains("pulseaudio --start") == true)
    }
  }

  @Test("programs that are started while a server is used get none of its descriptors")
  func children() async {
    await #expect(processExitsWith: .success) {
      let pulse = try PrivatePipeWireServer()
      let server = try PulseServer(address: pulse.address, timeout: .seconds(10))
      let listing = try Program.output(of: "ls", ["-l", "/proc/self/fd"])
      #expect(!listing.contains("memfd") && !listing.contains("socket:"))
      #expect(!server.description.isEmpty)
    }
  }
}
