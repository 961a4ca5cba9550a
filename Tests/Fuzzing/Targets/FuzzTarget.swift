import Foundation

/// One thing that reads bytes of strangers, and what must hold for whatever it reads.
///
/// libFuzzer (`tools/fuzz`) and the seeded tests run the same targets. A new parser gets a target
/// in a file of its own here, and a place in ``all``.
struct FuzzTarget: Sendable {
  /// What it is called on the command line.
  let name: String
  /// Good inputs, which others are made from.
  let seeds: [[UInt8]]
  /// Pieces that mean something to what is tested.
  let words: [[UInt8]]
  /// Reads an input; throws ``BrokenPromise`` if something does not hold, and never traps.
  let check: @Sendable ([UInt8]) throws -> Void

  /// Every target.
  static let all = [
    waveHeader, stream, waveRepair, events, json, time, destination, commandLine, deviceNames,
  ]

  /// Makes a target from bytes.
  init(
    _ name: String, seeds: [[UInt8]], words: [[UInt8]],
    check: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.words = words
    self.check = check
  }

  /// Makes a target of text; what is not UTF-8 becomes U+FFFD.
  init(
    _ name: String, seeds: [String], words: [String],
    check: @escaping @Sendable (String) throws -> Void
  ) {
    self.init(name, seeds: seeds.map { Array($0.utf8) }, words: words.map { Array($0.utf8) }) {
      try check(String(decoding: $0, as: UTF8.self))
    }
  }
}

extension FuzzTarget {
  /// Tries an input; if it breaks a promise, says so on standard error and ends the process.
  func tryOrAbort(_ input: [UInt8]) {
    do {
      try check(input)
    } catch {
      try? FileHandle.standardError.write(contentsOf: Data("\(name): \(error)\n".utf8))
      abort()
    }
  }
}

/// What should have held for an input, and did not.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless `condition` holds.
func promise(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  if !condition { throw BrokenPromise(description: what()) }
}
