// What the sanitizer of threads needs to know of Swift on Linux.
//
// Swift's Mutex on Linux is one atomic word, which the sanitizer sees until two threads meet at it.
// Then the three functions below do the rest, in the standard library, which is not instrumented:
// without them, everything that a lock protects would be reported. This library is loaded before
// the others, and its functions take the place of those. It knows Swift 6.3 on 64-bit machines.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *word);
typedef SWIFT bool (*Try)(SELF void *word);
typedef SWIFT void (*Unlock)(SELF void *word);

SWIFT void lock_slow(uint32_t thread, SELF void *word) __asm__(LOCK);
SWIFT bool try_slow(SELF void *word) __asm__(TRY);
SWIFT void unlock_slow(SELF void *word) __asm__(UNLOCK);

// The function of the standard library.
static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lock_slow(uint32_t thread, SELF void *word) {
    ((Lock)next(LOCK))(thread, word);
    if (__tsan_acquire) __tsan_acquire(word);
}

SWIFT bool try_slow(SELF void *word) {
    bool locked = ((Try)next(TRY))(word);
    if (locked && __tsan_acquire) __tsan_acquire(word);
    return locked;
}

SWIFT void unlock_slow(SELF void *word) {
    if (__tsan_release) __tsan_release(word);
    ((Unlock)next(UNLOCK))(word);
}

// The sanitizer does not know of this way to join a thread, and ends by an error of its own when
// another thread gets the number. It knows the same with the other clock.
int pthread_clockjoin_np(
    pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline) {
    struct timespec now, then;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &then);
    long long left = (deadline->tv_sec - now.tv_sec) * 1000000000LL;
    left += deadline->tv_nsec - now.tv_nsec;
    long long end = then.tv_sec * 1000000000LL + then.tv_nsec + left;
    then.tv_sec = end / 1000000000LL;
    then.tv_nsec = end % 1000000000LL;
    return pthread_timedjoin_np(thread, result, &then);
}
