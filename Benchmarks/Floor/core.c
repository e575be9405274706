// From edges to lamps with the least work: glitch filter, eager, deferred and asymmetric debounce,
// toggle buttons and levers without actions, one lamp each, losses detected by sequence and by
// alternation and repaired by a reading, an indexed heap of deadlines. The effects have the same
// order and times as those of DetentCore; Benchmarks/run compares them byte by byte.
//
// Why it is the floor: one struct per line contains all the data of an edge; only times can be set;
// there are no actions, phases, flags, patterns, faults or bounds checks.

#include "core.h"
#include "Recording.h"
#include <stdlib.h>

#define NEVER UINT64_MAX

enum trust { CERTAIN, ONE_EDGE, BURST, READING };

// What the debouncer waits for. Eager: CLOSED ignores until `until`. Asymmetric: LOCKED, RELEASING.
enum state { OPEN, WAITING, RELEASING, DOWN };

struct line {
    uint64_t glitch_until; // NEVER: nothing pending
    uint64_t until;        // of the debouncer
    uint64_t inactive_since;
    uint64_t last_edge, last_reading;
    uint32_t sequence;
    uint32_t place; // in the heap, from 1; 0: not there
    uint8_t algorithm, state, trust;
    uint8_t raw, filtered, reported;
    uint8_t has_glitch;
    uint8_t desired, lamp;
};

struct times {
    uint64_t glitch, time, release, quiet;
};

struct entry {
    uint64_t deadline;
    uint32_t line;
};

struct core {
    struct line *lines;
    struct times *times;
    struct entry *heap;
    uint32_t *lost;
    uint32_t count;
    int controls;
    uint64_t latest;
};

struct core *core_make(int controls)
{
    struct core *core = calloc(1, sizeof *core);
    if (!core)
        return NULL;
    core->controls = controls;
    core->lines = aligned_alloc(64, (size_t)controls * ((sizeof *core->lines + 63) & ~63ul));
    core->times = calloc((size_t)controls, sizeof *core->times);
    core->heap = calloc((size_t)controls, sizeof *core->heap);
    core->lost = calloc((size_t)controls, sizeof *core->lost);
    if (!core->lines || !core->times || !core->heap || !core->lost)
        return NULL;
    for (int index = 0; index < controls; index++) {
        struct recorded_control it = recorded_control(index);
        uint64_t longest = it.time > it.release ? it.time : it.release;
        core->times[index] = (struct times){it.glitch, it.time, it.release, longest + it.glitch};
        core->lines[index] = (struct line){.glitch_until = NEVER,
                                           .until = NEVER,
                                           .algorithm = (uint8_t)it.algorithm,
                                           .has_glitch = it.glitch != 0};
    }
    return core;
}

// Deadline and line as one number: a subtraction without a branch.
static inline int precedes(struct entry left, struct entry right)
{
    return ((unsigned __int128)left.deadline << 64 | left.line) <
           ((unsigned __int128)right.deadline << 64 | right.line);
}

static inline void put(struct core *core, struct entry entry, uint32_t place)
{
    core->heap[place] = entry;
    core->lines[entry.line].place = place + 1;
}

static void sift_up(struct core *core, struct entry entry, uint32_t place)
{
    while (place > 0) {
        uint32_t parent = (place - 1) >> 1;
        if (!precedes(entry, core->heap[parent]))
            break;
        put(core, core->heap[parent], place);
        place = parent;
    }
    put(core, entry, place);
}

static void sift_down(struct core *core, struct entry entry, uint32_t place)
{
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= core->count)
            break;
        if (child + 1 < core->count && precedes(core->heap[child + 1], core->heap[child]))
            child++;
        if (!precedes(core->heap[child], entry))
            break;
        put(core, core->heap[child], place);
        place = child;
    }
    put(core, entry, place);
}

