import Foundation
import Lab
import Testing

@Suite("--sync")
struct SyncTests {
  /// A system call on a file.
  private struct Call: Equatable {
    let name: String
    let isHeader: Bool
  }

  /// Records in pieces under strace, and tells the calls that wrote or synced `name`.
  private func calls(_ options: String, on name: String, shop: Workshop) throws -> [Call] {
    let program = try shop.start(
      "exec strace -f -qq -y -o calls -e trace=pwrite64,fdatasync,fsync "
        + "splitcap -q -i - \(options)", input: .held)
    for start in stride(from: 0, to: Workshop.wave.count, by: 60_000) {
      try program.write(Array(Workshop.wave[start..<min(start + 60_000, Workshop.wave.count)]))
      pause(milliseconds: 40)
    }
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
    let lines = try shop.text("calls").split(separator: "\n")
    return lines.filter { $0.contains(name) && !$0.contains("resumed") }.map { line in
      let call = ["pwrite64", "fdatasync", "fsync"].first { line.contains(" \($0)(") } ?? ""
      return Call(name: call, isHeader: line.contains("\"RIFF"))
    }
  }

  @Test("the disk has the samples before it gets a header that counts them, and then the header")
  func order() throws {
    let shop = try Workshop()
    let calls = try calls("--sync 10ms -l l.wav", on: "/l.wav>", shop: shop)
    #expect(calls.first == Call(name: "pwrite64", isHeader: true))
    let headers = calls.indices.dropFirst().filter { calls[$0].isHeader }
    #expect(headers.count >= 3)
    for place in headers {
      #expect(calls[place - 1].name == "fdatasync")
      #expect(place + 1 < calls.count && calls[place + 1].name == "fdatasync")
    }
    #expect(calls.last?.name == "fdatasync")
    // The file's name is on the disk, too.
    let folder = shop.folder.path.split(separator: "/").last!
    #expect(
      try shop.text("calls").split(separator: "\n").contains {
        $0.contains("fsync(") && $0.contains("\(folder)>")
      })
    expectSame(try shop.wave("l.wav"), Workshop.left)
  }

  @Test("encoded files are synced as often", arguments: ["flac", "opus"])
  func encoded(name: String) throws {
    let shop = try Workshop()
    let calls = try calls("--sync 10ms -l l.\(name)", on: "/l.\(name)>", shop: shop)
    #expect(calls.count { $0.name == "fdatasync" } >= 3)
    #expect(calls.last?.name == "fdatasync")
  }

  @Test("without it no output waits for the disk")
  func without() throws {
    let shop = try Workshop()
    let calls = try calls("-l l.wav", on: "/l.wav>", shop: shop)
    #expect(!calls.contains { $0.name == "fdatasync" || $0.name == "fsync" })
  }

  @Test("with no file to sync it is refused")
  func noFile() throws {
    let shop = try Workshop()
    try shop.expectRefusal(
      2, "--sync is for files", hint: "--left l.wav",
      of: "splitcap -i in.wav --sync 1s -l /dev/null")
    try shop.expectRefusal(
      2, "--sync takes a time from 10ms to 1h", hint: "help",
      of: "splitcap -i in.wav --sync 1ms -l a.wav")
  }
}
