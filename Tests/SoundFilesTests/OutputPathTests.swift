import Foundation
import Lab
import SoundFiles
import SplitcapCore
import Testing

@Suite("Output paths")
struct OutputPathTests {
  /// Opens `path`, which is expected to fail.
  private func refusal(
    _ path: String, _ container: Container = .wav, noClobber: Bool = false
  ) -> SplitcapError? {
    let error = #expect(throws: SplitcapError.self) {
      let request = SinkRequest.file(
        .left, path: path, container: container, noClobber: noClobber)
      let sink = try request.open(context(rate: 16_000, channelCount: 1))
      _ = consume sink
    }
    #expect(error?.kind == .sinkFailed && error?.message.contains("'\(path)'") == true)
    return error
  }

  @Test("nothing is made to find out whether a container can be written")
  func encoders() throws {
    let folder = try TemporaryFolder()
    for container in Container.allCases { try container.checkEncoder(for: folder("new.x")) }
    #expect(try folder.contents() == [])
  }

  @Test("in a folder that is not there tell how to make it")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    let error = refusal(folder("a/b/l.wav"))
    #expect(error?.message.hasSuffix("No such file or directory") == true)
    #expect(error?.hint == "make the folder: mkdir -p '\(folder("a/b"))'")
  }

  @Test("through a file that is no folder say which")
  func fileAsFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "file")
    #expect(refusal(folder("file/l.wav"))?.hint == "'\(folder("file"))' is not a folder")
  }

  @Test("that are folders are refused", arguments: [Container.wav, .raw, .flac])
  func isFolder(container: Container) throws {
    let folder = try TemporaryFolder()
    #expect(refusal(folder.path, container)?.message.hasSuffix("Is a directory") == true)
    #expect(refusal(folder("new/"), container)?.message.hasSuffix("Is a directory") == true)
  }

  @Test("that exist are kept under noClobber", arguments: [Container.wav, .raw, .flac])
  func noClobber(container: Container) throws {
    let folder = try TemporaryFolder()
    try folder.write([1, 2, 3], to: "l.x")
    let error = refusal(folder("l.x"), container, noClobber: true)
    #expect(error?.message.hasSuffix("File exists") == true)
    #expect(error?.hint?.contains("--no-clobber") == true)
    #expect(try folder.bytes(of: "l.x") == [1, 2, 3])
  }

  @Test("with names that are too long are refused, with long and foreign names written")
  func names() throws {
    let folder = try TemporaryFolder()
    #expect(
      refusal(folder(String(repeating: "l", count: 300) + ".wav"))?.message
        .hasSuffix("File name too long") == true)
    for name in [String(repeating: "l", count: 240), "Zoë – 左耳 'l' \"$(x)\" %i\n"] {
      let path = folder(name + ".flac")
      let written = ramp(frames: 100, channelCount: 1)
      try record(written, to: path, rate: 16_000, channelCount: 1)
      #expect(try read(path) == written)
    }
  }

  /// Root may write anywhere, so another user tries; in a child, since it counts for a whole
  /// process.
  @Test("that this user may not write say so")
  func notAllowed() async throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "old.wav")
    for (name, mode) in [("old.wav", 0o444), ("", 0o555)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
    }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let user = geteuid()
      if user == 0 { #expect(seteuid(65_534) == 0) }
      defer { _ = seteuid(user) }
      for name in ["new.wav", "old.wav"] {
        let error = #expect(throws: SplitcapError.self) {
          let sink = try SinkRequest.file(.left, path: "\(path)/\(name)")
            .open(context(rate: 16_000, channelCount: 1))
          _ = consume sink
        }
        #expect(error?.message == "cannot write '\(path)/\(name)': Permission denied")
        #expect(error?.hint == "choose a folder that you may write to")
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
  }

  @Test("without a known extension need a container")
  func unknownExtension() throws {
    let folder = try TemporaryFolder()
    for name in ["ear", "ear.xyz", ".wav", "a.wav/ear"] {
      let error = #expect(throws: SplitcapError.self) {
        let sink = try SinkRequest.file(.left, path: folder(name))
          .open(context(rate: 16_000, channelCount: 1))
        _ = consume sink
      }
      #expect(error?.kind == .usage && error?.hint?.contains(".wav .flac .ogg") == true)
    }
    #expect(try folder.contents() == [])
    #expect(Container(path: "/a.b/Ear.WAV") == .wav && Container(path: "x.tar.opus") == .opus)
  }
}
