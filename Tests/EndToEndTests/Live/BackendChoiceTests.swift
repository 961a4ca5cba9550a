import Foundation
import Lab
import Testing

extension Live {
  @Suite("--backend auto: Pulse if a server answers, else ALSA; which and why is said")
  struct BackendChoiceTests {
    @Test("a Pulse server that answers is taken, and named as the reason")
    func pulse() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone(
        "ears", rate: 16_000, properties: "device.description=Ears")
      let studio = try Studio(server: server, VirtualHeadset("headset"))
      let outcome = try studio.run("-D", "ears", "-l", "l.wav", "--frames", "100")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let version = try Program.output(of: "pulseaudio", ["--version"]).split { $0.isWhitespace }
      #expect(outcome.lines[0].hasSuffix("by pulse: PulseAudio \(version[1]) answers"))
      // Never the other back end's device, only because it has that name.
      let other = try studio.run("-D", "headset", "-l", "other.wav")
      #expect(other.isRefusal(3, saying: "'headset'", hint: "devices"), "\(other.errors)")
      withExtendedLifetime(microphone) {}
    }

    @Test("without a server ALSA is taken, and that none answers is the reason")
    func alsa() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run("-D", "headset", "-l", "l.wav", "--frames", "100")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.lines[0].hasSuffix("by alsa: no Pulse server answers"))
      #expect(!outcome.errors.contains("warning"))
    }

    @Test("a PULSE_SERVER that refuses is said loudly under auto, even with -q; ALSA is recorded")
    func refusedServer() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "-q", "-D", "headset", "-l", "l.wav", "--frames", "100",
        variables: ["PULSE_SERVER": "unix:/nonexistent/native"])
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.lines.count == 1)
      #expect(
        outcome.errors.hasPrefix(
          "splitcap: warning: PULSE_SERVER is set to 'unix:/nonexistent/native'"))
      #expect(outcome.errors.contains("recording with ALSA instead"))
    }

    @Test("under --backend pulse it is an error, and ALSA is not touched")
    func refusedPulse() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "--backend", "pulse", "-D", "headset", "-l", "l.wav",
        variables: ["PULSE_SERVER": "unix:/nonexistent/native"])
      #expect(
        outcome.isRefusal(
          3, saying: "PULSE_SERVER is set to 'unix:/nonexistent/native'", hint: "unset PULSE_SERVER"
        ),
        "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
    }

    @Test(
      "no server and no ALSA device: one clear line, whatever of HOME and XDG_RUNTIME_DIR is set",
      arguments: [[], ["XDG_RUNTIME_DIR"], ["XDG_RUNTIME_DIR", "HOME"]])
    func nothing(unset: [String]) throws {
      let studio = try Studio()
      let outcome = try studio.run(
        "-l", "l.wav", "-r", "r.wav",
        variables: Dictionary(uniqueKeysWithValues: unset.map { ($0, nil) }))
      #expect(
        outcome.isRefusal(
          3, saying: "ALSA has no default device", "no PulseAudio or PipeWire server",
          hint: "splitcap devices"), "\(outcome.errors)")
      #expect(try studio.folder.contents() == [])
    }

    @Test("without HOME and XDG_RUNTIME_DIR, as cron runs it, an ALSA device is recorded")
    func noHome() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "--frames", "500",
        variables: ["HOME": nil, "XDG_RUNTIME_DIR": nil, "PATH": "/usr/bin:/bin"])
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try Ramp.check(studio.wave("l.wav").samples).count == 500)
    }

    @Test("a server that hangs is given up: ALSA under auto, an error under --backend pulse")
    func hungServer() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      try FileManager.default.createDirectory(
        atPath: "\(studio.session)/pulse", withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      let socket = try MuteSocket("\(studio.session)/pulse/native")
      let automatic = try studio.run("-D", "headset", "-l", "l.wav", "--frames", "100")
      #expect(automatic.status == .exited(0), "\(automatic.errors)")
      #expect(automatic.errors.contains("by alsa"))
      let pulse = try studio.run("--backend", "pulse", "-r", "r.wav")
      #expect(
        pulse.isRefusal(3, saying: "hangs", hint: "--backend alsa"), "\(pulse.errors)")
      // ALSA's default is that server where it seems to run, and would wait for it much longer.
      let byDefault = try studio.run("-r", "r.wav")
      #expect(
        byDefault.isRefusal(3, saying: "hangs", "ALSA's device 'default'", hint: "restart"),
        "\(byDefault.errors)")
      #expect(try studio.folder.contents() == ["l.wav"])
      withExtendedLifetime(socket) {}
    }

    @Test("Ctrl-C leaves while a server that hangs is asked, and nothing is made")
    func interruptedOpening() throws {
      let studio = try Studio()
      let socket = try MuteSocket("\(studio.session)/mute")
      let program = try studio.start(
        "-l", "l.wav", variables: ["PULSE_SERVER": "unix:\(studio.session)/mute"])
      try program.waitUntilSignalsAreReceived()
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("of waiting for a device"))
      #expect(try studio.folder.contents() == [])
      withExtendedLifetime(socket) {}
    }
  }
}
