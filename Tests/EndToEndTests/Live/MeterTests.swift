import Lab
import Testing

extension Live {
  @Suite("The meter: on a terminal only, and never in the way of words")
  struct MeterTests {
    @Test("two ears with levels, the time, gaps and queue; gone when the summary comes")
    func drawn() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let terminal = try PseudoTerminal(columns: 200)
      let program = try studio.start(
        "-D", "headset", "-l", "l.wav", "-r", "r.wav",
        errors: terminal.output)
      try waitUntil("the meter is drawn") { terminal.screen.count == 3 }
      let screen = terminal.screen
      #expect(screen[0].hasPrefix("splitcap: recording"))
      #expect(screen[1].hasPrefix("L [") && screen[1].contains(" dBFS  peak "))
      #expect(screen[1].hasSuffix("0:00:00"))
      #expect(screen[2].hasPrefix("R [") && screen[2].contains("gaps 0  queue 0."))
      #expect(try program.end().status == .exited(0))
      try terminal.finish()
      let end = terminal.screen
      #expect(end.count == 6, "\(end)")
      #expect(!end.contains { $0.hasPrefix("L [") || $0.hasPrefix("R [") })
      #expect(end[1].hasPrefix("splitcap: ") && end[1].hasSuffix("no gaps"))
    }

    @Test("-32768 is 0.0 dBFS and clips; a message stands alone, above the meter")
    func clipping() throws {
      let studio = try Studio()
      let terminal = try PseudoTerminal(columns: 200)
      let program = try studio.start(
        "-i", "-", "--input-rate", "16000", "-l", "l.wav", "-r", "exec:exit 7",
        input: .held, errors: terminal.output)
      try program.write(bytes(of: [-32_768, 16_384] + Ramp.stereo(frames: 0..<1_599)))
      try waitUntil("the clip is shown") {
        terminal.screen.contains { $0.hasPrefix("L [") && $0.contains("CLIP 1") }
      }
      let (left, right) = (
        terminal.screen.first { $0.hasPrefix("L [") }, terminal.screen.first { $0.hasPrefix("R [") }
      )
      #expect(left?.contains(" dBFS  peak   0.0  CLIP 1  ") == true, "\(left ?? "")")
      #expect(right?.contains(" dBFS  peak  -6.0  ") == true, "\(right ?? "")")
      #expect(right?.contains("CLIP") == false)
      // In red, since the terminal has colours.
      #expect(terminal.written.contains("\u{1B}[31m  CLIP 1\u{1B}[0m"))
      // That the program has gone is found when there is more for it, once it has.
      try waitUntil("the failure is told") {
        try program.write(bytes(of: Ramp.stereo(frames: 0..<1_600)))
        return terminal.screen.contains {
          $0.hasPrefix("splitcap: error:") && $0.contains("exit 7")
        }
      }
      program.closeInput()
      #expect(try program.wait().status == .exited(1))
      try terminal.finish()
      #expect(!terminal.screen.contains { $0.hasPrefix("L [") || $0.hasPrefix("R [") })
      #expect(terminal.screen.contains { $0.contains("left   peak   0.0 dBFS") })
    }

    @Test(
      "-q, --no-meter and a dumb terminal show none",
      arguments: [(["-q"], "xterm"), (["--no-meter"], "xterm"), ([], "dumb")])
    func none(arguments: [String], terminalType: String) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let terminal = try PseudoTerminal(columns: 200)
      let program = try studio.start(
        ["-D", "headset", "-l", "l.wav", "-r", "r.wav", "--duration", "500ms"] + arguments,
        variables: ["TERM": terminalType],
        errors: terminal.output)
      #expect(try program.wait().status == .exited(0))
      try terminal.finish()
      #expect(!terminal.written.contains("\u{1B}") && !terminal.written.contains("L ["))
      // What is said apart from the meter is another matter: nothing with -q.
      #expect(terminal.screen.count == (arguments == ["-q"] ? 0 : 6), "\(terminal.screen)")
    }

    @Test("NO_COLOR and --color never take the red away; --color always wins over NO_COLOR")
    func colors() throws {
      for (arguments, variable, isRed) in [
        ([], "1", false), ([], "", true), (["--color", "never"], nil, false),
        (["--color", "always"], "1", true),
      ] as [([String], String?, Bool)] {
        let studio = try Studio()
        let terminal = try PseudoTerminal(columns: 200)
        let program = try studio.start(
          ["-i", "-", "--input-rate", "16000", "-l", "l.wav"] + arguments,
          variables: ["NO_COLOR": variable], input: .held,
          errors: terminal.output)
        try program.write(bytes(of: [Int16](repeating: .min, count: 3_200)))
        try waitUntil("the clip is shown") { terminal.screen.contains { $0.contains("CLIP") } }
        program.closeInput()
        #expect(try program.wait().status == .exited(0))
        try terminal.finish()
        #expect(terminal.written.contains("\u{1B}[31m") == isRed, "\(arguments) \(variable ?? "")")
      }
    }

    @Test("it fits a narrow terminal, so that it never wraps", arguments: [20, 40, 60, 132])
    func narrow(columns: Int) throws {
      let studio = try Studio()
      let terminal = try PseudoTerminal(columns: columns)
      let program = try studio.start(
        "-i", "-", "--input-rate", "16000", "-l", "l.wav", "-r", "r.wav", input: .held,
        errors: terminal.output)
      for _ in 0..<3 {
        let count = terminal.written.split(separator: "dBFS").count
        try program.write(bytes(of: Ramp.stereo(frames: 0..<16_000)))
        try waitUntil("it is drawn again") {
          terminal.written.split(separator: "dBFS").count > count + 2
        }
      }
      let meter = terminal.screen.drop { !$0.hasPrefix("L ") }
      #expect(meter.count == 2, "\(terminal.screen)")
      #expect(meter.allSatisfy { $0.count < columns })
      program.closeInput()
      #expect(try program.wait().status == .exited(0))
      try terminal.finish()
    }

    @Test("without a terminal there is none, whatever --color says")
    func pipe() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let outcome = try studio.run(
        "-D", "headset", "-l", "l.wav", "--color", "always", "--duration", "300ms")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("L ["))
    }
  }
}
