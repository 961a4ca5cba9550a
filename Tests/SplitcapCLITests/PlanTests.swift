import Foundation
import Glibc
import Lab
import SplitcapCore
import Testing

@testable import SplitcapCLI

/// Plans a recording in which every `@` is the path of a folder.
private func plan(_ folder: TemporaryFolder, _ arguments: String...) throws(SplitcapError)
  -> RecordPlan
{
  let words = arguments.map { $0.replacing("@", with: folder.path) }
  guard case .record(let options) = try Invocation(words) else {
    throw SplitcapError(.usage, "\(words) does not record")
  }
  return try RecordPlan(options)
}

/// Checks that a plan is refused, and that nothing was made or changed for it.
private func expectRefusal(
  _ folder: TemporaryFolder, _ message: String, _ hint: String, _ arguments: String...,
  at location: SourceLocation = #_sourceLocation
) {
  let before = (try? folder.contents())
  let error = refusal { () throws(SplitcapError) in
    let words = arguments.map { $0.replacing("@", with: folder.path) }
    guard case .record(let options) = try Invocation(words) else { return }
    _ = try RecordPlan(options)
  }
  #expect(error?.kind == .usage, sourceLocation: location)
  #expect(error?.message.contains(message) == true, "\(error as Any)", sourceLocation: location)
  #expect(error?.hint?.contains(hint) == true, "\(error as Any)", sourceLocation: location)
  #expect((try? folder.contents()) == before, sourceLocation: location)
}

