import Lab
import Testing

extension Live {
  @Suite("A device that can't be recorded: one clear line, nothing made, nothing overwritten")
  struct DeviceFailureTests {
    @Test(
      "absent, misspelled, ambiguous, broken and not for recording",
      arguments: [
        ("nothing", 3, "no device is named 'nothing'", "splitcap devices"),
        ("haedset", 3, "no device is named 'haedset'", "'headset'"),
        ("hw:CARD=none", 3, "'hw:CARD=none': No such device", "splitcap devices"),
        ("two-ear", 2, "'two-ear' fits 2 devices", "'headset', 'spare'"),
        ("wrong", 3, "cannot open ALSA device 'wrong'", "splitcap devices"),
        ("speaker", 3, "cannot open ALSA device 'speaker'", "splitcap devices"),
      ])
    func refused(device: String, status: Int32, message: String, hint: String) throws {
      let studio = try Studio(
        VirtualHeadset("headset", description: "Two-ear headset"),
        VirtualHeadset("spare", description: "Two-ear spare"),
        alsa: """
          pcm.wrong { type virtual_headset rates [ 0 ] }
          pcm.speaker { type asym playback.pcm "null" }
          """)
      try studio.folder.write([1, 2, 3], to: "r.wav")
      let outcome = try studio.run(
        "--backend", "alsa", "-D", device, "-l", "l.wav", "-r", "r.wav")
      #expect(outcome.isRefusal(status, saying: message, hint: hint), "\(outcome.errors)")
      #expect(try studio.folder.contents() == ["r.wav"])
      #expect(try studio.folder.bytes(of: "r.wav") == [1, 2, 3])
    }

    @Test("a part of one description is enough, in any case")
    func partOfDescription() throws {
      let studio = try Studio(
        VirtualHeadset("one", description: "Galaxy buds"),
        VirtualHeadset("two", description: "Studio headset"))
      let outcome = try studio.run("-D", "STUDIO", "-l", "l.wav", "--frames", "100")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("'Studio headset' (two)"))
    }

    @Test("a busy device is refused at once, with the reason, and is free again afterwards")
    func busy() throws {
      var headset = VirtualHeadset("headset")
      headset.isExclusive = true
      let studio = try Studio(headset)
      let first = try studio.start("-D", "headset", "-l", "l.wav")
      try studio.waitForSound(in: "l.wav", of: first)
      let second = try studio.run("-D", "headset", "-r", "r.wav")
      #expect(
        second.isRefusal(
          3, saying: "'headset'", "busy", hint: "close the program that records from it"),
        "\(second.errors)")
      #expect(try first.end().status == .exited(0))
      #expect(try studio.folder.contents() == ["l.wav"])
      let third = try studio.run("-D", "headset", "-r", "r.wav", "--frames", "100")
      #expect(third.status == .exited(0), "\(third.errors)")
    }

    @Test("libasound's own words are hushed, and shown with -v")
    func libraryMessages() throws {
      let studio = try Studio(alsa: "pcm.wrong { type virtual_headset rates [ 0 ] }\n")
      let hushed = try studio.run("--backend", "alsa", "-D", "wrong", "-l", "l.wav")
      #expect(!hushed.errors.contains("setting 'rates' is wrong"))
      let shown = try studio.run("--backend", "alsa", "-v", "-D", "wrong", "-l", "l.wav")
      #expect(shown.status == hushed.status)
      // Each of them as a message of ours, so that none stands bare on a terminal.
      #expect(
        shown.lines.contains { $0.hasPrefix("splitcap: ") && $0.hasSuffix("'rates' is wrong") },
        "\(shown.errors)")
    }

    @Test("a source that never gives sound makes no file, and says what to look for")
    func silentDevice() throws {
      let server = try PrivatePulseServer()
      // A pipe that nobody writes to.
      try server.load(
        "module-pipe-source", "source_name=dead", "file=\(server.folder("dead.fifo"))",
        "format=s16le", "rate=16000", "channels=2")
      let studio = try Studio(server: server)
      let outcome = try studio.run("-D", "dead", "-l", "l.wav", "-r", "r.wav")
      #expect(
        outcome.lines.last?.hasPrefix("  hint: ") == true
          && outcome.errors.contains("'dead' has delivered nothing for 10 s"), "\(outcome.errors)")
      #expect(outcome.status == .exited(3))
      #expect(try studio.folder.contents() == [])
    }
  }
}
