// GNU extensions, which Swift's Glibc module leaves out. Each is declared as glibc declares it.
#include <pthread.h>

extern int pthread_setname_np(pthread_t thread, const char *name);
