import Lab
import SplitcapCore
import Testing

@testable import SplitcapCLI

@Suite("Values")
struct ValueTests {
  @Test(
    "a time is what it says",
    arguments: [
      ("10", Duration.seconds(10)), ("10s", .seconds(10)), ("250ms", .milliseconds(250)),
      ("1m30s", .seconds(90)), ("2h", .seconds(7200)), ("1.5s", .milliseconds(1500)),
      (".5", .milliseconds(500)), ("0.25h", .seconds(900)), ("1h1m1s1ms", .milliseconds(3_661_001)),
      ("0.000000001", .nanoseconds(1)), ("1.000000001h", .nanoseconds(3_600_000_003_600)),
      ("0", .zero), ("90m", .seconds(5400)), ("10.", .seconds(10)),
    ])
  func times(text: String, time: Duration) {
    #expect(Duration(timeText: text) == time)
  }

  @Test(
    "what may mean two things, or nothing, is no time",
    arguments: [
      "", "s", ".", "1m30", "30s1m", "1s1s", "1 s", " 1", "1d", "-1", "+1", "1e3", "0x10", "1,5",
      "1:30", "1S", "1.0000000001", "1sx", "1.5.5", "99999999h", "10000000000000", "١٠", "1ms1s",
    ])
  func noTimes(text: String) {
    #expect(Duration(timeText: text) == nil)
  }

  @Test("a time that is written is read as the same time, to the nanosecond")
  func timesReturn() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<5_000 {
      let limit = Int64(1) << Int64.random(in: 1...61, using: &random)
      let time = Duration.nanoseconds(Int64.random(in: 0..<limit, using: &random))
      #expect(Duration(timeText: time.timeText) == time, "\(time.timeText)")
    }
    #expect(Duration.seconds(90).timeText == "1m30s")
    #expect(Duration.milliseconds(10).timeText == "10ms")
    #expect(Duration.zero.timeText == "0ms")
  }

  @Test(
    "a size is what it says: K counts in 1024, as for GNU's tools, and KB in 1000",
    arguments: [
      ("65536", 65_536), ("500M", 524_288_000), ("1.5G", 1_610_612_736), ("700MB", 700_000_000),
      ("2gib", 2_147_483_648), (".5k", 512), ("1T", 1_099_511_627_776), ("10b", 10), ("0.3", 0),
    ])
  func sizes(text: String, bytes: Int) {
    #expect(SizeText.bytes(text) == bytes)
  }

  @Test(
    "what may mean two things, or nothing, is no size",
    arguments: ["", "M", "-1M", "1 M", "1MiBs", "1x", "1e3", "10000000T", "1,5G", "1.5.5M"])
  func noSizes(text: String) {
    #expect(SizeText.bytes(text) == nil)
  }

  @Test("no text makes a value trap: it is read, or refused as usage")
  func anyText() {
    var random = SplitMix64(seed: 2)
    let pieces =
      Array("0123456789.,hms-+=: /\\'\"\u{0}\n\u{7F}éx").map(String.init)
      + ["fd:", "exec:", "ms", "never", "99999999999999999999", "./", ".wav", "-", "--", "1,2"]
    let takers = Option.all.filter { $0.value != nil }
    for _ in 0..<1_000 {
      let count = Int.random(in: 0...8, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
      for option in takers {
        let command = option.commands[0].rawValue
        let error = refusal { () throws(SplitcapError) in
          _ = try Invocation([command, "\(option.spelling)=\(text)", "-l", "l.wav"])
        }
        #expect(error == nil || error?.kind == .usage)
        #expect(error?.message.contains("\n") != true)
      }
    }
  }

  @Test("every rate from 1 to 384000 is read as itself")
  func rates() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<500 {
      let rate = Int.random(in: 1...384_000, using: &random)
      #expect(try record("-l", "l.wav", "--rate", String(rate)).rates == [rate])
    }
    #expect(try record("-l", "l.wav", "--rate", "1,384000,1").rates == [1, 384_000])
  }

  @Test(
    "a destination is what it says, and says what was typed",
    arguments: [
      ("l.wav", Destination.path("l.wav")), ("./fd:3", .path("./fd:3")), ("-", .standardOutput),
      ("./-", .path("./-")), ("fd:3", .descriptor(3)), ("fd:0", .descriptor(0)),
      ("exec:a 'b c'", .program("a 'b c'")), ("FD:3", .path("FD:3")), ("--left", .path("--left")),
    ])
  func destinations(text: String, destination: Destination) throws {
    #expect(try Destination(text) == destination)
    #expect(destination.text == text)
  }
}
