// What the drivers of the stub share: starting a program with it, and feeding edges.

#ifndef DRIVE_H
#define DRIVE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The ends of a driver: edges go in, lamps come out.
struct path {
    pid_t program;
    int edges[PATH_MOST_PAIRS], lamps;
    volatile uint8_t *levels; // of the inputs, as a program that reads a line finds them
};

static inline void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static inline uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline void rest_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    while (us > 0 && nanosleep(&time, &time) && errno == EINTR)
        ;
}

static inline void name_descriptor(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

// Starts a program with the stub; only the program has the ends that it needs.
static inline struct path path_start(const char *stub, char **program, int pairs)
{
    enum { first = 100, levels = 99 }; // the descriptors of edges follow each other
    struct path path;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        die("pipe");
    path.lamps = ends[0];
    int lamps = fcntl(ends[1], F_DUPFD, first + PATH_MOST_PAIRS);
    close(ends[1]);
    for (int pair = 0; pair < pairs; pair++) {
        if (pipe2(ends, O_CLOEXEC) || dup2(ends[0], first + pair) < 0)
            die("pipe");
        close(ends[0]);
        path.edges[pair] = ends[1];
    }
    int memory = memfd_create("levels", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, PATH_MOST_PAIRS) || dup2(memory, levels) < 0)
        die("memory");
    path.levels = mmap(NULL, PATH_MOST_PAIRS, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (path.levels == MAP_FAILED)
        die("memory");
    close(memory);
    path.program = fork();
    if (path.program < 0)
        die("fork");
    if (path.program == 0) {
        name_descriptor("PATH_EDGES", first);
        name_descriptor("PATH_LAMPS", lamps);
        name_descriptor("PATH_LEVELS", levels);
        name_descriptor("PATH_PAIRS", pairs);
        setenv("LD_PRELOAD", stub, 1);
        dup2(STDERR_FILENO, STDOUT_FILENO); // standard output is for figures
        execvp(program[0], program);
        die(program[0]);
    }
    close(lamps);
    close(levels);
    for (int pair = 0; pair < pairs; pair++)
        close(first + pair);
    return path;
}

// What the program says next, within a minute.
static inline struct path_lamp path_next(const struct path *path)
{
    struct pollfd entry = {.fd = path->lamps, .events = POLLIN};
    struct path_lamp lamp;
    if (poll(&entry, 1, 60000) == 1 && read(path->lamps, &lamp, sizeof lamp) == sizeof lamp)
        return lamp;
    fputs("the program did not answer within a minute, or ended\n", stderr);
    kill(path->program, SIGTERM);
    exit(1);
}

// Until the program sleeps on its inputs for the first time.
static inline struct path_lamp path_live(const struct path *path)
{
    struct path_lamp lamp;
    do
        lamp = path_next(path);
    while (lamp.stamp != 0);
    return lamp;
}

// The same, and a little longer.
static inline struct path_lamp path_settle(const struct path *path)
{
    struct path_lamp lamp = path_live(path);
    rest_us(300000);
    return lamp;
}

// Feeds an edge. Returns when it was fed.
static inline uint64_t path_feed(const struct path *path, int pair, int level)
{
    struct path_edge record = {.stamp = now(), .level = (uint32_t)level};
    uint64_t began = now();
    path->levels[pair] = (uint8_t)level;
    if (write(path->edges[pair], &record, sizeof record) != sizeof record)
        die("feeding an edge");
    return began;
}

static inline void path_end(const struct path *path)
{
    kill(path->program, SIGTERM);
    waitpid(path->program, NULL, 0);
}

static inline int path_ascending(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

// Of a sorted list: the value that this share does not exceed.
static inline double path_share(const double *sorted, long count, double share)
{
    return count ? sorted[(long)(share * (double)(count - 1) + 0.5)] : 0;
}

static inline long path_number(const char *text, long highest)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (!*text || *end || value < 0 || value > highest) {
        fprintf(stderr, "not a number up to %ld: %s\n", highest, text);
        exit(2);
    }
    return value;
}

#endif
