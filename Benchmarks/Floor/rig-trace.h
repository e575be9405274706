// The kernel's trace: interrupts of the simulated inputs and writes to the simulated outputs, with
// timestamps of the monotonic clock. Tracing uses no processor time of another process; on one
// processor, a busy-waiting driver would starve the program that it measures.

#ifndef RIG_TRACE_H
#define RIG_TRACE_H

#include "rig-sim.h"
#include <stdint.h>

#define TRACE_ROOT "/sys/kernel/tracing"
#define TRACE_HERE TRACE_ROOT "/instances/rig-drive"
#define TRACE_MAX 262144

struct mark {
    uint64_t at; // nanoseconds, CLOCK_MONOTONIC
    int line;    // offset on the chip
    int level;   // of a write; 0 for an interrupt
};

struct marks {
    struct mark *all;
    int count;
};

static void trace_begin(void)
{
    if (mkdir(TRACE_HERE, 0755) && errno != EEXIST)
        sim_die("making " TRACE_HERE " (is tracefs mounted?)");
    sim_write("mono", TRACE_HERE "/trace_clock");
    sim_write("8192", TRACE_HERE "/buffer_size_kb");
    sim_write("get==0", TRACE_HERE "/events/gpio/gpio_value/filter");
    sim_write("1", TRACE_HERE "/events/gpio/gpio_value/enable");
    sim_write("1", TRACE_HERE "/events/irq/irq_handler_entry/enable");
}

static void trace_clear(void)
{
    sim_write("\n", TRACE_HERE "/trace");
}

// Interrupt numbers of the simulated lines, by offset; -1 if a line has none.
static void trace_interrupts(int *numbers, int count)
{
    char line[512];
    for (int offset = 0; offset < count; offset++)
        numbers[offset] = -1;
    FILE *file = fopen("/proc/interrupts", "re");
    if (!file)
        sim_die("/proc/interrupts");
    while (fgets(line, sizeof line, file)) {
        int number, offset;
        char chip[32];
        if (sscanf(line, " %d: %*d %31s %d", &number, chip, &offset) == 3 &&
            strcmp(chip, "irq_sim") == 0 && offset >= 0 && offset < count)
            numbers[offset] = number;
    }
    fclose(file);
}

static void trace_add(struct marks *marks, uint64_t at, int line, int level)
{
    if (marks->count == TRACE_MAX) {
        errno = EOVERFLOW;
        sim_die("more than %d marks in one phase", TRACE_MAX);
    }
    if (!marks->all && !(marks->all = malloc(TRACE_MAX * sizeof *marks->all)))
        sim_die("memory for the trace");
    marks->all[marks->count++] = (struct mark){at, line, level};
}

// Reads the whole trace since `trace_clear`.
static void trace_collect(const struct sim *sim, struct marks *interrupts, struct marks *writes)
{
    int numbers[SIM_MAX_LINES];
    char text[512];
    trace_interrupts(numbers, sim->count);
    interrupts->count = writes->count = 0;
    FILE *file = fopen(TRACE_HERE "/trace", "re");
    if (!file)
        sim_die("reading the trace");
    while (fgets(text, sizeof text, file)) {
        unsigned long seconds, micros;
        int number, level;
        char *name = strstr(text, ": gpio_value:"), *start;
        if (!name)
            name = strstr(text, ": irq_handler_entry:");
        if (!name || text[0] == '#')
            continue;
        for (start = name; start > text && start[-1] != ' '; start--)
            ;
        if (sscanf(start, "%lu.%lu", &seconds, &micros) != 2)
            continue;
        uint64_t at = (uint64_t)seconds * 1000000000u + (uint64_t)micros * 1000u;
        if (sscanf(name, ": gpio_value: %d set %d", &number, &level) == 2) {
            int line = number - sim->first_number;
            if (line >= 0 && line < sim->count)
                trace_add(writes, at, line, level);
        } else if (sscanf(name, ": irq_handler_entry: irq=%d", &number) == 1) {
            for (int line = 0; line < sim->count; line++)
                if (numbers[line] == number)
                    trace_add(interrupts, at, line, 0);
        }
    }
    fclose(file);
}

static void trace_end(void)
{
    sim_write("0", TRACE_HERE "/events/enable");
    rmdir(TRACE_HERE);
}

#endif
