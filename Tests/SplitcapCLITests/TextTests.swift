import Foundation
import Lab
import SplitcapCore
import Testing

@testable import SplitcapCLI

@Suite("Text")
struct TextTests {
  @Test("JSON reads back as it was in another language, whatever the strings hold")
  func json() throws {
    let scalars = (0...0x2FF).map { Character(Unicode.Scalar($0)!) }
    let broken = String(decoding: [0x61, 0xFF, 0xC3, 0x28], as: UTF8.self)
    let value = JSON.object([
      ("z", .string(String(scalars))), ("a", .array([.null, .bool(true), .bool(false)])),
      ("n", .array([.integer(.min), .integer(0), .integer(.max)])),
      ("\"\\\u{1}", .string("🎧 \u{2028} \(broken)")), ("empty", .object([])),
    ])
    let folder = try TemporaryFolder()
    try folder.write(value.text, to: "value.json")
    let script = """
      import json, sys
      text = open(sys.argv[1], encoding="utf-8").read()
      value = json.loads(text)
      assert list(value) == ["z", "a", "n", '"\\\\\\x01', "empty"], list(value)
      assert value["z"] == "".join(map(chr, range(0x300)))
      assert value["a"] == [None, True, False]
      assert value["n"] == [-2**63, 0, 2**63 - 1]
      assert value['"\\\\\\x01'] == "\\U0001F3A7 \\u2028 a\\uFFFD\\uFFFD("
      assert value["empty"] == {}
      assert all(ord(c) >= 32 and not 127 <= ord(c) < 160 for c in text)
      """
    let outcome = try Program.run("python3", ["-c", script, folder("value.json")])
    #expect(outcome.errors == "" && outcome.status == .exited(0))
  }

  @Test(
    "a number has as many decimals as asked for",
    arguments: [
      (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (1.005, 0, "1"), (99.95, 1, "100.0"),
      (0.5, 0, "1"), (-12.345, 2, "-12.35"), (0.001, 3, "0.001"), (1e300, 1, "-"),
      (.infinity, 1, "-"), (-.infinity, 1, "-"), (.nan, 1, "-"),
    ])
  func fixed(number: Double, decimals: Int, text: String) {
    #expect(Numbers.fixed(number, decimals: decimals) == text)
  }

  @Test("a word for a shell comes out of it unchanged")
  func shellWords() throws {
    for text in ["a", "", "a b", "it's", "$HOME `x` \\ \"", "*?[]", "a\nb", "é", "-l", "~/x", "#x"]
    {
      let outcome = try Program.run("sh", ["-c", "printf %s \(text.shellQuoted)"])
      #expect(outcome.text == text)
    }
  }

  @Test("text is broken between words, and no word is lost")
  func wrapping() {
    let text = "one two  three four-and-a-half five"
    #expect(text.wrapped(width: 12, indent: 2) == "  one two\n  three\n  four-and-a-half\n  five\n")
    #expect("".wrapped() == "")
  }
}
