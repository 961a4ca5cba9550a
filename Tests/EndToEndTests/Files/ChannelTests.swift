import Foundation
import Lab
import Testing

@Suite("Channels of an input")
struct ChannelTests {
  private func shop() throws -> Workshop {
    let shop = try Workshop()
    let mono = WaveBytes.pcm(Workshop.left, channels: 1)
    try shop.folder.write(mono, to: "mono.wav")
    let four = Ramp.frames(0..<30_000, channels: 4)
    try shop.folder.write(WaveBytes.pcm(four, channels: 4), to: "four.wav")
    return shop
  }

  @Test("L50: one channel is not two ears: refused, with the reason, before anything is made")
  func monoIsRefused() throws {
    let shop = try shop()
    for outputs in [
      "-l l.wav -r r.wav", "--stereo b.wav", "-l l.wav --stereo b.flac", "-r - -l l.wav",
    ] {
      for input in ["mono.wav", "- <mono.wav", "'exec:cat mono.wav'", "$audio/one-talker.wav"] {
        try shop.expectRefusal(
          3, "has no two ears: it has one channel", hint: "--mono copy",
          of: "splitcap \(outputs) -i \(input)")
      }
    }
  }

  @Test("L50: --mono copy records it to both, and says so")
  func monoIsCopied() throws {
    let shop = try shop()
    let outcome = try shop.run(
      "splitcap -q -i mono.wav --mono copy -l l.wav -r r.wav --stereo b.wav", expecting: 0)
    #expect(outcome.errors.contains("warning: 'mono.wav' has no two ears"))
    #expect(outcome.errors.contains("left and right are copies"))
    expectSame(try shop.wave("l.wav"), Workshop.left)
    expectSame(try shop.wave("r.wav"), Workshop.left)
    expectSame(try shop.wave("b.wav"), Workshop.left.flatMap { [$0, $0] })
  }

  @Test("one ear alone is recorded, with a note", arguments: ["left", "right"])
  func oneEar(ear: String) throws {
    let shop = try shop()
    let outcome = try shop.run("splitcap -i mono.wav --\(ear) e.wav --\(ear) e.raw", expecting: 0)
    #expect(
      outcome.errors.contains("'mono.wav' has one channel; it is recorded as the \(ear) ear"))
    expectSame(try shop.wave("e.wav"), Workshop.left)
    expectSame(try shop.raw("e.raw"), Workshop.left)
  }

  @Test("--channels takes any two of four, in any order; without it, the first two")
  func four() throws {
    let shop = try shop()
    let samples = Ramp.frames(0..<30_000, channels: 4)
    for (options, left, right) in [
      ("", 0, 1), ("--channels 3,4", 2, 3), ("--channels 4,1", 3, 0), ("--channels 2,1", 1, 0),
    ] {
      let outcome = try shop.run(
        "splitcap -i four.wav \(options) -l l.wav -r r.wav --stereo b.wav", expecting: 0)
      #expect(outcome.errors.contains("channels \(left + 1) and \(right + 1) of 4"))
      let ears = [left, right].map { channel($0, of: 4, in: samples) }
      expectSame(try shop.wave("l.wav"), ears[0], options)
      expectSame(try shop.wave("r.wav"), ears[1], options)
      expectSame(try shop.wave("b.wav"), zip(ears[0], ears[1]).flatMap { [$0, $1] }, options)
    }
    try shop.run(
      """
      splitcap -q -i $audio/four-microphones.wav --channels 3,4 -l l.wav -r r.wav
      sox $audio/four-microphones.wav 3.wav remix 3; sox $audio/four-microphones.wav 4.wav remix 4
      """, expecting: 0)
    expectSame(try shop.wave("l.wav"), try shop.wave("3.wav"))
    expectSame(try shop.wave("r.wav"), try shop.wave("4.wav"))
  }

  @Test("a channel that is not there is refused, with how many there are")
  func missing() throws {
    let shop = try shop()
    for (input, channels, message, hint) in [
      ("four.wav", "3,5", "'four.wav' has no channel 5, only 4", "two of 1 to 4"),
      ("in.wav", "3,4", "'in.wav' has no channel 4, only 2", "two of 1 to 2"),
      ("mono.wav", "1,2", "'mono.wav' has no channel 2, only 1", "leave out --channels"),
    ] {
      try shop.expectRefusal(
        3, message, hint: hint, of: "splitcap -i \(input) --channels \(channels) -l l.wav")
    }
  }

  @Test("ears that are the same sound are warned about once, and so is one without any")
  func suspicious() throws {
    let shop = try shop()
    try shop.run(
      "sox -V1 -D mono.wav same.wav remix 1 1; sox -V1 -D mono.wav dead.wav remix 1 0", expecting: 0
    )
    for (name, warning) in [
      ("same.wav", "left and right have been the same sound"),
      ("dead.wav", "the right ear has been exact silence"),
    ] {
      let outcome = try shop.run("splitcap -q -i \(name) -l l.wav -r r.wav", expecting: 0)
      #expect(outcome.errors.components(separatedBy: warning).count == 2, "\(outcome.errors)")
      expectSame(try shop.wave("l.wav"), Workshop.left)
    }
  }
}
