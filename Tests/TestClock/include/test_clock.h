// A clock for programs under test. See README.md.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// What the file in the variable TEST_CLOCK holds. Whoever makes the file fills it in.
struct test_clock {
  _Atomic int64_t suspended_ns;  // how long the machine was suspended in all
  double speed;                  // how many times faster than ours the clocks run
  int64_t start_ns[3];           // monotonic, boottime, realtime: from when on they do
};
