// Feeds edges to a program that runs with the stub of libgpiod, and measures how soon the program
// writes its lamp.
//
//     drive [--edges N] [--cold BYTES] [--pause US] STUB PROGRAM [ARGUMENT]...
//
// Driver and program share one processor. With --cold, the driver touches that much memory before
// each edge, so that the program finds its caches cold. Prints, in microseconds: first, p50, p99.
//
//     cc -O2 drive.c -o drive

#define _GNU_SOURCE
#include "path.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_edges = 100000 };

static long edge_count = 200, cold_bytes, pause_us = 7000;
static double latencies[most_edges];

static void usage(void)
{
    fputs("usage: drive [--edges N] [--cold BYTES] [--pause US] STUB PROGRAM...\n",
          stderr);
    exit(2);
}

static void die(const char *what)
{
    fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void rest_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    while (us > 0 && nanosleep(&time, &time) && errno == EINTR)
        ;
}

static long number(const char *text, long highest)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < 0 || value > highest)
        usage();
    return value;
}

static void read_arguments(int count, char **arguments)
{
    static const struct option options[] = {{"edges", 1, 0, 'e'}, {"cold", 1, 0, 'c'},
                                            {"pause", 1, 0, 'p'}, {0, 0, 0, 0}};
    int option;
    while ((option = getopt_long(count, arguments, "+", options, NULL)) != -1) {
        switch (option) {
        case 'e': edge_count = number(optarg, most_edges); break;
        case 'c': cold_bytes = number(optarg, 1 << 30); break;
        case 'p': pause_us = number(optarg, 60000000); break;
        default: usage();
        }
    }
    if (count - optind < 2 || edge_count == 0)
        usage();
}

static pid_t start(const char *stub, char **program, int edges, int lamps)
{
    char text[32];
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return child;
    snprintf(text, sizeof text, "%d", edges);
    setenv("PATH_EDGES", text, 1);
    snprintf(text, sizeof text, "%d", lamps);
    setenv("PATH_LAMPS", text, 1);
    setenv("LD_PRELOAD", stub, 1);
    dup2(STDERR_FILENO, STDOUT_FILENO); // standard output is for figures
    execvp(program[0], program);
    die(program[0]);
    return 0;
}

static void make_cold(void)
{
    static volatile char *memory;
    if (!memory && cold_bytes)
        memory = calloc(1, (size_t)cold_bytes);
    for (long place = 0; place < cold_bytes; place += 64)
        memory[place]++;
}

// What the program says next, within a minute: when it wrote its lamp, or 0 once it sleeps for the
// first time.
static uint64_t answer(int lamps)
{
    struct pollfd entry = {.fd = lamps, .events = POLLIN};
    uint64_t stamp;
    if (poll(&entry, 1, 60000) == 1 && read(lamps, &stamp, sizeof stamp) == sizeof stamp)
        return stamp;
    fputs("drive: the program did not answer within a minute, or ended\n", stderr);
    exit(1);
}

static int ascending(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments)
{
    int edges[2], lamps[2];
    read_arguments(count, arguments);
    if (pipe(edges) || pipe(lamps))
        die("pipe");
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pid_t program = start(arguments[optind], arguments + optind + 1, edges[0], lamps[1]);
    close(edges[0]);
    close(lamps[1]);
    while (answer(lamps[0]) != 0)
        ;
    rest_us(300000);
    for (long edge = 0; edge < edge_count; edge++) {
        make_cold();
        struct path_edge record = {.stamp = now(), .level = edge % 2 == 0};
        uint64_t began = now();
        if (write(edges[1], &record, sizeof record) != sizeof record)
            die("feeding an edge");
        uint64_t lit = answer(lamps[0]);
        latencies[edge] = (double)(lit - began) / 1000;
        rest_us(pause_us);
    }
    kill(program, SIGTERM);
    waitpid(program, NULL, 0);
    printf("first %.1f\n", latencies[0]);
    qsort(latencies, (size_t)edge_count, sizeof *latencies, ascending);
    printf("p50 %.1f\np99 %.1f\n", latencies[(edge_count - 1) / 2],
           latencies[(long)(0.99 * (double)(edge_count - 1) + 0.5)]);
    return 0;
}
