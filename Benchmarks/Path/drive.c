// Feeds edges to a program that runs with the stub of libgpiod, and measures how soon the program
// writes its lamp.
//
//     drive [--edges N] [--cold BYTES] [--pause US] [--pairs N [--touch]] STUB PROGRAM...
//     drive --start STUB PROGRAM...
//
// Driver and program share one processor. With --cold, the driver touches that much memory before
// each edge, so that the program finds its caches cold. With --touch, each input but the first gets
// one edge at the start. Prints, in microseconds: first, p50, p90, p99; and how often the thread of
// the program had to wait for a page of memory: from its first sleep to the first lamp, and later.
// With --start, the first edge comes as soon as the program sleeps on its input; prints the time
// from the start of the process to its lamp: `start MICROSECONDS`.
//
//     cc -O2 drive.c -o drive

#include "drive.h"

#include <getopt.h>
#include <sched.h>

enum { most_edges = 100000 };

static long edge_count = 200, cold_bytes, pause_us = 7000, pair_count = 1;
static int touches, only_starts;
static double latencies[most_edges];

static void usage(void)
{
    fputs("usage: drive [--edges N] [--cold BYTES] [--pause US] [--pairs N [--touch]] STUB "
          "PROGRAM...\n       drive --start STUB PROGRAM...\n",
          stderr);
    exit(2);
}

static void read_arguments(int count, char **arguments)
{
    static const struct option options[] = {{"edges", 1, 0, 'e'}, {"cold", 1, 0, 'c'},
                                            {"pause", 1, 0, 'p'}, {"pairs", 1, 0, 'n'},
                                            {"touch", 0, 0, 't'}, {"start", 0, 0, 's'},
                                            {0, 0, 0, 0}};
    int option;
    while ((option = getopt_long(count, arguments, "+", options, NULL)) != -1) {
        switch (option) {
        case 'e': edge_count = path_number(optarg, most_edges); break;
        case 'c': cold_bytes = path_number(optarg, 1 << 30); break;
        case 'p': pause_us = path_number(optarg, 60000000); break;
        case 'n': pair_count = path_number(optarg, PATH_MOST_PAIRS); break;
        case 't': touches = 1; break;
        case 's': only_starts = 1; break;
        default: usage();
        }
    }
    if (count - optind < 2 || edge_count == 0 || pair_count == 0)
        usage();
}

static void make_cold(void)
{
    static volatile char *memory;
    if (!memory && cold_bytes)
        memory = calloc(1, (size_t)cold_bytes);
    for (long place = 0; place < cold_bytes; place += 64)
        memory[place]++;
}

static struct path_lamp next_of_first(const struct path *path)
{
    struct path_lamp lamp;
    // Those of the others were fed long before.
    do
        lamp = path_next(path);
    while (lamp.pair != 0);
    return lamp;
}

// From the start of the process to the lamp of the first edge, with both processors.
static void start(const char *stub, char **program)
{
    uint64_t began = now();
    struct path path = path_start(stub, program, 1);
    path_live(&path);
    path_feed(&path, 0, 1);
    struct path_lamp lamp = next_of_first(&path);
    path_end(&path);
    printf("start %.1f\n", (double)(lamp.stamp - began) / 1000);
}

int main(int count, char **arguments)
{
    read_arguments(count, arguments);
    if (only_starts) {
        start(arguments[optind], arguments + optind + 1);
        return 0;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    struct path path = path_start(arguments[optind], arguments + optind + 1, (int)pair_count);
    uint64_t faults = path_settle(&path).faults, first_faults = 0;
    for (int pair = 1; touches && pair < pair_count; pair++)
        path_feed(&path, pair, 1);
    rest_us(pair_count > 1 ? 2000000 : 0);
    for (long edge = 0; edge < edge_count; edge++) {
        make_cold();
        uint64_t began = path_feed(&path, 0, edge % 2 == 0);
        struct path_lamp lamp = next_of_first(&path);
        if (edge == 0) {
            first_faults = lamp.faults - faults;
            faults = lamp.faults;
        }
        if (edge + 1 == edge_count)
            faults = lamp.faults - faults;
        latencies[edge] = (double)(lamp.stamp - began) / 1000;
        rest_us(pause_us);
    }
    path_end(&path);
    printf("first %.1f\n", latencies[0]);
    qsort(latencies, (size_t)edge_count, sizeof *latencies, path_ascending);
    printf("p50 %.1f\np90 %.1f\np99 %.1f\n", path_share(latencies, edge_count, 0.5),
           path_share(latencies, edge_count, 0.9), path_share(latencies, edge_count, 0.99));
    printf("first-faults %lu\nfaults %lu\n", first_faults, faults);
    return 0;
}
