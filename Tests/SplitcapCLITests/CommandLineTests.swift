import SplitcapCore
import Testing

@testable import SplitcapCLI

/// The error that `body` throws; `nil` if it throws none.
func refusal(_ body: () throws(SplitcapError) -> Void) -> SplitcapError? {
  do throws(SplitcapError) {
    try body()
    return nil
  } catch {
    return error
  }
}

/// What `record` is asked to do by `arguments`.
func record(_ arguments: String...) throws -> RecordOptions {
  guard case .record(let options) = try Invocation(arguments) else {
    throw SplitcapError(.usage, "\(arguments) does not record")
  }
  return options
}

@Suite("Command line")
struct CommandLineTests {
  @Test(
    "an option's value may follow in every way that GNU programs know",
    arguments: [
      ["--left", "l.wav", "--quiet"], ["--left=l.wav", "-q"], ["-l", "l.wav", "-q"],
      ["-ll.wav", "-q"], ["-ql", "l.wav"], ["-qll.wav"], ["record", "-l", "l.wav", "-q"],
      ["-q", "-l", "l.wav", "--"],
    ])
  func forms(arguments: [String]) throws {
    guard case .record(let options) = try Invocation(arguments) else {
      Issue.record("\(arguments) does not record")
      return
    }
    var expected = RecordOptions()
    expected.sinks = [.init(feed: .left, destination: .path("l.wav"))]
    expected.verbosity = .quiet
    #expect(options == expected)
  }

  @Test(
    "a value that begins with an accent is a value",
    arguments: [["--left=\u{301}x"], ["-l\u{301}x"], ["--left", "\u{301}x"]])
  func accents(arguments: [String]) throws {
    guard case .record(let options) = try Invocation(arguments) else {
      Issue.record("\(arguments) does not record")
      return
    }
    #expect(options.sinks.map(\.destination) == [.path("\u{301}x")])
    #expect(try Destination("exec:\u{301}x") == .program("\u{301}x"))
    #expect(throws: SplitcapError.self) { try Destination("fd:\u{301}3") }
  }

  @Test("every option of record arrives in its place")
  func everyOption() throws {
    let options = try record(
      "-l", "a.wav", "-r", "-", "--stereo", "fd:3", "-l", "exec:x y", "--no-clobber",
      "--pipe-format", "wav", "-D", "Jabra", "--backend", "alsa", "--rate", "48000,16000,48000",
      "--resample", "8000", "--channels", "3,4", "--mono", "error", "--latency", "20ms",
      "--duration", "1m30s", "-v", "--no-meter", "--color", "never")
    var expected = RecordOptions()
    expected.sinks = [
      .init(feed: .left, destination: .path("a.wav")),
      .init(feed: .right, destination: .standardOutput),
      .init(feed: .stereo, destination: .descriptor(3)),
      .init(feed: .left, destination: .program("x y")),
    ]
    expected.noClobber = true
    expected.pipeFormat = .wav
    expected.device = "Jabra"
    expected.backend = .alsa
    expected.rates = [48_000, 16_000]
    expected.resample = .rate(8_000)
    expected.channels = ChannelPair(left: 2, right: 3)
    expected.latency = .milliseconds(20)
    expected.limit = .duration(.seconds(90))
    expected.verbosity = .verbose
    expected.meter = false
    expected.color = .never
    #expect(options == expected)
    #expect(options.needsBothEars)
  }

  @Test("an input's layout arrives, and the rest is as documented")
  func input() throws {
    let options = try record(
      "-i", "-", "--input-rate", "8000", "--input-format", "f32be", "--input-channels", "6",
      "-r", "r.flac", "--mono", "copy", "--frames", "123", "--resample", "never")
    var expected = RecordOptions()
    expected.sinks = [.init(feed: .right, destination: .path("r.flac"))]
    expected.input = .standardInput
    expected.inputRate = 8_000
    expected.inputFormat = .f32be
    expected.inputChannels = 6
    expected.mono = .copy
    expected.limit = .frames(123)
    expected.resample = .never
    #expect(options == expected)
    #expect(!options.needsBothEars)
    #expect(options.slowRule == .block)
    #expect(try record("-i", "exec:x", "-l", "-").input == .program("x"))
    #expect(try record("-i", "./fd:3", "-l", "-").input == .file("./fd:3"))
  }

  @Test("what happens to late outputs arrives; a device's default is silence")
  func lateOutputs() throws {
    let options = try record(
      "-l", "exec:cat", "--queue", "2h", "--on-slow", "skip", "--respawn")
    #expect(options.queue == .seconds(7_200) && options.slowRule == .skip && options.respawn)
    #expect(options.rules.queue == .seconds(7_200) && options.rules.onSlow == .skip)
    #expect(options.rules.restartsPrograms)
    #expect(try record("-l", "l.wav").slowRule == .silence)
    #expect(try record("-l", "l.wav", "-i", "-", "--on-slow", "block").slowRule == .block)
  }

  @Test("without options, the defaults are those of the help")
  func defaults() throws {
    let options = try record("--left", "l.wav")
    for option in Option.of(.record) {
      guard let text = option.defaultText else { continue }
      // Given as it is documented, a default changes nothing.
      var arguments = ["--left", "l.wav", option.spelling, text]
      if option.name == .channels { continue }
      var expected = options
      if [.inputFormat, .inputChannels].contains(option.name) {
        arguments += ["--input-rate", "8000", "--input", "-"]
        expected.input = .standardInput
        expected.inputRate = 8_000
      }
      guard case .record(let given) = try Invocation(arguments) else { continue }
      #expect(given == expected, "\(option.spelling)")
    }
  }

  @Test("both ears are wanted if both are given, or both in one")
  func bothEars() throws {
    #expect(try record("-l", "l.wav", "-r", "r.wav").needsBothEars)
    #expect(try record("--stereo", "b.wav").needsBothEars)
    #expect(try !record("-l", "l.wav", "-l", "m.wav").needsBothEars)
  }

  @Test("help and version win over what follows them and over values that mean nothing")
  func requests() throws {
    guard case .shortHelp(.record) = try Invocation(["--rate", "x", "-h", "--nonsense"]),
      case .shortHelp(.devices) = try Invocation(["devices", "--help"]),
      case .version = try Invocation(["-qV"]), case .version = try Invocation(["--version"]),
      case .shortHelp(.record) = try Invocation(["help"]),
      case .longHelp(.devices) = try Invocation(["help", "devices"]),
      case .manual = try Invocation(["help", "--man"]),
      case .completions(.zsh) = try Invocation(["completions", "zsh"])
    else {
      Issue.record("a request was taken for another")
      return
    }
  }

  @Test("devices takes its own options")
  func devices() throws {
    guard
      case .devices(let options) = try Invocation(
        ["devices", "--json", "--backend=pulse", "--rate", "48000", "-v"])
    else {
      Issue.record("not devices")
      return
    }
    var expected = DevicesOptions()
    expected.form = .json
    expected.backend = .pulse
    expected.rates = [48_000]
    expected.isVerbose = true
    #expect(options == expected)
  }
}
