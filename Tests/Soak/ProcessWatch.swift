import Foundation

/// What a process holds, hour by hour of its own time.
struct ProcessWatch {
  private let pid: pid_t
  /// What was held at each look, by hour.
  private var hours: [[Look]] = []

  private struct Look {
    var residentKiB: Int
    var descriptors: Int
    var threads: Int
  }

  /// The medians of an hour.
  struct Hour {
    let residentKiB: Int
    let descriptors: Int
    let threads: Int
  }

  init(_ pid: pid_t) { self.pid = pid }

  /// Looks now, in an hour counted from 0; nothing if the process has ended.
  mutating func look(hour: Int) {
    func count(_ folder: String) -> Int? {
      try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/\(folder)").count
    }
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let resident = Int(line.filter(\.isNumber)), let descriptors = count("fd"),
      let threads = count("task")
    else { return }
    while hours.count <= hour { hours.append([]) }
    hours[hour].append(Look(residentKiB: resident, descriptors: descriptors, threads: threads))
  }

  /// The hours that were looked at.
  var medians: [Hour] {
    hours.filter { !$0.isEmpty }.map { looks in
      func median(_ value: (Look) -> Int) -> Int { looks.map(value).sorted()[looks.count / 2] }
      return Hour(
        residentKiB: median(\.residentKiB), descriptors: median(\.descriptors),
        threads: median(\.threads))
    }
  }
}
