import Foundation

extension Program {
  /// Processor time that it has used so far, in seconds; that of its children is theirs.
  public var processorSeconds: Double {
    get throws {
      var clock = clockid_t()
      var time = timespec()
      guard unsafe clock_getcpuclockid(pid, &clock) == 0,
        unsafe clock_gettime(clock, &time) == 0
      else { throw LabError("'\(command)' has ended") }
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
  }
}
