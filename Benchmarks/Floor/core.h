// The floor of the state core: what a C programmer would write for the panel of Recording.h alone.
// See core.c.

#ifndef FLOOR_CORE_H
#define FLOOR_CORE_H

#include <stdint.h>

struct effect {
    uint64_t at;
    uint32_t subject; // line or control
    int32_t value;
    uint8_t kind; // LOGGED_…
};

typedef void emit_function(void *context, const struct effect *effect);

struct core;

// NULL: no memory.
struct core *core_make(int controls);

void core_edge(struct core *core, unsigned int line, int level, uint32_t sequence, uint64_t at,
               emit_function *emit, void *context);

// The level for a `read` effect.
void core_reading(struct core *core, unsigned int line, int level, uint64_t at,
                  emit_function *emit, void *context);

void core_tick(struct core *core, uint64_t at, emit_function *emit, void *context);

#endif
