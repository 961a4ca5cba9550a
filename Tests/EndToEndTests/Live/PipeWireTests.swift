import Foundation
import Lab
import Testing

extension Live {
  @Suite("PipeWire: every sample arrives on its ear")
  struct PipeWireTests {
    @Test("what its Pulse server plays, sample by sample, and in what order the ears are")
    func ramps() throws {
      let server = try PrivatePipeWireServer()
      try server.addNullSink("ears", rate: 48_000)
      let studio = try Studio(server: server)
      let program = try studio.start(
        "-D", "ears.monitor", "--rate", "48000", "--latency", "100ms", "-l", "l.wav", "-r",
        "r.wav", "--stereo", "both.wav")
      try studio.waitForSound(in: "r.wav", of: program)
      let player = try server.play(Ramp.stereo(frames: 0..<24_000), into: "ears", rate: 48_000)
      #expect(try player.wait().status == .exited(0))
      // What was played last is on its way through the server's graph.
      let size = studio.size(of: "r.wav")
      try studio.waitForSound(in: "r.wav", frames: size / 2 + 24_000, of: program)
      let outcome = try program.end()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("PulseAudio (on PipeWire"))
      let piece = try Ramp.check(
        left: studio.wave("l.wav").samples, right: studio.wave("r.wav").samples)
      #expect(piece.first == 1 && piece.count == 24_000)
      #expect(try Ramp.check(stereo: studio.wave("both.wav").samples) == piece)
    }

    @Test("default source, mono with its reason, a wrong name, the native rate, the list")
    func sources() throws {
      let server = try PrivatePipeWireServer()
      let stereo = try server.addSource(
        "studio", properties: "audio.position=[FL FR] audio.rate=48000 node.description=Studio")
      let mono = try server.addSource(
        "bluez_input.AA_BB_CC_DD_EE_01.0",
        properties: """
          audio.position=[MONO] audio.channels=1 audio.rate=16000 node.description=Buds \
          device.bus=bluetooth device.api=bluez5 api.bluez5.profile=headset-head-unit
          """)
      try server.setDefaultSource("studio")
      let studio = try Studio(server: server)
      let byDefault = try studio.run("-l", "l.wav", "-r", "r.wav", "--duration", "100ms")
      #expect(byDefault.status == .exited(0), "\(byDefault.errors)")
      #expect(byDefault.errors.contains("'Studio' (studio), 16000 Hz"))
      #expect(byDefault.errors.contains("pulse resamples 48000 to 16000"))
      #expect(try studio.wave("l.wav").samples.count == 1_600)

      let refused = try studio.run("-D", "buds", "-l", "a.wav", "-r", "b.wav")
      #expect(
        refused.isRefusal(
          3, saying: "its profile headset-head-unit sends one microphone", hint: "--mono copy"),
        "\(refused.errors)")
      let wrong = try studio.run("-D", "studoi", "-l", "a.wav", "-r", "b.wav")
      #expect(
        wrong.isRefusal(3, saying: "no device is named 'studoi'", hint: "'studio'"),
        "\(wrong.errors)")
      #expect(try studio.folder.contents() == ["l.wav", "r.wav"])

      let list = try studio.listing("--backend", "pulse").devices
      let buds = try #require(list.first { $0.name.hasPrefix("bluez_input") })
      #expect(buds.kind == "microphone" && buds.profile == "headset-head-unit")
      #expect(buds.native?.channels == 1)
      #expect(list.first { $0.isDefault }?.name == "studio")
      #expect(list.first { $0.kind == "monitor" } != nil)
      withExtendedLifetime((stereo, mono)) {}
    }
  }
}
