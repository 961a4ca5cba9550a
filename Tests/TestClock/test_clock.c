// Another time for a program: clocks that jump as after a suspend, or run fast.
#define _GNU_SOURCE
#include "test_clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static struct test_clock *shared;

// The functions that stand behind ours.
static int (*next_clock_gettime)(clockid_t, struct timespec *);
static int (*next_ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static int (*next_nanosleep)(const struct timespec *, struct timespec *);
static int (*next_clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
static int (*next_sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
static int (*next_sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
static int (*next_timerfd_settime)(int, int, const struct itimerspec *, struct itimerspec *);

static void find(void *place, const char *name) {
  *(void **)place = dlsym(RTLD_NEXT, name);
  if (!*(void **)place) abort();
}

__attribute__((constructor)) static void open_clock(void) {
  if (next_clock_gettime) return;
  find(&next_ppoll, "ppoll");
  find(&next_nanosleep, "nanosleep");
  find(&next_clock_nanosleep, "clock_nanosleep");
  find(&next_sigtimedwait, "sigtimedwait");
  find(&next_sem_clockwait, "sem_clockwait");
  find(&next_timerfd_settime, "timerfd_settime");
  find(&next_clock_gettime, "clock_gettime");
  const char *path = getenv("TEST_CLOCK");
  const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *place = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (place != MAP_FAILED) shared = place;
}

// MARK: Arithmetic

static int64_t ns_of(struct timespec time) {
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static struct timespec time_of(int64_t ns) {
  return (struct timespec){ns / 1000000000, ns % 1000000000};
}

// The start of a clock that is changed; NULL for others, such as CPU time.
static const int64_t *start_of(clockid_t clock) {
  if (!shared) return NULL;
  switch (clock) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW: return &shared->start_ns[0];
    case CLOCK_BOOTTIME: return &shared->start_ns[1];
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return &shared->start_ns[2];
    default: return NULL;
  }
}

// What a suspend adds to a clock: it is what CLOCK_MONOTONIC leaves out.
static int64_t suspended_ns(const int64_t *start) {
  return start == &shared->start_ns[0] ? 0 : shared->suspended_ns;
}

// A length of the program's time in ours.
static struct timespec shortened(struct timespec length) {
  if (!shared) return length;
  const int64_t ns = ns_of(length);
  const int64_t real = (int64_t)((double)ns / shared->speed);
  // What is not 0 must not become 0, which often means never.
  return time_of(ns > 0 && real == 0 ? 1 : real);
}

// A point of the program's time in ours.
static struct timespec real_time(clockid_t clock, struct timespec time) {
  const int64_t *start = start_of(clock);
  if (!start || ns_of(time) == 0) return time;
  const double since = (double)(ns_of(time) - suspended_ns(start) - *start) / shared->speed;
  const int64_t real = *start + (int64_t)since;
  return time_of(real > 0 ? real : 1);
}

// MARK: The functions that programs call

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!next_clock_gettime) open_clock();
  const int status = next_clock_gettime(clock, time);
  const int64_t *start = status == 0 ? start_of(clock) : NULL;
  if (!start) return status;
  const double since = (double)(ns_of(*time) - *start) * shared->speed;
  *time = time_of(*start + (int64_t)since + suspended_ns(start));
  return 0;
}

int poll(struct pollfd *fds, nfds_t count, int milliseconds) {
  const struct timespec time = shortened(time_of(milliseconds * INT64_C(1000000)));
  return next_ppoll(fds, count, milliseconds < 0 ? NULL : &time, NULL);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  const struct timespec time = limit ? shortened(*limit) : (struct timespec){0};
  return next_ppoll(fds, count, limit ? &time : NULL, mask);
}

// The rest after an interruption is our time; no program here asks for it.
int nanosleep(const struct timespec *length, struct timespec *rest) {
  const struct timespec time = shortened(*length);
  return next_nanosleep(&time, rest);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *rest) {
  const struct timespec time =
      flags & TIMER_ABSTIME ? real_time(clock, *wanted) : shortened(*wanted);
  return next_clock_nanosleep(clock, flags, &time, rest);
}

int usleep(useconds_t microseconds) {
  const struct timespec time = time_of(microseconds * INT64_C(1000));
  return nanosleep(&time, NULL);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit) {
  const struct timespec time = limit ? shortened(*limit) : (struct timespec){0};
  return next_sigtimedwait(set, info, limit ? &time : NULL);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end) {
  const struct timespec time = real_time(clock, *end);
  return next_sem_clockwait(semaphore, clock, &time);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, end);
}

// Timers here are of CLOCK_MONOTONIC.
int timerfd_settime(int fd, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
  const struct itimerspec timer = {
      .it_interval = shortened(wanted->it_interval),
      .it_value = flags & TFD_TIMER_ABSTIME ? real_time(CLOCK_MONOTONIC, wanted->it_value)
                                            : shortened(wanted->it_value),
  };
  return next_timerfd_settime(fd, flags, &timer, old);
}
