// What Swift's Glibc module leaves out: constants of the kernel, and GNU extensions, each as glibc declares it.
#include <linux/fs.h>
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>

extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int malloc_trim(size_t pad);
extern int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);

// Linux, of <sched.h>: threads and programs that a thread starts get normal priority again.
enum { splitcap_reset_on_fork = 0x40000000 };
