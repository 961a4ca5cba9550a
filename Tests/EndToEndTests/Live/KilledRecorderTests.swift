import Foundation
import Lab
import Testing

extension Live {
  @Suite("Repair of what other recorders leave when they are killed")
  struct KilledRecorderTests {
    /// Kills a recorder once it has written some sound, and checks what a repair makes of that.
    private func check(
      _ shop: Workshop, _ name: String, _ recorder: Program, bytes: Int, uncounted: Bool = false,
      _ samples: ([Int16]) throws -> Void
    ) throws {
      try waitUntil("\(recorder.command) writes: \(recorder.errorsSoFar)") {
        shop.size(name) >= bytes
      }
      recorder.signal(SIGKILL)
      #expect(try recorder.wait().status == .killed(SIGKILL))
      var remains = try shop.folder.bytes(of: name)
      if uncounted {
        // As if it had been killed a moment before its header was made true.
        remains.replaceSubrange(4..<8, with: [36, 0, 0, 0])
        remains.replaceSubrange(40..<44, with: [0, 0, 0, 0])
        try shop.folder.write(remains, to: name)
      }
      try shop.run("splitcap repair \(name) -o whole.wav", expecting: 0)
      let mark = try #require(remains.indices.first { remains[$0...].starts(with: "data".utf8) })
      let sound = Array(remains[(mark + 8)...])
      for reader in [Reader.python, .sox, .ffmpeg] {
        let file = try reader.read(shop.folder("whole.wav"), copy: shop.folder("copy.wav"))
        // All that was in the file, and at most the rest of one frame of silence.
        let found = bytes_(of: file.samples)
        #expect(found.starts(with: sound) && found.count - sound.count < 4, "\(reader)")
        try samples(file.samples)
      }
    }

    private func bytes_(of samples: [Int16]) -> [UInt8] { bytes(of: samples) }

    @Test("arecord")
    func arecord() throws {
      let headsets = try VirtualHeadsets([VirtualHeadset("headset")])
      let shop = try Workshop()
      let recorder = try Program(
        "arecord",
        ["-q", "-D", "headset", "-f", "S16_LE", "-r", "16000", "-c", "2", shop.folder("a.wav")],
        environment: headsets.environment.mapValues { $0 })
      try check(shop, "a.wav", recorder, bytes: 20_000) { try Ramp.check(stereo: $0) }
    }

    @Test("parecord")
    func parecord() throws {
      let server = try PrivatePulseServer()
      let microphone = try server.addMicrophone("ears", rate: 16_000)
      let shop = try Workshop()
      let recorder = try Program(
        "parecord",
        [
          "--file-format=wav", "-d", "ears", "--rate=16000", "--channels=2", "--format=s16le",
          "--latency-msec=20", shop.folder("p.wav"),
        ], environment: server.environment)
      try check(shop, "p.wav", recorder, bytes: 20_000) { try Ramp.check(stereo: $0) }
      withExtendedLifetime(microphone) {}
    }

    @Test("ffmpeg and sox", arguments: ["ffmpeg", "sox"])
    func fed(recorder name: String) throws {
      let shop = try Workshop()
      let recorder = try shop.start(
        name == "ffmpeg"
          ? """
          exec ffmpeg -v error -f s16le -ar 16000 -ac 2 -i - -flush_packets 1 f.wav
          """ : "exec sox -V1 -t raw -r 16000 -c 2 -b 16 -e signed - f.wav", input: .held)
      // It is never told that this is all, so that it can't have completed its header.
      try recorder.write(bytes_(of: Workshop.stereo))
      try check(shop, "f.wav", recorder, bytes: 100_000) {
        expectSame($0, Array(Workshop.stereo.prefix($0.count)))
      }
    }

    @Test("splitcap itself: what its header does not count yet is found")
    func ourselves() throws {
      let shop = try Workshop()
      let recorder = try shop.start(
        "exec splitcap -q -i - --stereo s.wav", input: .held)
      try recorder.write(Workshop.wave)
      try check(shop, "s.wav", recorder, bytes: 100_000, uncounted: true) {
        expectSame($0, Array(Workshop.stereo.prefix($0.count)))
      }
    }
  }
}
