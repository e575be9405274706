// Counts the heap allocations of a program without changing it:
//
//     LD_PRELOAD=allocations.so PROGRAM
//
// At its end it prints the counts of the first thread and of the others on standard error.
//
//     cc -O2 -shared -fPIC allocations.c -o allocations.so

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long of_first, of_others;
static __thread int place __attribute__((tls_model("initial-exec"))); // 1: first thread, 2: another

static void count(void)
{
    if (place == 0)
        place = gettid() == getpid() ? 1 : 2;
    atomic_fetch_add_explicit(place == 1 ? &of_first : &of_others, 1, memory_order_relaxed);
}

void *malloc(size_t size)
{
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    count();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    count();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "allocations first=%ld others=%ld\n", of_first, of_others);
}