static void set_deadline(struct core *core, uint32_t index, uint64_t deadline)
{
    uint32_t place = core->lines[index].place;
    struct entry entry = {deadline, index};
    if (place == 0) {
        if (deadline != NEVER)
            sift_up(core, entry, core->count++);
        return;
    }
    place--;
    uint64_t former = core->heap[place].deadline;
    if (deadline == former)
        return;
    if (deadline == NEVER) {
        core->lines[index].place = 0;
        if (place == --core->count)
            return;
        struct entry last = core->heap[core->count];
        if (place > 0 && precedes(last, core->heap[(place - 1) >> 1]))
            sift_up(core, last, place);
        else
            sift_down(core, last, place);
    } else if (deadline < former) {
        sift_up(core, entry, place);
    } else {
        sift_down(core, entry, place);
    }
}

struct call {
    struct core *core;
    emit_function *emit;
    void *context;
    uint64_t now;
};

static inline void tell(const struct call *call, int kind, uint32_t subject, int32_t value)
{
    struct effect effect = {call->now, subject, value, (uint8_t)kind};
    call->emit(call->context, &effect);
}

static void show(const struct call *call, uint32_t index, int value)
{
    struct line *line = &call->core->lines[index];
    if (line->desired != value) {
        line->desired = (uint8_t)value;
        tell(call, LOGGED_CHANGED, index, value);
        tell(call, LOGGED_CONFIRMED, index, value);
    }
    if (line->lamp != value) {
        line->lamp = (uint8_t)value;
        tell(call, LOGGED_PATTERN, index, value);
        tell(call, LOGGED_INDICATE, (uint32_t)call->core->controls + index, value);
    }
}

static void contact_changed(const struct call *call, uint32_t index, int level)
{
    struct line *line = &call->core->lines[index];
    if (line->algorithm == RECORDED_DEFER) {
        tell(call, LOGGED_MOVED, index, level);
        show(call, index, level);
    } else if (level) {
        tell(call, LOGGED_PRESSED, index, 0);
        show(call, index, !line->desired);
    } else {
        tell(call, LOGGED_RELEASED, index, 0);
        tell(call, LOGGED_CLICKED, index, 0);
    }
}

// The debouncer takes an edge; -1 or the level to report.
static inline int debounce_edge(struct line *line, const struct times *times, uint64_t now)
{
    int level = line->filtered;
    switch (line->algorithm) {
    case RECORDED_EAGER:
        if (line->until == NEVER && level == line->reported)
            return -1;
        if (line->until != NEVER) {
            line->until = now + times->time;
            return -1;
        }
        line->until = now + times->time;
        line->reported = (uint8_t)level;
        return level;
    case RECORDED_DEFER:
        line->until = level == line->reported ? NEVER : now + times->time;
        return -1;
    default:
        switch (line->state) {
        case OPEN:
            if (!level)
                return -1;
            line->state = WAITING;
            line->until = now + times->time;
            line->inactive_since = NEVER;
            return 1;
        case WAITING:
            if (level)
                line->inactive_since = NEVER;
            else if (line->inactive_since == NEVER)
                line->inactive_since = now;
            return -1;
        case DOWN:
            if (!level) {
                line->state = RELEASING;
                line->until = now + times->release;
            }
            return -1;
        default:
            if (level) {
                line->state = DOWN;
                line->until = NEVER;
            }
            return -1;
        }
    }
}

static inline int debounce_deadline(struct line *line, const struct times *times, uint64_t now)
{
    if (line->algorithm != RECORDED_ASYMMETRIC) {
        line->until = NEVER;
        if (line->filtered == line->reported)
            return -1;
        line->reported = line->filtered;
        return line->reported;
    }
    if (line->state == WAITING) {
        if (line->filtered || line->inactive_since == NEVER) {
            line->state = DOWN;
            line->until = NEVER;
            return -1;
        }
        uint64_t until = line->inactive_since + times->release;
        if (until > now) {
            line->state = RELEASING;
            line->until = until;
            return -1;
        }
    }
    line->state = OPEN;
    line->until = NEVER;
    return 0;
}

