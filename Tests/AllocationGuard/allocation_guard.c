// Ends a program whose capture thread allocates, locks or does input or output between two reads.
#define _GNU_SOURCE
#include "allocation_guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// MARK: What is known

static struct guard_report *report;
// A violation to make, in order to see that it is seen; NULL: none.
static const char *provoked;

// Code of the program and of Swift, and this library's own, which provokes.
static struct {
  uintptr_t start, end;
} own_code[64];
static unsigned int own_code_count;

// A thread becomes watched some time after its first read of a device. What it does then is told
// at its next read: without one it was on its way out, where all is allowed.
struct watch {
  int64_t first_read_ns;
  bool is_armed;
  bool is_busy;  // in here, which may allocate
  const char *violation;
  void *stack[40];
  int depth;
};
static _Thread_local struct watch watch __attribute__((tls_model("initial-exec")));
static const int64_t start_up_ns = 2000000000;

static void find(void *place, const char *name) {
  *(void **)place = dlsym(RTLD_NEXT, name);
  if (!*(void **)place) abort();
}

static int remember_own_code(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size, (void)data;
  const uintptr_t here = (uintptr_t)&remember_own_code;
  const bool is_named = *object->dlpi_name && !strstr(object->dlpi_name, "/libswift");
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    const uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (is_named && !(here >= start && here < end)) continue;
    if (own_code_count == sizeof own_code / sizeof *own_code) abort();
    own_code[own_code_count].start = start;
    own_code[own_code_count++].end = end;
  }
  return 0;
}

__attribute__((constructor)) static void open_guard(void) {
  void *stack[1];
  backtrace(stack, 1);  // loads what it needs
  dl_iterate_phdr(remember_own_code, NULL);
  provoked = getenv("ALLOCATION_GUARD_PROVOKE");
  const char *path = getenv("ALLOCATION_GUARD");
  const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *place = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (place != MAP_FAILED) report = place;
}

// MARK: Watching

static void note(const char *what) {
  if (!watch.is_armed || watch.is_busy || watch.violation) return;
  watch.is_busy = true;
  watch.violation = what;
  watch.depth = backtrace(watch.stack, sizeof watch.stack / sizeof *watch.stack);
  watch.is_busy = false;
}

// Locks, input and output of a sound library are its own affair.
static void note_own(const char *what, const void *caller) {
  if (!watch.is_armed) return;
  for (unsigned int i = 0; i < own_code_count; i++)
    if ((uintptr_t)caller >= own_code[i].start && (uintptr_t)caller < own_code[i].end)
      return note(what);
}

static void tell(void) {
  watch.is_busy = true;
  char line[200];
  const int length = snprintf(line, sizeof line,
                              "allocation guard: the capture thread called %s between two reads\n",
                              watch.violation);
  if (write(STDERR_FILENO, line, (size_t)length) > 0)
    backtrace_symbols_fd(watch.stack, watch.depth, STDERR_FILENO);
  abort();
}

static void provoke(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  void *volatile memory = NULL;
  if (!strcmp(provoked, "malloc")) memory = malloc(1);
  if (!strcmp(provoked, "realloc")) memory = realloc(NULL, 1);
  free(memory);
  if (!strcmp(provoked, "lock")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  if (!strcmp(provoked, "write") && write(-1, "", 0) == 0) abort();
}

// The calling thread reads the device.
static void note_read(void) {
  if (watch.violation) tell();
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const int64_t now = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
  if (watch.first_read_ns == 0) watch.first_read_ns = now;
  if (now - watch.first_read_ns < start_up_ns) return;
  if (watch.is_armed && report) report->watched_reads++;
  watch.is_armed = true;
  if (provoked) provoke();
}

// MARK: Reads of a device

long snd_pcm_readi(void *pcm, void *buffer, unsigned long frames) {
  static long (*next)(void *, void *, unsigned long);
  if (!next) find(&next, "snd_pcm_readi");
  note_read();
  return next(pcm, buffer, frames);
}

int pa_stream_peek(void *stream, const void **data, size_t *bytes) {
  static int (*next)(void *, const void **, size_t *);
  if (!next) find(&next, "pa_stream_peek");
  note_read();
  return next(stream, data, bytes);
}

// MARK: Allocators

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  note("malloc");
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note("calloc");
  return __libc_calloc(count, size);
}

void *realloc(void *place, size_t size) {
  note("realloc");
  return __libc_realloc(place, size);
}

void free(void *place) {
  // Of nothing it is no call of the allocator.
  if (!place) return;
  note("free");
  __libc_free(place);
}

void *memalign(size_t alignment, size_t size) {
  note("memalign");
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note("aligned_alloc");
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
  note("posix_memalign");
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *place = memory;
  return 0;
}

// MARK: Locks, waits, input and output

#define GUARDED(Result, name, parameters, arguments)  \
  Result name parameters {                            \
    static Result(*next) parameters;                  \
    if (!next) find(&next, #name);                    \
    note_own(#name, __builtin_return_address(0));     \
    return next arguments;                            \
  }

GUARDED(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
GUARDED(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
GUARDED(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
GUARDED(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex),
        (condition, mutex))
GUARDED(int, sem_wait, (sem_t * semaphore), (semaphore))
GUARDED(ssize_t, read, (int fd, void *bytes, size_t count), (fd, bytes, count))
GUARDED(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
GUARDED(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
GUARDED(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t place),
        (fd, bytes, count, place))
GUARDED(int, fsync, (int fd), (fd))
GUARDED(int, fdatasync, (int fd), (fd))
GUARDED(int, close, (int fd), (fd))
GUARDED(size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file),
        (bytes, size, count, file))
GUARDED(int, fflush, (FILE * file), (file))

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  if (!next) find(&next, "open");
  note_own("open", __builtin_return_address(0));
  va_list arguments;
  va_start(arguments, flags);
  const unsigned int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, unsigned int) : 0;
  va_end(arguments);
  return next(path, flags, mode);
}

// Swift's own mutex takes a free lock with one atomic instruction, which nobody can see from
// here. What can block is this, and that is seen: the lock was held.
typedef __attribute__((swiftcall)) void swift_lock(uint32_t thread,
                                                   __attribute__((swift_context)) void *mutex);
swift_lock swift_mutex_lock_slow
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void swift_mutex_lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *mutex) {
  static swift_lock *next;
  if (!next) find(&next, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  note("a held Mutex");
  next(thread, mutex);
}
