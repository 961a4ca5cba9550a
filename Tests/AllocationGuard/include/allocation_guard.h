// Watches what the thread that reads a sound device does. See README.md.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// What the file in the variable ALLOCATION_GUARD holds.
struct guard_report {
  _Atomic uint64_t watched_reads;  // reads of a device before which the thread was watched
};
