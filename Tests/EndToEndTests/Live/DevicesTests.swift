import Foundation
import Lab
import Testing

extension Live {
  @Suite("devices: what can be recorded, and what to type")
  struct DevicesTests {
    @Test("ALSA: each device with what it has itself; a busy one is not waited for")
    func alsa() throws {
      var busy = VirtualHeadset("busy")
      busy.isExclusive = true
      let studio = try Studio(
        VirtualHeadset("ears", description: "Two ears", rates: [11_025, 44_100, 48_000]),
        VirtualHeadset("call", rates: [8_000], channels: [1], formats: ["S24_3LE"]), busy)
      let program = try studio.start("-D", "busy", "-l", "l.wav")
      try studio.waitForSound(in: "l.wav", of: program)
      let listing = try studio.listing("--backend", "alsa", "--rate", "44100,16000,48000")
      #expect(try program.end().status == .exited(0))
      #expect(listing.version == 1 && listing.problems.isEmpty)
      #expect(listing.backends.map(\.backend) == ["alsa"])

      let ears = try #require(listing.devices.first { $0.name == "ears" })
      #expect(ears.description == "Two ears" && ears.ownRates == [44_100, 48_000])
      #expect(ears.native == .init(channels: 2, rate: 44_100, format: "S16_LE"))
      #expect(ears.muted == nil && ears.volumes == [] && ears.state == "available")
      let call = try #require(listing.devices.first { $0.name == "call" })
      #expect(call.native == .init(channels: 1, rate: 8_000, format: "S24_3LE"))
      #expect(call.ownRates == [])
      #expect(listing.devices.first { $0.name == "busy" }?.state == "busy")
    }

    @Test("Pulse: kind, default, suspended, mute and volume, with what to type about it")
    func pulse() throws {
      let server = try PrivatePulseServer()
      try server.addNullSink("speaker", rate: 44_100)
      let microphone = try server.addMicrophone(
        "ears", rate: 16_000,
        properties: "device.description=Buds device.bus=bluetooth"
          + " bluetooth.protocol=bap_duplex bluetooth.codec=lc3")
      try server.setDefaultSource("ears")
      try server.pactl("set-source-mute", "ears", "1")
      try server.pactl("set-source-volume", "ears", "100%", "0%")
      try server.pactl("suspend-source", "ears", "1")
      let studio = try Studio(server: server)
      let listing = try studio.listing("--backend", "pulse")
      #expect(listing.backends.first?.server?.hasPrefix("PulseAudio ") == true)
      #expect(listing.devices.map(\.name) == ["ears", "speaker.monitor"])
      let ears = listing.devices[0]
      #expect(ears.kind == "microphone" && ears.isDefault && ears.state == "suspended")
      #expect(ears.muted == true && ears.volumes == [100, 0])
      #expect(ears.profile == "bap_duplex" && ears.codec == "lc3")
      #expect(ears.notes.contains { $0.contains("pactl set-source-mute ears 0") })
      #expect(listing.devices[1].kind == "monitor" && !listing.devices[1].isDefault)

      let table = try studio.run("devices", "--backend", "pulse")
      #expect(table.status == .exited(0) && table.errors == "")
      let row = try #require(table.text.split(separator: "\n").first { $0.hasPrefix("* ears") })
      for word in ["microphone", "suspended", "muted", "100%/0%", "bap_duplex lc3", "Buds"] {
        #expect(row.contains(word), "\(word): \(row)")
      }
      #expect(table.text.contains("note: a monitor: what the computer plays, no microphone"))
      withExtendedLifetime(microphone) {}
    }

    @Test("--names prints what --device takes, of the back end that is recorded from")
    func names() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("two-ears", rate: 16_000)
      let studio = try Studio(server: server, VirtualHeadset("headset"))
      let names = try studio.run("devices", "--names")
      #expect(names.status == .exited(0) && names.errors == "")
      let name = try #require(names.text.split(separator: "\n").first)
      #expect(!names.text.contains("headset"))
      let outcome = try studio.run("-D", String(name), "-l", "l.wav", "--frames", "100")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let alsa = try studio.run("devices", "--names", "--backend", "alsa")
      #expect(alsa.text.split(separator: "\n").contains("headset"))
      withExtendedLifetime(microphone) {}
    }

    @Test("one back end that can't be asked is told beside the other; none at all is status 3")
    func problems() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let refused = ["PULSE_SERVER": "unix:/nonexistent/native"]
      let listing = try studio.listing(variables: refused)
      #expect(listing.devices.contains { $0.name == "headset" })
      #expect(listing.problems.map(\.backend) == ["pulse"])
      #expect(listing.problems.first?.message.contains("'unix:/nonexistent/native'") == true)
      let table = try studio.run("devices", variables: refused)
      #expect(table.status == .exited(0) && table.text.contains("headset"))
      #expect(table.errors.contains("pulse lists nothing: PULSE_SERVER is set to"))
      let none = try studio.run("devices", "--backend", "pulse", variables: refused)
      #expect(
        none.isRefusal(3, saying: "unix:/nonexistent/native", hint: "PULSE_SERVER"),
        "\(none.errors)")
      #expect(none.output == [])
    }
  }
}