static inline void settle(const struct call *call, uint32_t index, int level)
{
    struct line *line = &call->core->lines[index];
    uint64_t deadline = line->glitch_until < line->until ? line->glitch_until : line->until;
    if (deadline == NEVER && line->trust != CERTAIN) {
        if (line->trust == BURST) {
            uint64_t due = line->last_edge + call->core->times[index].quiet;
            if (due <= call->now) {
                line->trust = READING;
                tell(call, LOGGED_READ_LEVEL, index, 0);
            } else {
                deadline = due;
            }
        } else if (line->trust == ONE_EDGE) {
            line->trust = CERTAIN;
        }
    }
    set_deadline(call->core, index, deadline);
    if (level >= 0)
        contact_changed(call, index, level);
}

static void fire(struct call *call, uint64_t until)
{
    struct core *core = call->core;
    while (core->count && core->heap[0].deadline <= until) {
        uint32_t index = core->heap[0].line;
        struct line *line = &core->lines[index];
        uint64_t now = core->heap[0].deadline;
        if (now > core->latest)
            core->latest = now;
        call->now = core->latest;
        int level = -1;
        if (line->until <= call->now) {
            level = debounce_deadline(line, &core->times[index], call->now);
        } else if (line->glitch_until <= call->now) {
            line->glitch_until = NEVER;
            line->filtered = line->raw;
            level = debounce_edge(line, &core->times[index], call->now);
        }
        settle(call, index, level);
    }
}

static inline void apply(const struct call *call, uint32_t index)
{
    struct line *line = &call->core->lines[index];
    const struct times *times = &call->core->times[index];
    int level = -1;
    line->last_edge = call->now;
    line->raw ^= 1;
    if (line->has_glitch) {
        line->glitch_until = line->glitch_until == NEVER ? call->now + times->glitch : NEVER;
    } else {
        line->filtered = line->raw;
        level = debounce_edge(line, times, call->now);
    }
    settle(call, index, level);
}

static inline void begin(struct call *call, uint64_t at)
{
    struct core *core = call->core;
    if (at < core->latest)
        at = core->latest;
    if (core->count && core->heap[0].deadline <= at)
        fire(call, at);
    core->latest = call->now = at;
}

static void count_loss(const struct call *call, uint32_t index)
{
    tell(call, LOGGED_LOST, index, (int32_t)++call->core->lost[index]);
}

static void repair(const struct call *call, uint32_t index)
{
    count_loss(call, index);
    call->core->lines[index].trust = READING;
    tell(call, LOGGED_READ_LEVEL, index, 0);
}

void core_edge(struct core *core, unsigned int index, int level, uint32_t sequence, uint64_t at,
               emit_function *emit, void *context)
{
    struct call call = {core, emit, context, 0};
    begin(&call, at);
    struct line *line = &core->lines[index];
    int gap = line->sequence && sequence != line->sequence + 1;
    line->sequence = sequence;
    if (at < line->last_reading)
        return;
    int repeated = line->raw == level;
    if (gap || repeated)
        repair(&call, index);
    if (repeated)
        return;
    if (line->trust <= ONE_EDGE)
        line->trust++;
    apply(&call, index);
}

void core_reading(struct core *core, unsigned int index, int level, uint64_t at,
                  emit_function *emit, void *context)
{
    struct call call = {core, emit, context, 0};
    begin(&call, at);
    struct line *line = &core->lines[index];
    line->last_reading = call.now;
    line->trust = CERTAIN;
    if (line->raw != level) {
        count_loss(&call, index);
        apply(&call, index);
    }
}

void core_tick(struct core *core, uint64_t at, emit_function *emit, void *context)
{
    struct call call = {core, emit, context, 0};
    begin(&call, at);
}
