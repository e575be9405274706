// What the stub and the driver of the path from an edge to its lamp agree on.

#ifndef PATH_H
#define PATH_H

#include <stdint.h>

// An edge as the kernel's first interface records it.
struct path_edge {
    uint64_t stamp;
    uint32_t level, filler;
};

#endif
