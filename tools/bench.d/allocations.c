// Counts what the thread named "capture" takes from the heap; for LD_PRELOAD.
//
// The count stands as eight bytes at the start of the file that ALLOCATION_COUNT names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t fallback;
static _Atomic uint64_t *count = &fallback;

__attribute__((constructor)) static void open_count(void) {
  const char *path = getenv("ALLOCATION_COUNT");
  const int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  void *place = MAP_FAILED;
  if (ftruncate(file, sizeof *count) == 0)
    place = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (place != MAP_FAILED) count = place;
}

static void note_call(void) {
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  if (strcmp(name, "capture") == 0) atomic_fetch_add(count, 1);
}

// glibc has every allocator under a second name, which saves looking them up.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  note_call();
  return __libc_malloc(size);
}

void *calloc(size_t members, size_t size) {
  note_call();
  return __libc_calloc(members, size);
}

void *realloc(void *block, size_t size) {
  note_call();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note_call();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note_call();
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}
