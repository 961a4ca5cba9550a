import Foundation
import Lab
import Testing

extension Live {
  @Suite("Verify and join what a device lost sound of")
  struct LiveVerifyTests {
    /// Records with an overrun of so many seconds after the first one, and events to `log`.
    private func record(overrun length: Double, _ arguments: String...) throws -> Studio {
      var headset = VirtualHeadset("headset")
      headset.faults = [.overrun(at: 1, for: length)]
      let studio = try Studio(headset)
      let outcome = try studio.start(["-q", "-D", "headset", "--events", "log"] + arguments)
        .wait()
      #expect(outcome.status == .exited(1), "\(outcome.errors)")
      return studio
    }

    @Test("each gap that the events tell of is found in the files, and they join to what was heard")
    func gaps() throws {
      let studio = try record(
        overrun: 0.3, "-l", "l.wav", "-r", "r.wav", "--stereo", "both.wav", "--duration", "2s")
      let told = try studio.run("verify", "l.wav", "r.wav", "--events", "log")
      #expect(told.status == .exited(0), "\(told.errors)")
      #expect(told.text.contains(", overrun\n"))
      #expect(told.text.hasSuffix("fine: the ears belong together\n"), "\(told.text)")
      // Without events, the zeros give the same place away.
      let found = try studio.run("verify", "l.wav", "r.wav")
      #expect(found.status == .exited(0), "\(found.errors)")
      let place = try #require(told.text.split(separator: "\n").first { $0.contains(", overrun") })
      #expect(found.text.contains("\(place.dropLast(", overrun".count))\n"), "\(found.text)")

      let joined = try studio.run("join", "-q", "l.wav", "r.wav", "again.wav")
      #expect(joined.status == .exited(0), "\(joined.errors)")
      #expect(try studio.folder.bytes(of: "again.wav") == studio.folder.bytes(of: "both.wav"))
    }

    @Test("a gap that lasts over several segments is found in each of them")
    func segments() throws {
      let studio = try record(
        overrun: 0.7, "-l", "l-%i.wav", "-r", "r-%i.wav", "--segment", "250ms", "--duration",
        "2500ms")
      let events = try EventLine.all(in: studio.folder.text(of: "log"))
      let segments = events.named("segment")
      #expect(segments.count == 10 && segments.filter { $0.number("gap_frames") != 0 }.count >= 3)
      for (index, segment) in segments.enumerated() {
        let number = index < 9 ? "000\(index + 1)" : "0010"
        let told = try studio.run(
          "verify", "l-\(number).wav", "r-\(number).wav", "--events", "log", "--json")
        #expect(told.status == .exited(0), "\(told.text)\(told.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(told.output))
        let answer = EventLine(members: try #require(object as? [String: Any]))
        #expect(answer.number("gap_frames") == segment.number("gap_frames"))
        #expect(answer.text("start") == segment.text("start_time"))
      }
    }
  }
}
