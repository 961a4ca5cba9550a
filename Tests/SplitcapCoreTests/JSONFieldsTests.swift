import SplitcapCore
import Testing

@Suite("JSON that strangers wrote")
struct JSONFieldsTests {
  private func read(_ text: String) throws -> JSONFields { try JSONFields(Array(text.utf8)) }

  @Test("plain fields arrive, what holds others is none")
  func fields() throws {
    let fields = try read(
      #" {"event":"gap", "frame": 12,"n":-3.5e2,"yes":true,"no":false,"nil":null,"a":[1,{"b":[]}],"o":{"x":{"y":7}},"frames":9223372036854775807} "#
    )
    #expect(fields.text("event") == "gap")
    #expect(fields.integer("frame") == 12)
    #expect(fields.integer("frames") == .max)
    #expect(fields["n"] == .number(-350))
    #expect(fields["yes"] == .bool(true) && fields["no"] == .bool(false) && fields["nil"] == .null)
    #expect(fields["a"] == nil && fields["o"] == nil && fields["b"] == nil)
    #expect(fields.integer("o", "x", "y") == 7 && fields["y"] == nil && fields["o", "x"] == nil)
    #expect(fields.text("frame") == nil && fields.integer("event") == nil)
  }

  @Test("objects in arrays are reached by their number, plain values there are left out")
  func arrays() throws {
    let fields = try read(
      #"{"files":[{"path":"l.wav"},7,"x",null,{"path":"r.wav","in":[[{"n":1}]]}],"none":[]}"#)
    #expect(fields.text("files", "0", "path") == "l.wav")
    #expect(fields.text("files", "4", "path") == "r.wav")
    #expect(fields.integer("files", "4", "in", "0", "0", "n") == 1)
    #expect(fields["files", "1"] == nil && fields["files", "2"] == nil)
    #expect(fields["files", "5", "path"] == nil && fields["none", "0"] == nil)
  }

  @Test("escapes are what RFC 8259 says")
  func escapes() throws {
    let fields = try read(#"{"t":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é"}"#)
    #expect(fields.text("t") == "\"\\/\u{8}\u{c}\n\r\té😀é")
  }

  static let broken = [
    "", "{", "[]", "1", "{} {}", "{}x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":01}",
    "{\"a\":-}", "{\"a\":1.}", "{\"a\":1e}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1e999}",
    "{\"a\":nul}", "{\"a\":NaN}", "{\"a\":\"x}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}",
    "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud83d\"}", "{\"a\":\"\\ud83d\\u0041\"}", "{\"a\":\"\\ude00\"}",
    "{\"a\":1,\"a\":2}", "{\"a\":[}", "{\"a\":[1 2]}", "{\"a\":[1,]}", "\u{FEFF}{}", "{\"a\":'b'}",
  ]

  @Test("what is not JSON is refused", arguments: broken)
  func refused(text: String) { #expect(throws: JSONFields.Failure.self) { try read(text) } }

  @Test("broken UTF-8, and nesting without end, are refused")
  func hostile() {
    #expect(throws: JSONFields.Failure.self) {
      try JSONFields([UInt8](#"{"a":""#.utf8) + [0xff, 0xc0] + [UInt8](#""}"#.utf8))
    }
    for opening in ["[", "{\"a\":"] {
      #expect(throws: JSONFields.Failure.self) {
        try read("{\"a\":" + String(repeating: opening, count: 1_000_000))
      }
    }
  }

  @Test("any bytes are read or refused, and every cut of an object is refused")
  func anyBytes() {
    let whole = Array(#"{"event":"gap","frame":12,"t":"\u00e9","l":[true,null,{"x":-1.5e3}]}"#.utf8)
    for count in 0..<whole.count {
      #expect(throws: JSONFields.Failure.self) { try JSONFields(Array(whole[..<count])) }
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      // It may still be JSON; what counts is that it ends.
      _ = try? JSONFields(bytes)
    }
  }
}
