import Foundation
import Lab
import Pipes
import SplitcapCore
import Testing

@Suite("Program as a sink")
struct ProgramSinkTests {
  private func program(
    _ command: String, feed: Feed = .stereo, as format: PipeFormat = .raw
  ) -> SinkRequest {
    .program(feed, command: command, as: format, stdoutToStderr: false)
  }

  @Test("gets every byte on its standard input, and is waited for while it works on them")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let samples = ramp(frames: 100_000)
    let patience = Patience()
    patience.shorten()
    let command = "cat > '\(folder("out"))'; sleep 3; echo worked > '\(folder("said"))'"
    let written = write(samples, to: program(command), context(patience: patience))
    #expect(written.report == SinkReport(bytes: samples.count * 2, programStatus: 0))
    #expect(folder.said("said") == "worked")
    #expect(try folder.bytes(of: "out") == Lab.bytes(of: samples))
  }

  @Test("with a WAV header if asked for one")
  func wave() throws {
    let folder = try TemporaryFolder()
    let command = "cat > '\(folder("out"))'; echo $SPLITCAP_FORMAT > '\(folder("said"))'"
    _ = write([5, 6], to: program(command, as: .wav))
    let format = StreamFormat(sampleRate: 16_000, channelCount: 2)
    let header = WaveHeader(format: format, dataBytes: nil).bytes
    #expect(try folder.bytes(of: "out") == header + [5, 0, 6, 0])
    #expect(folder.said("said") == "wav")
  }

  @Test("is told what it gets: in its environment, and in place of braces in its command")
  func told() throws {
    let folder = try TemporaryFolder()
    unsafe _ = setenv("SPLITCAP_OLD", "1", 1)
    defer { unsafe _ = unsetenv("SPLITCAP_OLD") }
    let command = """
      { env | grep ^SPLITCAP_ | sort; \
      echo {ear} "{rate}" '{channels}' {format} {start} {first_frame} {other} {a,b} ${HOME:+home}; \
      } > '\(folder("said"))'; cat > /dev/null
      """
    let written = write(
      [1], to: program(command, feed: .right), context(.right, rate: 11_025, firstFrame: 42))
    #expect(written.report != nil)
    #expect(
      folder.said("said") == """
        SPLITCAP_CHANNELS=1
        SPLITCAP_EAR=right
        SPLITCAP_FIRST_FRAME=42
        SPLITCAP_FORMAT=s16le
        SPLITCAP_RATE=11025
        SPLITCAP_START=2026-01-31T08:05:00.250Z
        right 11025 1 s16le 2026-01-31T08:05:00.250Z 42 {other} {a,b} home
        """)
  }

  @Test("has three descriptors, no ignored or blocked signal, and a process group of its own")
  func surroundings() throws {
    let folder = try TemporaryFolder()
    let leak = unsafe open("/dev/null", O_RDONLY)  // inherited if nothing closes it
    defer { close(leak) }
    let command = """
      { ls /proc/self/fd | tr '\\n' ' '; grep -E 'Sig(Blk|Ign)' /proc/self/status; \
      echo $$; cut -d' ' -f5 /proc/$$/stat; } > '\(folder("said"))'; cat > /dev/null
      """
    _ = write([1, 2], to: program(command))
    let lines = try #require(folder.said("said")).split(separator: "\n").map(String.init)
    // The last number is the folder that 'ls' reads.
    #expect(lines.first == "0 1 2 3 SigBlk:\t0000000000000000")
    // glibc has two signals of its own, 32 and 33, ignored in all that it spawns.
    let ignored = try #require(UInt64(lines[1].suffix(16), radix: 16))
    #expect(ignored & 0x7fff_ffff == 0)
    #expect(lines.count == 4 && lines[2] == lines[3])
  }

  @Test("a status other than 0, or a signal, is a failed sink that says which")
  func failures() {
    for (command, status, words) in [
      ("cat > /dev/null; exit 3", 3, "status 3"), ("cat > /dev/null; kill -9 $$", 137, "signal 9"),
      ("no-such-command-here 2>/dev/null", 127, "not found"),
      ("/dev/null 2>/dev/null", 126, "not executable"),
    ] {
      let written = write([1, 2], to: program(command))
      #expect(written.finishError?.kind == .sinkFailed, "\(status)")
      #expect(written.finishError?.message.contains(words) == true)
      #expect(written.finishError?.message.contains(command) == true)
      #expect(written.writeError == nil)
      #expect(written.report?.programStatus == status)
    }
  }

  @Test("a program whose status someone else has taken is not said to have ended well")
  func stolenStatus() throws {
    var program = try ChildProcess(shell: "exit 3", input: .nothing, output: .inherited)
    var status: Int32 = 0
    #expect(unsafe waitpid(program.id, &status, 0) == program.id)
    #expect(program.wait(until: { false }) == .unknown)
  }

  @Test("a program that exits 0 before the end has had enough: a normal end")
  func exitsEarly() {
    let written = write(ramp(frames: 200_000), to: program("head -c 1000 > /dev/null"))
    #expect(written.isClosed)
    #expect(written.report?.programStatus == 0)
  }

  @Test("a program that closes its input and goes on is waited for")
  func closesInput() throws {
    let folder = try TemporaryFolder()
    let patience = Patience()
    patience.shorten()
    let command = "exec 0<&-; sleep 3; echo worked > '\(folder("said"))'"
    let written = write([1, 2], to: program(command), context(patience: patience))
    #expect(written.report?.programStatus == 0)
    #expect(folder.said("said") == "worked")
  }

  @Test("a program that takes nothing at the end is ended, with all that it started")
  func takesNothing() throws {
    let folder = try TemporaryFolder()
    let patience = Patience()
    patience.shorten()
    let pid = folder("pid")
    let command = "sleep 1000 & echo $! > '\(pid)'; echo $$ >> '\(pid)'; wait"
    // What fits in the pipe, and what does not.
    for frames in [10, 100_000] {
      let written = write(ramp(frames: frames), to: program(command), context(patience: patience))
      let error = written.writeError ?? written.finishError
      #expect(error?.kind == .sinkFailed)
      #expect(error?.message.contains("took nothing for 2 s") == true)
      for id in try #require(folder.said("pid")).split(separator: "\n") {
        try waitUntil("it has ended") { !isRunning(String(id)) }
      }
    }
  }

  @Test("a program that ignores SIGTERM is killed")
  func ignoresTermination() throws {
    let folder = try TemporaryFolder()
    let patience = Patience()
    patience.shorten()
    let command = "trap '' TERM; echo $$ > '\(folder("pid"))'; while :; do sleep 1; done"
    let written = write([1, 2], to: program(command), context(patience: patience))
    #expect(written.finishError?.kind == .sinkFailed)
    let id = try #require(folder.said("pid"))
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(id)"))
  }

  @Test("the end of patience ends a program that is still at work, and no zombie stays")
  func endedAtWork() throws {
    let folder = try TemporaryFolder()
    let patience = Patience()
    let request = program("cat > /dev/null; echo $$ > '\(folder("pid"))'; sleep 1000")
    let writer = Background { write([1, 2], to: request, context(patience: patience)) }
    try waitUntil("it has started") { folder.said("pid")?.isEmpty == false }
    patience.shorten()
    usleep(100_000)
    patience.end()
    #expect(writer.wait()?.finishError?.kind == .cancelled)
    let id = try #require(folder.said("pid"))
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(id)"))
  }

  @Test("what it prints goes to standard error when sound has standard output")
  func printed() throws {
    let folder = try TemporaryFolder()
    let command = "echo words; cat > /dev/null"
    let request = SinkRequest.program(.stereo, command: command, as: .raw, stdoutToStderr: true)
    // Our standard error is a file while the program starts.
    let file = unsafe open(folder("stderr"), O_WRONLY | O_CREAT, 0o600)
    let saved = dup(STDERR_FILENO)
    dup2(file, STDERR_FILENO)
    let written = write([1, 2], to: request) {
      dup2(saved, STDERR_FILENO)
      close(saved)
      close(file)
    }
    #expect(written.report?.programStatus == 0)
    #expect(folder.said("stderr") == "words")
  }
}

@Suite("Shell words")
struct ShellCommandTests {
  @Test("a value stays one word, whatever is in it")
  func quoting() {
    #expect(ShellCommand.quoted("16000") == "16000")
    #expect(ShellCommand.quoted("") == "''")
    #expect(ShellCommand.quoted("a b") == "'a b'")
    #expect(ShellCommand.quoted("it's $HOME") == #"'it'\''s $HOME'"#)
    let command = "printf %s {path} {} {path"
    let facts = ShellCommand.Facts([("path", "x; rm y")])
    #expect(facts.fill(command) == "printf %s 'x; rm y' {} {path")
  }

  @Test("a time is RFC 3339 in UTC, with milliseconds")
  func timestamps() {
    #expect(Timestamp.rfc3339(nanoseconds: 0) == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp.rfc3339(nanoseconds: 951_827_696_789_999_999) == "2000-02-29T12:34:56.789Z")
  }
}
