import Foundation
import Lab
import Testing

extension Live {
  @Suite("Recordings that are killed")
  struct KilledRecordingTests {
    @Test(
      "W24: 100 kill -9 at random moments: each WAV file is valid and has all but the last second")
    func random() throws {
      let rate = 16_000
      let studio = try Studio(VirtualHeadset("ears", rates: [rate]))
      for round in 0..<20 {
        // Several at once, each with a moment of its own, the first before any sound may have come.
        var kills: [(name: String, program: Program, moment: Double)] = []
        for index in 0..<5 {
          let name = "\(round)-\(index)"
          let program = try studio.start(
            "-q", "--backend", "alsa", "-D", "ears", "-l", "l\(name).wav", "-r", "r\(name).wav")
          kills.append((name, program, Double.random(in: 0...1.5)))
        }
        let started = ContinuousClock.now
        // When each file was first seen to have sound.
        var beginnings: [String: ContinuousClock.Instant] = [:]
        var heard: [String: Duration] = [:]
        while !kills.isEmpty {
          let now = ContinuousClock.now
          for kill in kills where beginnings[kill.name] == nil {
            if studio.size(of: "l\(kill.name).wav") > 44 { beginnings[kill.name] = now }
          }
          kills.removeAll { kill in
            guard now - started >= .seconds(kill.moment) else { return false }
            heard[kill.name] = beginnings[kill.name].map { ContinuousClock.now - $0 }
            kill.program.signal(SIGKILL)
            return (try? kill.program.wait().status) == .killed(SIGKILL)
          }
          pause(milliseconds: 5)
        }
        for name in (0..<5).map({ "\(round)-\($0)" }) {
          try check(
            studio, name,
            least: heard[name].map { Int(($0 - .seconds(1)) / .seconds(1) * Double(rate)) })
        }
      }
    }

    /// Checks what one kill left: every reader finds the same, and has nothing to complain of.
    private func check(_ studio: Studio, _ name: String, least: Int?) throws {
      // Killed before sound came, or as the first came to one ear.
      func ear(_ file: String) throws -> [Int16] {
        guard studio.size(of: file) > 0 else { return [] }
        return try Reader.python.read(studio.folder(file), copy: studio.folder("copy.wav")).samples
      }
      let (left, right) = (try ear("l\(name).wav"), try ear("r\(name).wav"))
      try Ramp.check(left)
      try Ramp.check(right, isRight: true)
      #expect(min(left.count, right.count) >= least ?? 0)
      guard !left.isEmpty else { return }
      for reader in [Reader.sox, .ffmpeg, .libsndfile] {
        let file = try reader.read(studio.folder("l\(name).wav"), copy: studio.folder("copy.wav"))
        expectSame(file.samples, left, "\(reader)")
      }
    }
  }
}

@Suite("The page on killed files")
struct KilledFilePageTests {
  @Test("docs/killed-files.md says what four readers find in every container after kill -9")
  func page() throws {
    let tool = URL(fileURLWithPath: #filePath + "/../../../../tools/killed-files")
      .standardizedFileURL.path
    let outcome = try Program.run(
      tool, ["--check", Program.splitcap], within: .seconds(600))
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
  }
}
