import Foundation
import Lab
import Testing

extension Live {
  @Suite("Who says what, live")
  struct LiveTranscribeTests {
    @Test("a talk that is played: the words of both ears, as far apart as they are in it")
    func pulse() throws {
      let talk = try Talk()
      let server = try PrivatePulseServer()
      try server.addNullSink("air", rate: 16_000)
      let studio = try Studio(server: server)
      let awake = try server.keepAwake("air")
      defer { awake.terminate() }
      let program = try studio.start(
        "transcribe", "--device", "air.monitor", "--format", "jsonl", "--left", "l.wav",
        "--right", "r.wav", "--quiet")
      try studio.waitForSound(in: "l.wav", of: program)
      let call = try WaveFile(talk.shop.folder.bytes(of: "call.wav")).samples
      let player = try server.play(call, into: "air", rate: 16_000)
      // They come while it still listens.
      try waitUntil("both ears' words are there") {
        program.outputSoFar.filter { $0 == UInt8(ascii: "\n") }.count == 2
      }
      let lines = try TalkLine.lines(String(decoding: program.outputSoFar, as: UTF8.self))
      let outcome = try program.end()
      player.terminate()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let wanted = try talk.transcript("")
      #expect(lines.map(\.text) == wanted.map(\.text))
      #expect(abs((lines[1].start - lines[0].start) - (wanted[1].start - wanted[0].start)) <= 0.1)
      // The times are those of the sound that was kept.
      for (line, ear) in zip(lines, ["l.wav", "r.wav"]) {
        let samples = try studio.wave(ear).samples
        let before = samples[max(0, line.first_frame - 4_800)..<max(0, line.first_frame - 1_600)]
        let speech = samples[line.first_frame..<line.first_frame + line.frames]
        #expect(
          before.map { abs(Int($0)) }.max() ?? 0 < (speech.map { abs(Int($0)) }.max() ?? 0) / 4)
      }
    }
  }
}
