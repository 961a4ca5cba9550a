import SoundFiles
import SplitcapCore
import Testing

@Suite("What a file may hold")
struct FileLimitTests {
  @Test(
    "as many whole frames as a WAV header can say; AIFF likewise; no limit for the others")
  func formats() {
    // The header says the size of what follows its first 8 bytes, in 32 bits: 36 bytes, and samples.
    #expect(SinkRequest.file(.left, path: "l.wav").fileFrames == (4_294_967_295 - 36) / 2)
    #expect(SinkRequest.file(.stereo, path: "l.WAV").fileFrames == (4_294_967_295 - 36) / 4)
    // Behind the same 8 bytes stand 46 of header.
    #expect(SinkRequest.file(.right, path: "r.aiff").fileFrames == (4_294_967_295 - 46) / 2)
    for name in ["flac", "ogg", "opus", "caf", "w64", "rf64", "au", "mp3", "raw"] {
      #expect(SinkRequest.file(.left, path: "l.\(name)").fileFrames == nil, "\(name)")
    }
  }

  @Test("what the user allows, header included", arguments: Container.allCases)
  func allowed(container: Container) throws {
    func frames(_ feed: Feed, _ bytes: Int) -> Int? {
      SinkRequest.file(feed, path: "x", container: container, maximumBytes: bytes).fileFrames
    }
    let one = try #require(frames(.left, 1_000_000))
    let two = try #require(frames(.stereo, 1_000_000))
    #expect(480_000...500_000 ~= one && one / 2 == two)
    if container == .raw { #expect(one == 500_000) }
    if container == .wav { #expect(one == 499_978) }
    // No user allows more than a header can say.
    let most = frames(.left, 1 << 40)
    #expect(container == .wav ? most == 2_147_483_629 : most.map { $0 > 2_000_000_000 } == true)
  }
}
