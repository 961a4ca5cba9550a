import Foundation
import Glibc
import Lab
import Testing

@testable import SplitcapCLI

@Suite("The program")
struct ProgramTests {
  @Test("answers go to standard output, and nothing to standard error")
  func answers() throws {
    for (arguments, text) in [
      (["--version"], HelpText.version), (["--help"], HelpText.short(.record)),
      (["help", "record"], HelpText.long(.record)), (["help", "--man"], ManualPage.text),
      (["completions", "fish"], FishCompletion.script),
    ] {
      let outcome = try Program.run(Program.splitcap, arguments)
      #expect(outcome.text == text && outcome.errors == "" && outcome.status == .exited(0))
    }
  }

  @Test("a usage error is status 2 and one write to standard error, message and hint together")
  func errors() throws {
    // A seqpacket socket keeps writes apart.
    var ends: [Int32] = [0, 0]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    let errors = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    defer { close(ends[0]) }
    let outcome = try Program.run(
      Program.splitcap, ["--lft", "x"], errors: .descriptor(errors.fileDescriptor))
    #expect(outcome.status == .exited(2) && outcome.text == "")
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(ends[0], &buffer, buffer.count)
    #expect(
      String(decoding: buffer.prefix(count), as: UTF8.self)
        == "splitcap: error: there is no option '--lft'\n  hint: did you mean --left?\n")
  }

  @Test("a full standard output is an error, a reader that leaves is none")
  func output() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try Program.run(
      Program.splitcap, ["--help"], output: .descriptor(full.fileDescriptor))
    #expect(outcome.status != .exited(0) && outcome.errors.contains("No space left on device"))
    let script = "trap '' PIPE; { \"$0\" help record; echo $? >&2; } | :"
    #expect(try Program.run("bash", ["-c", script, Program.splitcap]).errors == "0\n")
  }

  @Test("both ears on standard output are refused, however it is spelled")
  func standardOutput() throws {
    let pipe = Pipe()
    for other in ["-", "fd:1", "/dev/stdout", "/dev/fd/1"] {
      let outcome = try Program.run(
        Program.splitcap, ["--left", "-", "--right", other],
        output: .descriptor(pipe.fileHandleForWriting.fileDescriptor))
      #expect(outcome.status == .exited(2))
      #expect(outcome.errors.contains("--left '-' and --right '\(other)'"), "\(outcome.errors)")
    }
  }

  @Test("sound and messages that would go to one file are refused")
  func messages() throws {
    let folder = try TemporaryFolder()
    let file = try Tube.open(folder("both"), O_WRONLY | O_CREAT)
    let outcome = try Program.run(
      Program.splitcap, ["--left", "-"], output: .descriptor(file.fileDescriptor),
      errors: .descriptor(file.fileDescriptor))
    #expect(outcome.status == .exited(2))
    #expect(try folder.text(of: "both").contains("2>splitcap.log"))
  }

  @Test("a file's name can't steer the terminal")
  func controlCharacters() throws {
    let folder = try TemporaryFolder()
    try folder.write("no sound", to: "a\u{1B}[31m.flac")
    let outcome = try Program.run(
      Program.splitcap, ["--input", folder("a\u{1B}[31m.flac"), "--left", folder("l.wav")])
    #expect(outcome.status == .exited(3))
    #expect(outcome.errors.contains("a\\u{1b}[31m.flac"))
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test("a program's failure is seen even where a parent ignored SIGCHLD")
  func ignoredChildren() throws {
    let script = """
      import os, signal, sys
      signal.signal(signal.SIGCHLD, signal.SIG_IGN)
      os.execv(sys.argv[1], ["splitcap", "--input", "exec:head -c 64000 /dev/zero",
        "--input-rate", "16000", "--left", "exec:cat >/dev/null; exit 3"])
      """
    let outcome = try Program.run("python3", ["-c", script, Program.splitcap])
    #expect(outcome.status == .exited(5) && outcome.errors.contains("exited with status 3"))
  }

  @Test("a terminal gets no sound, whatever it is called")
  func terminal() throws {
    for output in ["-", "fd:3", "/dev/tty", "$(tty)", "/dev/fd/1"] {
      let outcome = try Program.run(
        "script",
        ["-qec", "'\(Program.splitcap)' --left \(output) 3>/dev/tty; echo status=$?", "/dev/null"])
      #expect(outcome.text.contains("is a terminal"), "\(output): \(outcome.text)")
      #expect(outcome.text.contains("status=2"), "\(output)")
    }
  }

  @Test("standard output that is not open gets no sound")
  func closedOutput() throws {
    let outcome = try Program.run("bash", ["-c", "\"$0\" --left - >&-", Program.splitcap])
    #expect(outcome.status == .exited(2) && outcome.errors.contains("standard output is not open"))
  }

  @Test("an input that is overwritten through a redirection is found too")
  func redirectedInput() throws {
    let folder = try TemporaryFolder()
    try folder.write("sound", to: "in.wav")
    let outcome = try Program.run(
      "bash", ["-c", "\"$0\" -i - -l \"$1\" <\"$1\"", Program.splitcap, folder("in.wav")])
    #expect(outcome.status == .exited(2) && outcome.errors.contains("would overwrite the input"))
    #expect(try folder.text(of: "in.wav") == "sound")
  }
}
