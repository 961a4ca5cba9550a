import Foundation
import Lab
import Testing

/// What the README shows is what is there.
@Suite("README")
struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("shows the library example as it is built, in no more than fifteen lines")
  func showsExample() throws {
    let example = try text("Examples/TwoEars/main.swift")
    #expect(try text("README.md").contains("```swift\n\(example)```"))
    #expect(example.split(separator: "\n").count <= 15)
  }

  @Test("the library example records both ears, sample by sample")
  func runsExample() throws {
    let server = try PrivatePulseServer()
    let microphone = try server.addMicrophone("headset", rate: 16_000)
    let folder = try TemporaryFolder()
    let example = URL(fileURLWithPath: Program.splitcap)
      .deletingLastPathComponent().appendingPathComponent("TwoEars").path
    let outcome = try Program(example, environment: server.environment, folder: folder.path).wait()
    #expect(outcome.status == .exited(0))
    #expect(outcome.text == "recorded 160000 frames of both ears\n")
    let left = try WaveFile([UInt8](Data(contentsOf: URL(fileURLWithPath: folder("l.wav")))))
    let right = try WaveFile([UInt8](Data(contentsOf: URL(fileURLWithPath: folder("r.wav")))))
    let piece = try Ramp.check(left: left.samples, right: right.samples)
    #expect(piece == Ramp.Piece(start: 0, first: 1, count: 160_000))
    withExtendedLifetime(microphone) {}
  }

  @Test("every option that the README uses is one that the program has")
  func optionsExist() throws {
    let help = try ["record", "transcribe"].map { command in
      try Program.output(of: Program.splitcap, [command, "--help"])
    }.joined()
    let used = try text("README.md").matches(of: /splitcap[^\n|`]*/)
      .flatMap { $0.output.matches(of: /--[a-z][a-z-]*/).map { String($0.output) } }
    let known = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
    #expect(used.count > 20)
    #expect(Set(used).subtracting(known) == ["--json"])
  }
}
