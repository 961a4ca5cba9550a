// Tells the thread sanitizer of Swift's `Mutex`, linked into all that is built with it.
//
// A mutex that is free is taken and left by atomics in our own code, which the sanitizer sees. One that
// is not is waited for in Swift's library, which knows no sanitizer: what comes before and after would
// look like a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Of the sanitizer; in a library that a program without it loads, there are none.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Weak, since the file may be linked twice.
#define SWIFT __attribute__((swiftcall, weak))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *find(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  ((__attribute__((swiftcall)) void (*)(uint32_t, SELF void *))find(LOCK_SLOW))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((__attribute__((swiftcall)) void (*)(SELF void *))find(UNLOCK_SLOW))(mutex);
}
