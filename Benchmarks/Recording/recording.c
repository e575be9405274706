#include "Recording.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MICROSECONDS 1000u
#define MILLISECONDS 1000000u
#define SEED 20240229u

struct recorded_control recorded_control(int control)
{
    uint64_t step = (uint64_t)(control % 5);
    switch (control % RECORDED_ALGORITHMS) {
    case RECORDED_EAGER:
        return (struct recorded_control){RECORDED_EAGER, (4 + step) * MILLISECONDS, 0,
                                         100 * MICROSECONDS};
    case RECORDED_DEFER:
        return (struct recorded_control){RECORDED_DEFER, (16 + 2 * step) * MILLISECONDS, 0, 0};
    default:
        return (struct recorded_control){RECORDED_ASYMMETRIC, (3 + step) * MILLISECONDS,
                                         (8 + 2 * step) * MILLISECONDS, 60 * MICROSECONDS};
    }
}

// SplitMix64, by Sebastiano Vigna, in the public domain.
static uint64_t next_random(uint64_t *state)
{
    uint64_t word = *state += 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

static uint64_t between(uint64_t *state, uint64_t low, uint64_t high)
{
    return low + next_random(state) % (high - low + 1);
}

static int earlier(const void *left, const void *right)
{
    const struct recorded_edge *first = left, *second = right;
    if (first->at != second->at)
        return first->at < second->at ? -1 : 1;
    return first->line != second->line ? (first->line < second->line ? -1 : 1)
                                       : (first->sequence < second->sequence ? -1 : 1);
}

// One contact: movements of 1, 3, 5, 7 or 9 edges, 20 to 900 microseconds apart, 40 to 300
// milliseconds from one to the next; after every eighth a spike that is no movement.
static void record_contact(struct recorded_edge *edges, int count, int line, uint64_t seed)
{
    uint64_t state = seed + (uint64_t)line * 0x632be59bd9b4e019u;
    uint64_t at = between(&state, 1, 300 * MILLISECONDS);
    int level = 0, left = 0;
    for (int index = 0; index < count; index++) {
        if (left == 0) {
            at += between(&state, 40 * MILLISECONDS, 300 * MILLISECONDS);
            left = between(&state, 0, 7) == 0 ? 2 : 1 + 2 * (int)between(&state, 0, 4);
        } else {
            at += between(&state, 20 * MICROSECONDS, 900 * MICROSECONDS);
        }
        left--;
        level = !level;
        edges[index] = (struct recorded_edge){at, (uint32_t)index + 1, (uint16_t)line,
                                              (uint8_t)level};
    }
}

struct recorded_edge *recorded_edges(int controls)
{
    int count = RECORDED_EDGES;
    // Contacts are not equally active: a margin keeps each of them active until the last edge.
    int each = count / controls + count / controls / 4 + 64;
    struct recorded_edge *edges = calloc((size_t)controls * (size_t)each, sizeof *edges);
    if (!edges)
        return NULL;
    for (int line = 0; line < controls; line++)
        record_contact(edges + (size_t)line * (size_t)each, each, line, SEED);
    qsort(edges, (size_t)controls * (size_t)each, sizeof *edges, earlier);
    return edges;
}

void log_effect(uint64_t at, int kind, unsigned int subject, int value)
{
    static const char *const names[] = {"read", "indicate", "pressed", "released", "clicked",
                                        "moved", "changed", "confirmed", "pattern", "lost",
                                        "other"};
    printf("%llu %s %u %d\n", (unsigned long long)at, names[kind], subject, value);
}

void tell_figures(uint64_t effects, uint64_t nanoseconds, int edges)
{
    fprintf(stderr, "effects=%llu ns_per_edge=%.1f\n", (unsigned long long)effects,
            (double)nanoseconds / edges);
}

void tell_usage(const char *usage)
{
    fprintf(stderr, "usage: %s\n", usage);
    exit(2);
}

uint64_t wall_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
