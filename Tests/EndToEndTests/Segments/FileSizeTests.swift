import Foundation
import Lab
import Testing

@Suite("Files that may not grow")
struct FileSizeTests {
  @Test("--max-file-size: no file is larger, all are cut on the same frame, no sample is lost")
  func limited() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --max-file-size 100K -l l.wav -r r.flac --stereo b.raw "
        + "--stereo b.caf -l exec:'cat >whole.raw'", expecting: 0)
    func parts(_ name: String, _ ending: String) throws -> [String] {
      let count = try shop.folder.contents().filter {
        $0.hasPrefix("\(name).") && $0.hasSuffix(".\(ending)")
      }.count
      return (1...count).map { $0 == 1 ? "\(name).\(ending)" : "\(name).\($0).\(ending)" }
    }
    let left = try parts("l", "wav").map { try shop.wave($0) }
    let right = try parts("r", "flac").map {
      try Reader.flac.read(shop.folder($0), copy: shop.folder("copy")).samples
    }
    let both = try parts("b", "raw").map { try shop.raw($0) }
    #expect(try parts("b", "caf").count == left.count)
    #expect(left.count > 4 && left.map(\.count) == right.map(\.count))
    #expect(left.map(\.count) == both.map { $0.count / 2 })
    expectSame(left.flatMap(\.self), Workshop.left)
    expectSame(right.flatMap(\.self), Workshop.right)
    expectSame(both.flatMap(\.self), Workshop.stereo)
    expectSame(try shop.raw("whole.raw"), Workshop.left)
    for name in try shop.folder.contents() where name != "in.wav" && name != "whole.raw" {
      let size = shop.size(name)
      if name != "copy" { #expect(size <= 102_400, "\(name)") }
    }
  }

  @Test("with --segment, a segment that would be too large is cut as well, under the next number")
  func segments() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav --max-file-size 128044 --segment 5s -l l-%i.wav -r r-%i.raw",
      expecting: 0)
    let counts = try (1...3).map { try shop.wave("l-000\($0).wav").count }
    #expect(counts == [64_000, 16_000, 64_000])
    expectSame(try (1...4).flatMap { try shop.wave("l-000\($0).wav") }, Workshop.left)
    expectSame(try (1...4).flatMap { try shop.raw("r-000\($0).raw") }, Workshop.right)
  }
}
