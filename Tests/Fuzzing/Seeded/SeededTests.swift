import Foundation
import Lab
import Testing

@Suite("Bytes of strangers, seeded")
struct SeededTests {
  @Test("good inputs keep what is promised", arguments: FuzzTarget.all)
  func seeds(target: FuzzTarget) throws {
    for seed in target.seeds { try target.check(seed) }
  }

  @Test("thousands of inputs made from good ones keep what is promised", arguments: FuzzTarget.all)
  func mutations(target: FuzzTarget) async throws {
    let folder = try TemporaryFolder()
    let (seed, words) = (try folder.write("", to: "seed"), try folder.write("", to: "words"))
    // In a process of its own, since an input may end it; the files then say which one, and why.
    await #expect(processExitsWith: .success) {
      [seed = seed as String, words = words as String, name = target.name as String] in
      let file = try Tube.open(seed, O_WRONLY)
      let errors = try Tube.open(words, O_WRONLY)
      withExtendedLifetime(errors) { _ = dup2(errors.fileDescriptor, STDERR_FILENO) }
      for target in FuzzTarget.all where target.name == name {
        for seed in 0..<3_000 {
          try file.seek(toOffset: 0)
          try file.write(contentsOf: Data("\(seed)".utf8))
          target.tryOrAbort(target.input(seed: seed))
        }
      }
      try file.truncate(atOffset: 0)
    }
    if let seed = Int(try folder.text(of: "seed")) {
      let input = String(decoding: target.input(seed: seed), as: UTF8.self).debugDescription
      Issue.record("seed \(seed), input \(input): \(try folder.text(of: "words"))")
    }
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  var testDescription: String { name }
}
