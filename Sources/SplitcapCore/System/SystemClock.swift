private import Glibc

/// The clocks of the system, in nanoseconds.
package enum SystemClock {
  /// CLOCK_MONOTONIC: never set, stands still while the machine is suspended.
  package static var monotonic: Int64 { read(CLOCK_MONOTONIC) }

  /// CLOCK_BOOTTIME: as ``monotonic``, but goes on while the machine is suspended.
  package static var boot: Int64 { read(CLOCK_BOOTTIME) }

  /// CLOCK_REALTIME: since 1970 (UTC); may be set.
  package static var wall: Int64 { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
