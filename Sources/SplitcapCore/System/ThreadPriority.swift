private import CLinux
private import Glibc

/// How soon the system lets a thread run that has something to do.
package enum ThreadPriority: Sendable, Equatable {
  /// SCHED_FIFO: before every normal thread.
  case realTime(Int)
  /// A nice value below 0: more often than other threads.
  case nice(Int)
  /// As any other thread.
  case normal
  /// Somebody chose a policy or a nice value for this program, which stays.
  case chosen

  // Just below the 5 that PulseAudio gives its own threads, since what delivers must go first, and
  // far below the 50 of interrupt threads. Any real time priority is above all that is normal.
  private static let wantedRealTime = 4
  // A step less than what sound servers give themselves, which is -11.
  private static let wantedNice: Int32 = -10

  /// On Linux, a process of 0 is the calling thread, and nice values are a thread's own.
  private static let thisThread = __priority_which_t(PRIO_PROCESS.rawValue)

  /// Raises the calling thread as far as the user's limits allow, and says how far that was.
  ///
  /// Threads and programs that it starts from then on are not raised. Not to be called while
  /// frames flow.
  ///
  /// The corresponding C functions are `sched_setscheduler` and `setpriority`.
  package static func raise() -> ThreadPriority {
    guard sched_getscheduler(0) == SCHED_OTHER, getpriority(thisThread, 0) == 0 else {
      return .chosen
    }
    let limit = min(softLimit(of: __RLIMIT_RTPRIO), wantedRealTime)
    // With the privilege to do so, no limit counts.
    for priority in [wantedRealTime, limit] where priority > 0 && set(SCHED_FIFO, priority) {
      return .realTime(priority)
    }
    // On its own, since a nice value is inherited without this.
    guard set(SCHED_OTHER, 0) else { return .normal }
    // The limit counts down from 20: 30 allows -10.
    let lowest = 20 - Int32(clamping: softLimit(of: __RLIMIT_NICE))
    for nice in [wantedNice, lowest] where nice < 0 && setpriority(thisThread, 0, nice) == 0 {
      return .nice(Int(nice))
    }
    return .normal
  }

  private static func set(_ policy: Int32, _ priority: Int) -> Bool {
    var parameter = sched_param(sched_priority: Int32(priority))
    let policy = policy | Int32(splitcap_reset_on_fork)
    return unsafe sched_setscheduler(0, policy, &parameter) == 0
  }

  private static func softLimit(of resource: __rlimit_resource) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }
}
