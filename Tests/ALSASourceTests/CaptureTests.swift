import ALSASource
import Lab
import SplitcapCore
import Testing

@Suite("Capture from ALSA")
struct CaptureTests {
  @Test(
    "every sample of every format arrives as it was",
    arguments: [
      ("stereo", "S16_LE"), ("s24", "S24_3LE"), ("s32", "S32_LE"), ("float", "FLOAT_LE"),
      ("template:FORMAT=\"S32_LE\"", "S32_LE"),
    ])
  func formats(device: String, format: String) throws {
    var source = try Devices.open(device)
    #expect(source.info.native?.sampleFormat == format)
    // Longer than the ramp, so that each value of a sample has come once.
    let recording = try source.record(33_000)
    #expect(recording.channel(0) == recording.ramp(channel: 0))
    #expect(recording.channel(1) == recording.ramp(channel: 1))
    #expect(recording.gaps.isEmpty)
  }

  @Test("a device without a pace gives its buffer over and over, and nothing is lost")
  func unpaced() throws {
    var source = try Devices.open("free")
    let recording = try source.record(2_000_000)
    #expect(recording.channel(0) == recording.ramp(channel: 0))
    #expect(recording.channel(1) == recording.ramp(channel: 1))
  }

  @Test("reads of one frame give the same samples")
  func tinyReads() throws {
    var source = try Devices.open("ahead")
    var recording = Recording(channelCount: 2)
    try source.record(2_000, into: &recording, blockFrames: 1)
    #expect(recording.channel(0) == recording.ramp(channel: 0, from: 100_000))
  }

  @Test("a read ends with a period, so that the next period's end is not slept through")
  func periods() throws {
    var source = try Devices.open("stereo")
    let periodFrames = source.info.latencyFrames
    var block = [Int16](repeating: 0, count: 2 * 10 * periodFrames)
    var counts: [Int] = []
    while counts.count < 50 {
      var room = block.mutableSpan
      if case .frames(let count) = try source.read(into: &room) { counts.append(count) }
    }
    #expect(counts.allSatisfy { $0.isMultiple(of: periodFrames) }, "\(counts)")
  }

  @Test("what did not fit into one read is given by the next, not a period later")
  func rest() throws {
    // A period of this device takes half a second.
    var source = try Devices.open("slow")
    var recording = Recording(channelCount: 2)
    for _ in 0..<3 {
      var block = [Int16](repeating: 0, count: 2 * 100)
      func read() throws -> Int {
        var room = block.mutableSpan
        guard case .frames(let count) = try source.read(into: &room) else { return 0 }
        recording.samples += block[..<(2 * count)]
        return count
      }
      // What the device has of a period that takes so long comes before it.
      while try read() < 100 {}
      #expect(try read() > 0, "the rest was not there")
    }
    #expect(recording.channel(0) == recording.ramp(channel: 0))
  }

  @Test("a mono device stays mono and says why", arguments: ["mono", "mono24"])
  func mono(device: String) throws {
    var source = try Devices.open(device)
    #expect(source.info.format.channelCount == 1)
    #expect(source.info.native?.channelCount == 1)
    #expect(source.info.ears == ChannelPair(left: 0, right: 0))
    #expect(source.info.monoReason?.contains("'\(device)'") == true)
    let recording = try source.record(3_000)
    #expect(recording.channel(0) == recording.ramp(channel: 0))
  }

  @Test(
    "all channels of a device that has four arrive, each as itself", arguments: ["four", "four32"])
  func four(device: String) throws {
    var source = try Devices.open(device)
    #expect(source.info.format.channelCount == 4)
    #expect(source.info.ears == ChannelPair(left: 0, right: 1))
    let recording = try source.record(3_000)
    for channel in 0..<4 {
      #expect(recording.channel(channel) == recording.ramp(channel: channel))
    }
  }

  @Test(
    "a device that leaves the choice gives two channels, or as many as are needed",
    arguments: [(1, 2), (2, 2), (4, 4), (7, 7), (8, 8), (9, 8)])
  func choice(needed: Int, given: Int) throws {
    var source = try Devices.open("one-to-eight", minimumChannels: needed)
    #expect(source.info.format.channelCount == given)
    let recording = try source.record(1_000)
    #expect(recording.channel(given - 1) == recording.ramp(channel: given - 1))
  }

  @Test("time in the samples is the time at which they are read, a little ago")
  func timePattern() throws {
    var source = try Devices.open("clock")
    let samples = try source.record(1_600).channel(0)
    let now = Int(SystemClock.monotonic / 1_000)
    let times = stride(from: 0, to: 1_600, by: 2).map {
      VirtualHeadset.time(even: samples[$0], odd: samples[$0 + 1])
    }
    // Two frames are 125 µs at 16 kHz.
    for (earlier, later) in zip(times, times.dropFirst()) {
      #expect((later - earlier) & 0x3fff_ffff == 125)
    }
    let age = (now - times[0]) & 0x3fff_ffff
    #expect(age >= 100_000, "1600 frames take 100 ms")
    #expect(age < 20_000_000)
  }

  @Test("a second of sound takes a second", arguments: ["stereo", "s24"])
  func pace(device: String) throws {
    var source = try Devices.open(device)
    let start = ContinuousClock.now
    _ = try source.record(16_000)
    #expect(ContinuousClock.now - start > .milliseconds(990))
  }

  @Test("a source can be read on another thread than the one that opened it")
  func otherThread() throws {
    let source = try Devices.open("stereo")
    let thread = try WorkerThread("reader", source) { source in
      var source = source
      do throws(SplitcapError) {
        let recording = try source.record(1_000)
        #expect(recording.channel(1) == recording.ramp(channel: 1))
      } catch {
        Issue.record(error)
      }
    }
    thread.join()
  }
}
