// What the stub and its drivers agree on.

#ifndef PATH_H
#define PATH_H

#include <stdint.h>

enum { PATH_MOST_PAIRS = 64 };

// An edge as the kernel's first interface records it.
struct path_edge {
    uint64_t stamp;
    uint32_t level, filler;
};

// A write of a lamp. The first has no stamp: the program sleeps on its inputs for the first time.
struct path_lamp {
    uint64_t stamp;
    uint64_t faults; // of memory, that its thread has had so far
    uint32_t pair, level;
};

#endif
