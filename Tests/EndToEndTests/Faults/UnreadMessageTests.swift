import Foundation
import Lab
import Testing

@Suite("Messages that nobody reads")
struct UnreadMessageTests {
  @Test("a report longer than the pipe does not hold up the end")
  func longReport() throws {
    let shop = try Workshop()
    let messages = try Tube()
    // Many outputs with long names: far more than the 64 KiB that fit into a pipe.
    let name = "/dev/" + String(repeating: "./", count: 300) + "null"
    let outputs = (0..<300).flatMap { _ in ["-l", name] }
    let program = try Program(
      Program.splitcap, ["-i", shop.folder("in.wav")] + outputs,
      errors: .descriptor(messages.writing.fileDescriptor))
    #expect(try program.wait().status == .exited(0))
  }

  @Test("of many messages only the first is waited for")
  func manyMessages() throws {
    let shop = try Workshop()
    let messages = try Tube()
    // Full but for less than a message may need, so that nothing is ever ready to be written to.
    let end = messages.writing.fileDescriptor
    #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0)
    while unsafe Foundation.write(end, "x", 1) == 1 {}
    #expect(fcntl(end, F_SETFL, 0) == 0)
    // Each output fails and says so; a fifth of a second for each would be two minutes.
    let outputs = (0..<600).flatMap { _ in ["-l", "/dev/full"] }
    let program = try Program(
      Program.splitcap, ["-i", shop.folder("in.wav")] + outputs, errors: .descriptor(end))
    #expect(try program.wait().status == .exited(5))
  }
}
