import Foundation
import Lab

/// A long recording of an unlucky device into two files that are cut, and a slow program.
struct Soak {
  let hours: Double
  /// How many times faster than ours the recording's time passes.
  let speed: Double
  let seed: UInt64

  private static let rate = 16_000

  /// By how many frames a gap may be wrong.
  ///
  /// 20 ms is what is promised. A moment in which the machine does something else lasts `speed` times as long for the recording, which can't read its clocks.
  private var limit: Int { Int(Double(Self.rate) * (0.020 + 0.005 * speed)) }

  /// Records, and prints what was found.
  ///
  /// - Returns: What is wrong, in sentences.
  func run() throws -> [String] {
    let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
    var headset = VirtualHeadset("headset", rates: [Self.rate])
    headset.faults = FaultScript(seconds: hours * 3_600, seed: seed).faults
    headset.keepsTimeline = true
    let headsets = try VirtualHeadsets([headset])
    let clock = try TestClock(in: folder, speed: speed)
    var environment: [String: String?] = [
      "HOME": home.path, "XDG_RUNTIME_DIR": home.path, "PULSE_SERVER": nil,
    ]
    environment.merge(headsets.environment) { $1 }
    environment.merge(clock.environment) { $1 }

    var recorded = try Recorded(in: folder, misplacement: limit)
    let ourselves = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let frames = Int(hours * 3_600) * Self.rate
    let reader = "\(ourselves) read \(folder("reader")) \(frames - 600 * Self.rate)"
    print(
      "\(hours) h at \(speed) times the speed, \(headset.faults.count) faults of seed \(seed)")
    let start = ContinuousClock.now
    let program = try Program(
      Program.splitcap,
      [
        "--backend", "alsa", "--device", "headset", "--left", "l-%6i.wav", "--right", "r-%6i.wav",
        "--segment", "10m", "--stereo", "exec:\(reader)", "--on-slow", "silence",
        "--events", "events.jsonl", "--duration", "\(Int(hours * 3_600))s", "--quiet",
      ], environment: environment, folder: folder.path)
    var watch = ProcessWatch(program.pid)
    while program.isRunning {
      try recorded.takeNews()
      let hour = (ContinuousClock.now - start) / .seconds(3_600) * speed
      if hour < hours { watch.look(hour: Int(hour)) }
      pause(milliseconds: 100)
    }
    let outcome = try program.wait()
    try recorded.takeNews()
    print("took \(Int((ContinuousClock.now - start) / .seconds(1))) s")
    let report = try? JSONDecoder().decode(
      SlowReader.Report.self, from: Data(folder.bytes(of: "reader")))
    return Verdict(
      frames: frames, rate: Self.rate, limit: limit, outcome: outcome,
      recorded: recorded, watch: watch, reader: report
    ).complaints + leftovers(in: try folder.contents())
  }

  /// Files that should have been renamed, and others that nobody knows of.
  private func leftovers(in names: [String]) -> [String] {
    let known = names.filter { name in
      ["events.jsonl", "reader"].contains(name) || name.hasPrefix("clock-")
    }
    return known.count == names.count ? [] : ["the folder still has \(names)"]
  }
}