@Suite("Run plan")
struct PlanTests {
  @Test("every destination becomes what stands at the other end, and nothing is made")
  func targets() throws {
    let folder = try TemporaryFolder()
    for name in ["pipe", "pipe.wav", "pipe.raw", "odd.left"] {
      #expect(unsafe mkfifo(folder(name), 0o600) == 0)
    }
    let pipe = Pipe()
    let number = pipe.fileHandleForWriting.fileDescriptor
    let plan = try plan(
      folder, "--pipe-format", "raw", "-l", "@/l.WAV", "-r", "@/r.flac", "-l", "@/pipe", "-l",
      "@/pipe.wav", "-l", "@/pipe.raw", "-l", "@/odd.left", "-l", "/dev/null", "-r", "/dev/null",
      "-l", "exec:cat", "-r", "exec:cat", "--stereo", "fd:\(number)")
    #expect(
      plan.sinks.map(\.target) == [
        .file(path: folder("l.WAV"), .wav), .file(path: folder("r.flac"), .flac),
        .fifo(path: folder("pipe"), .raw), .fifo(path: folder("pipe.wav"), .wav),
        .fifo(path: folder("pipe.raw"), .raw), .fifo(path: folder("odd.left"), .raw),
        .characterDevice(path: "/dev/null", .raw), .characterDevice(path: "/dev/null", .raw),
        .program(command: "cat", .raw), .program(command: "cat", .raw), .descriptor(number, .raw),
      ])
    #expect(plan.sinks[1].name == folder("r.flac") && plan.sinks[1].feed == .right)
    #expect(try Set(folder.contents()) == ["pipe", "pipe.wav", "pipe.raw", "odd.left"])
  }

  @Test("--pipe-format is for what has no extension of its own")
  func pipeFormat() throws {
    let folder = try TemporaryFolder()
    #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
    #expect(unsafe mkfifo(folder("pipe.raw"), 0o600) == 0)
    let plan = try plan(
      folder, "--pipe-format", "wav", "-l", "@/pipe", "-l", "@/pipe.raw", "-l", "exec:cat")
    #expect(
      plan.sinks.map(\.target) == [
        .fifo(path: folder("pipe"), .wav), .fifo(path: folder("pipe.raw"), .raw),
        .program(command: "cat", .wav),
      ])
  }

  @Test("a shell's name for a descriptor is that descriptor")
  func descriptorPaths() throws {
    let folder = try TemporaryFolder()
    let pipe = Pipe()
    let number = pipe.fileHandleForWriting.fileDescriptor
    let plan = try plan(folder, "-l", "/dev/fd/\(number)")
    #expect(plan.sinks.map(\.target) == [.descriptor(number, .raw)])
    let file = try Tube.open(folder("taken.raw"), O_WRONLY | O_CREAT)
    expectRefusal(
      folder, "same file", "--stereo", "-l", "fd:\(file.fileDescriptor)", "-r", "@/taken.raw")
  }

  @Test(
    "one file is found out under every spelling, whether it exists or not",
    arguments: [
      ("l.wav", "l.wav"), ("l.wav", "./l.wav"), ("l.wav", "sub/../l.wav"), ("l.wav", "here/l.wav"),
      ("there.wav", "hard.wav"), ("there.wav", "soft.wav"),
      ("new.wav", "dangling.wav"), ("sub/n.wav", "chain.wav"), ("l.wav", ".//l.wav"),
    ])
  func sameFile(first: String, second: String) throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder("sub"), withIntermediateDirectories: false)
    try folder.write("kept", to: "there.wav")
    try manager.linkItem(atPath: folder("there.wav"), toPath: folder("hard.wav"))
    for (name, target) in [
      ("here", "."), ("soft.wav", "there.wav"), ("dangling.wav", "new.wav"),
      ("chain.wav", "sub/link.wav"), ("sub/link.wav", "n.wav"),
    ] {
      try manager.createSymbolicLink(atPath: folder(name), withDestinationPath: target)
    }
    expectRefusal(folder, "are the same file", "--stereo", "-l", "@/\(first)", "-r", "@/\(second)")
    expectRefusal(folder, "are the same file", "--stereo", "-l", "@/\(second)", "-l", "@/\(first)")
    #expect(try folder.text(of: "there.wav") == "kept")
  }

  @Test("names that differ in case only are refused before some file system makes them one file")
  func sameLetters() throws {
    let folder = try TemporaryFolder()
    expectRefusal(
      folder, "differ in upper and lower case only", "--stereo", "-l", "@/l.wav", "-r", "@/L.WAV")
    // Two files that exist are two files.
    try folder.write("", to: "a.wav")
    try folder.write("", to: "A.wav")
    if try folder.contents().count == 2 { _ = try plan(folder, "-l", "@/a.wav", "-r", "@/A.wav") }
  }

  @Test("files that differ are not taken for one")
  func differentFiles() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder("sub"), withIntermediateDirectories: false)
    _ = try plan(folder, "-l", "@/x.wav", "-r", "@/sub/x.wav", "--stereo", "@/x.flac")
  }

  @Test("the input is never overwritten")
  func input() throws {
    let folder = try TemporaryFolder()
    try folder.write("sound", to: "in.wav")
    try FileManager.default.linkItem(atPath: folder("in.wav"), toPath: folder("same.wav"))
    expectRefusal(
      folder, "would overwrite the input", "another name", "-i", "@/in.wav", "-l", "@/same.wav")
    #expect(try folder.text(of: "in.wav") == "sound")
    // A missing input is left to whoever opens it.
    _ = try plan(folder, "-i", "@/none.wav", "-l", "@/l.wav")
  }

  @Test("a path that can't be written is found before anything is opened")
  func paths() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    expectRefusal(folder, "no folder", "mkdir -p", "-l", "@/no/such/l.wav")
    expectRefusal(folder, "is a folder", "left.wav", "-l", "@")
    expectRefusal(folder, "is a folder", "left.wav", "-l", "@/")
    expectRefusal(folder, "is a folder", "left.wav", "-l", "@/new/")
    expectRefusal(folder, "Not a directory", "choose", "-l", "@/file/l.wav")
    let long = String(repeating: "x", count: 300)
    expectRefusal(folder, "File name too long", "choose", "-l", "@/\(long).wav")
    try FileManager.default.createSymbolicLink(
      atPath: folder("loop.wav"), withDestinationPath: "loop.wav")
    expectRefusal(folder, "symbolic links", "choose", "-l", "@/loop.wav")
  }

  @Test("a folder or file that this user may not write to is found too")
  func permissions() throws {
    let folder = try TemporaryFolder()
    try folder.write("kept", to: "old.wav")
    let isRoot = geteuid() == 0
    let setfsuid = unsafe unsafeBitCast(
      dlsym(nil, "setfsuid"), to: (@convention(c) (UInt32) -> Int32).self)
    #expect(unsafe chmod(folder("old.wav"), 0o444) == 0)
    #expect(unsafe chmod(folder.path, 0o555) == 0)
    // Root may write anywhere; this thread gives up that right for as long as it takes.
    if isRoot { _ = setfsuid(65534) }
    defer {
      if isRoot { _ = setfsuid(0) }
      unsafe _ = chmod(folder.path, 0o755)
    }
    expectRefusal(folder, "Permission denied", "may write to", "-l", "@/new.wav")
    expectRefusal(folder, "Permission denied", "may write to", "-l", "@/old.wav")
  }

  @Test("--no-clobber protects a file that exists, and only that")
  func noClobber() throws {
    let folder = try TemporaryFolder()
    try folder.write("kept", to: "old.wav")
    expectRefusal(folder, "--no-clobber", "another name", "--no-clobber", "-l", "@/old.wav")
    #expect(try folder.text(of: "old.wav") == "kept")
    _ = try plan(folder, "--no-clobber", "-l", "@/new.wav", "-r", "/dev/null")
    _ = try plan(folder, "-l", "@/old.wav")
  }

  @Test("an extension that is missing or unknown is named, with those that are known")
  func extensions() throws {
    let folder = try TemporaryFolder()
    expectRefusal(folder, "'.wave'", "did you mean .wav?", "-l", "@/l.wave")
    expectRefusal(folder, "'.flc'", "did you mean .flac?", "-l", "@/l.flc")
    expectRefusal(folder, "'.xyz'", "flac", "-l", "@/l.xyz")
    expectRefusal(folder, "no extension", "l.wav", "-l", "@/l")
    expectRefusal(folder, "no extension", ".wav.wav", "-l", "@/.wav")
    expectRefusal(folder, "no extension", "l..wav", "-l", "@/l.")
    expectRefusal(folder, "no extension", "--rate 16000", "-r", "16000")
    #expect(unsafe mkfifo(folder("pipe.caf"), 0o600) == 0)
    expectRefusal(folder, "cannot take caf", "exec:", "-l", "@/pipe.caf")
  }

  @Test("a descriptor must be open, for writing, and not the one of the messages")
  func descriptors() throws {
    let folder = try TemporaryFolder()
    let pipe = Pipe()
    expectRefusal(
      folder, "is not open for writing", "l.raw", "-l",
      "fd:\(pipe.fileHandleForReading.fileDescriptor)")
    expectRefusal(folder, "is not open", "1000000>l.raw", "-l", "fd:1000000")
    expectRefusal(folder, "standard error", "--left -", "-l", "fd:2")
    expectRefusal(folder, "standard error", "--left -", "-l", "/dev/stderr")
    let number = pipe.fileHandleForWriting.fileDescriptor
    expectRefusal(
      folder, "are the same file", "--stereo", "-l", "fd:\(number)", "-r", "fd:\(number)")
    let copy = dup(number)
    defer { close(copy) }
    expectRefusal(folder, "are the same file", "--stereo", "-l", "fd:\(number)", "-r", "fd:\(copy)")
  }

  @Test("a socket is no output")
  func sockets() throws {
    let folder = try TemporaryFolder()
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(folder("s.wav").utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let status = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(status == 0)
    expectRefusal(folder, "is a socket", "exec:COMMAND", "-l", "@/s.wav")
  }
}
