import Foundation
import Lab
import Testing

extension Live {
  @Suite("Standard output: sound and nothing but sound, as it comes")
  struct StandardOutputTests {
    @Test(
      "bytes are frames times two, whatever is said and shown",
      arguments: [
        [], ["-q"], ["-v"], ["--no-meter"], ["--color", "always"], ["-v", "--color", "always"],
        ["-q", "--no-meter"], ["--pipe-format", "raw"], ["-r", "r.wav", "-v"],
        ["--stereo", "both.flac"], ["-r", "exec:echo to the terminal; cat >/dev/null"],
      ])
    func bytesOnly(flags: [String]) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let terminal = try PseudoTerminal()
      let program = try studio.start(
        ["-D", "headset", "-l", "-", "--frames", "5000"] + flags,
        errors: terminal.output)
      let outcome = try program.wait()
      try terminal.finish()
      #expect(outcome.status == .exited(0), "\(terminal.screen)")
      #expect(outcome.output.count == 10_000)
      #expect(try Ramp.check(samples(of: outcome.output)).count == 5_000)
    }

    @Test("--pipe-format wav puts 44 bytes before them, with sizes that say unknown")
    func wave() throws {
      let studio = try Studio(VirtualHeadset("headset", rates: [22_050]))
      let outcome = try studio.run(
        "-D", "headset", "-r", "-", "--pipe-format", "wav", "--frames", "3000")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let wave = try WaveFile(outcome.output, streaming: true)
      #expect(wave.rate == 22_050 && wave.channels == 1)
      #expect(try Ramp.check(wave.samples, isRight: true).count == 3_000)
    }

    @Test(
      "a reader that leaves is a normal end, and the other ear is whole", .timeLimit(.minutes(1)))
    func readerLeaves() throws {
      let studio = try Studio(VirtualHeadset("headset"))
      let program = try studio.start(
        shell: "\"$0\" \"$@\" | head -c 2000 >heard", "-D", "headset", "-l", "-", "-r", "r.wav",
        "--frames", "8000", "-v")
      let outcome = try program.wait()
      #expect(outcome.errors.contains("the reader of '-' left"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("error"))
      #expect(studio.size(of: "heard") == 2_000)
      #expect(try Ramp.check(studio.wave("r.wav").samples, isRight: true).count == 8_000)
    }

    @Test("what a Pulse server has captured comes out, though nothing more comes in: no bursts")
    func prompt() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let studio = try Studio(server: server)
      let program = try studio.start("-D", "ears", "-l", "-")
      try waitUntil("sound comes") { !program.outputSoFar.isEmpty }
      try microphone.whileStalled {
        let fed = try microphone.waitUntilTaken()
        // At most two fragments of 10 ms are held back; all of a burst would be.
        try waitUntil("sound comes out; it said: \(program.errorsSoFar)") {
          guard program.isRunning else { throw LabError(program.errorsSoFar) }
          guard let last = try samples(of: program.outputSoFar.evenPrefix).last else {
            return false
          }
          return Int(last) >= fed - 320
        }
      }
      #expect(try program.end().status == .exited(0))
    }

    @Test("--latency sets how much is handed on at once", arguments: [(10, 320), (200, 6_400)])
    func latency(milliseconds: Int, most: Int) throws {
      let studio = try Studio(VirtualHeadset("headset"))
      // A seqpacket socket keeps writes apart.
      let socket = try PacketSocket()
      let program = try studio.start(
        "-D", "headset", "-l", "-", "--latency", "\(milliseconds)ms", "--frames", "16000",
        output: .descriptor(socket.programEnd.fileDescriptor))
      try socket.programEnd.close()
      let sizes = try socket.sizes(upTo: 32_000)
      #expect(try program.wait().status == .exited(0))
      #expect(sizes.reduce(0, +) == 32_000)
      #expect(sizes.allSatisfy { $0 <= most }, "\(sizes)")
      // Less than a quarter of it at a time would only cost power.
      #expect(sizes.contains { $0 > most / 4 }, "\(sizes)")
    }
  }
}

/// A pair of connected sockets that keep each write apart from the next.
private struct PacketSocket {
  let programEnd: FileHandle
  private let ours: FileHandle

  init() throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw LabError("no sockets") }
    ours = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    programEnd = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }

  /// Bytes of each write, until there are `total` in all or no more come.
  func sizes(upTo total: Int) throws -> [Int] {
    var sizes: [Int] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while sizes.reduce(0, +) < total {
      let count = unsafe read(ours.fileDescriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      sizes.append(count)
    }
    return sizes
  }
}

extension [UInt8] {
  /// Without the half of a sample that may be at the end.
  fileprivate var evenPrefix: ArraySlice<UInt8> { prefix(count / 2 * 2) }
}
