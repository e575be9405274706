// The common part of the C floor and the engine: the same edges, and the same log of effects. It is
// not part of the measurement.

#ifndef RECORDING_H
#define RECORDING_H

#include <stdint.h>

struct recorded_edge {
    uint64_t at;       // nanoseconds
    uint32_t sequence; // of the line, from 1
    uint16_t line;
    uint8_t level;
};

// The panel that is measured: control i has contact i and lamp `controls + i`, and a third of the
// controls each is an eager push button with a glitch filter, a deferred lever, and an asymmetric
// push button with a glitch filter. Times differ from control to control, so that deadlines do not
// come in the order in which they were set. Nanoseconds.
enum { RECORDED_EAGER, RECORDED_DEFER, RECORDED_ASYMMETRIC, RECORDED_ALGORITHMS };

struct recorded_control {
    int algorithm;
    uint64_t time;    // of eager and defer; press of asymmetric
    uint64_t release; // of asymmetric
    uint64_t glitch;  // 0: no filter
};

struct recorded_control recorded_control(int control);

// Edges of bouncing contacts, in the order of their times; always the same for the same number of
// controls. All are made even if a run handles fewer, so that two runs differ only by the handling
// of the additional edges. NULL: no memory.
enum { RECORDED_EDGES = 100000 };

struct recorded_edge *recorded_edges(int controls);

// The names of effects in a log. Arguments: line, or control and a number.
enum {
    LOGGED_READ_LEVEL,
    LOGGED_INDICATE,
    LOGGED_PRESSED,
    LOGGED_RELEASED,
    LOGGED_CLICKED,
    LOGGED_MOVED,
    LOGGED_CHANGED,
    LOGGED_CONFIRMED,
    LOGGED_PATTERN,
    LOGGED_LOST,
    LOGGED_OTHER,
};

// Writes one effect as a line of standard output.
void log_effect(uint64_t at, int kind, unsigned int subject, int value);

// Prints on standard error what a run did, and the time per edge.
void tell_figures(uint64_t effects, uint64_t nanoseconds, int edges);

// Prints the usage of a program, and ends it with 2.
void tell_usage(const char *usage);

// Nanoseconds of the monotonic clock.
uint64_t wall_clock(void);

#endif
