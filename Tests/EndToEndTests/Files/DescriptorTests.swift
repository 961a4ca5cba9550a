import Foundation
import Lab
import Testing

@Suite("Standard output and descriptors")
struct DescriptorTests {
  @Test("P35: bytes on standard output are frames × 2, exactly, under every flag")
  func clean() throws {
    let shop = try Workshop()
    let wanted = bytes(of: Workshop.left)
    for flags in [
      "", "-q", "-v", "--no-meter", "--color always", "-r r.wav",
      "-r 'exec:cat >/dev/null; echo said'",
      "-r exec:cat", "--stereo b.flac -v", "--pipe-format raw",
    ] {
      let outcome = try shop.run("splitcap -i in.wav -l - \(flags)", expecting: 0)
      #expect(outcome.output.count == 2 * Workshop.frames, "\(flags)")
      #expect(outcome.output == wanted, "\(flags)")
    }
    // A program's own words go where all words go.
    let outcome = try shop.run("splitcap -q -i in.wav -l - -r 'exec:wc -c'", expecting: 0)
    #expect(outcome.output == wanted && outcome.errors == "\(2 * Workshop.frames)\n")
  }

  @Test("P35: with a meter on the terminal, too")
  func meter() throws {
    let shop = try Workshop()
    // The sound goes on at the speed of a device, so that the meter is drawn meanwhile.
    let source = "for i in 1 2 3 4; do head -c 64000 /dev/zero; sleep 0.15; done"
    let outcome = try shop.run(
      """
      script -qec "(\(source)) | splitcap -i - --input-rate 16000 -l - >out" /dev/null </dev/null
      """, expecting: 0)
    #expect(outcome.text.contains("L [") && outcome.text.contains("R ["))
    #expect(try shop.folder.bytes(of: "out") == [UInt8](repeating: 0, count: 4 * 32_000))
  }

  @Test(
    "--stereo - is both ears interleaved, --right - the right one, fd:1 and /dev/stdout the same")
  func feeds() throws {
    let shop = try Workshop()
    for (options, wanted) in [
      ("--stereo -", Workshop.stereo), ("-r -", Workshop.right), ("-l fd:1", Workshop.left),
      ("-r /dev/stdout", Workshop.right), ("-l /dev/fd/1", Workshop.left),
    ] {
      let outcome = try shop.run("splitcap -q -i in.wav \(options)", expecting: 0)
      expectSame(try samples(of: outcome.output), wanted, options)
    }
    // A file that the shell opened: what was in it stays.
    try shop.run("echo words >out; splitcap -q -i in.wav --frames 2 -l - >>out", expecting: 0)
    #expect(try shop.folder.bytes(of: "out") == Array("words\n".utf8) + [1, 0, 2, 0])
  }

  @Test("W13: --pipe-format wav puts 44 bytes before the sound, whose sizes say that there is none")
  func streamingHeader() throws {
    let shop = try Workshop()
    let outcome = try shop.run(
      "splitcap -q -i in.wav --pipe-format wav -l - -r fd:3 3>r.wav", expecting: 0)
    let left = try WaveFile(outcome.output, streaming: true)
    let right = try WaveFile(shop.folder.bytes(of: "r.wav"), streaming: true)
    #expect(left.rate == Workshop.rate && left.channels == 1 && right.channels == 1)
    expectSame(left.samples, Workshop.left)
    expectSame(right.samples, Workshop.right)
    // Readers of streams take it for what it is.
    for reader in ["ffmpeg -v error -i - -f s16le -", "sox -V1 -D -t wav - -t raw -"] {
      let copy = try shop.run(
        "splitcap -q -i in.wav --pipe-format wav -r - | \(reader)", expecting: 0)
      expectSame(try samples(of: copy.output), Workshop.right, reader)
    }
  }

  @Test("fd:N is any open descriptor: a file, a pipe, a socket")
  func descriptors() throws {
    let shop = try Workshop()
    try shop.run(
      "splitcap -q -i in.wav -l fd:3 -r fd:11 --stereo fd:4 3>l.raw 11> >(cat >r.raw) 4>b.raw; wait",
      expecting: 0)
    expectSame(try shop.raw("l.raw"), Workshop.left)
    try waitUntil("the reader has all") {
      shop.size("r.raw") == 2 * Workshop.frames
    }
    expectSame(try shop.raw("r.raw"), Workshop.right)
    expectSame(try shop.raw("b.raw"), Workshop.stereo)

    // A socket is what `socat`, systemd and inetd give.
    try shop.run(
      """
      python3 -c '
      import socket, subprocess
      ours, theirs = socket.socketpair()
      with theirs:
          child = subprocess.Popen(
              ["splitcap", "-q", "-i", "in.wav", "-l", "fd:%d" % theirs.fileno()],
              pass_fds=[theirs.fileno()])
      with open("socket.raw", "wb") as file:
          while part := ours.recv(65536): file.write(part)
      exit(child.wait())'
      """, expecting: 0)
    expectSame(try shop.raw("socket.raw"), Workshop.left)
  }

  @Test("standard descriptors that are closed get no sound, and no file gets their number")
  func closed() throws {
    let shop = try Workshop()
    try shop.expectRefusal(
      2, "standard output is not open", hint: "splitcap --left - |",
      of: "splitcap -i in.wav -l - -r r.wav >&-")
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
      // What the program says, and what its child says, must not land in the sound.
      try shop.run(
        "splitcap -v -i in.wav -l l.wav -r r.raw -l 'exec:cat >/dev/null; echo said 2>&-; true' \(closed)",
        expecting: 0)
      expectSame(try shop.wave("l.wav"), Workshop.left, closed)
      expectSame(try shop.raw("r.raw"), Workshop.right, closed)
    }
  }
}
