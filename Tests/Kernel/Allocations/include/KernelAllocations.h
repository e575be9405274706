#pragma once

// Counts the calls of malloc, calloc and realloc of the whole program that links this.

#include <stdint.h>

// Allocations of the calling thread so far.
uint64_t detent_allocations(void);
