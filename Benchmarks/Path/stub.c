// A library that takes the place of libgpiod 1.6 for a program that is measured without a chip: one
// chip `rig` with the inputs IN0, IN1 … and a lamp for each: LED0, LED1 … A driver feeds edges
// through a pipe for each input, and takes the moment of each write of a lamp through another pipe.
//
//     cc -O2 -shared -fPIC -Wl,-soname,libgpiod.so.2 stub.c -o stub.so
//     PATH_EDGES=FD PATH_LAMPS=FD PATH_LEVELS=FD PATH_PAIRS=N LD_PRELOAD=stub.so PROGRAM
//
// The descriptor of IN0 is PATH_EDGES, that of IN1 the next, and so on. PATH_LEVELS is memory with
// the level of each input, which can be ahead of the edges that were read, as on a chip.
//
// Under callgrind with PATH_COUNTS, each write of the lamp writes a file that has the cost since
// the program woke up. The simulated caches are empty at that moment.

#define _GNU_SOURCE
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <gpiod.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

static int edges = -1, lamps = -1;
static unsigned int line_count = 2;
static bool counts, has_announced;
static const volatile uint8_t *levels;
static char names[2 * PATH_MOST_PAIRS][8];

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("PATH_EDGES");
    edges = text ? atoi(text) : -1;
    text = getenv("PATH_LAMPS");
    lamps = text ? atoi(text) : -1;
    text = getenv("PATH_PAIRS");
    line_count = text ? 2 * (unsigned int)atoi(text) : 2;
    text = getenv("PATH_LEVELS");
    void *memory =
        text ? mmap(NULL, PATH_MOST_PAIRS, PROT_READ, MAP_SHARED, atoi(text), 0) : MAP_FAILED;
    levels = memory == MAP_FAILED ? NULL : memory;
    counts = getenv("PATH_COUNTS") != NULL;
    for (unsigned int offset = 0; offset < 2 * PATH_MOST_PAIRS; offset++)
        snprintf(names[offset], sizeof names[offset], offset % 2 ? "LED%u" : "IN%u", offset / 2);
}

static void begin_count(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

static void end_count(void)
{
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
}

// ---- What a program sleeps in

static int woken(long result)
{
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    if (result > 0 && counts)
        begin_count();
    return (int)result;
}

static void send(struct path_lamp lamp)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    lamp.faults = (uint64_t)(usage.ru_minflt + usage.ru_majflt);
    if (write(lamps, &lamp, sizeof lamp) != sizeof lamp)
        _exit(3);
}

// Tells the driver when the program sleeps on its input for the first time.
static void announce(void)
{
    if (has_announced)
        return;
    has_announced = true;
    send((struct path_lamp){0});
}

static bool waits(const struct timespec *wait)
{
    return !wait || wait->tv_sec || wait->tv_nsec;
}

static void announce_any(const struct pollfd *entries, nfds_t count)
{
    if (edges < 0)
        return; // a process beside the panel: -1 stands for what it does not wait for
    for (nfds_t place = 0; !has_announced && place < count; place++)
        if (entries[place].fd == edges)
            announce();
}

// System calls without the library's function, which would be part of what is counted.
static long call(long number, long first, long second, long third, long fourth, long fifth)
{
    register long r10 __asm__("r10") = fourth;
    register long r8 __asm__("r8") = fifth;
    register long r9 __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static long sleep_on(struct pollfd *entries, nfds_t count, struct timespec *wait)
{
    return call(SYS_ppoll, (long)entries, (long)count, (long)wait, 0, 8);
}

int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *wait, const sigset_t *mask)
{
    (void)mask;
    if (waits(wait))
        announce_any(entries, count);
    struct timespec rest = wait ? *wait : (struct timespec){0, 0};
    return woken(sleep_on(entries, count, wait ? &rest : NULL));
}

int poll(struct pollfd *entries, nfds_t count, int wait)
{
    if (wait != 0)
        announce_any(entries, count);
    struct timespec rest = {wait / 1000, wait % 1000 * 1000000};
    return woken(sleep_on(entries, count, wait < 0 ? NULL : &rest));
}

static int edges_set = -1;

int epoll_ctl(int set, int change, int descriptor, struct epoll_event *event)
{
    if (descriptor == edges && change == EPOLL_CTL_ADD)
        edges_set = set;
    long result = call(SYS_epoll_ctl, set, change, descriptor, (long)event, 0);
    if (result < 0)
        errno = (int)-result;
    return result < 0 ? -1 : 0;
}

int epoll_pwait2(int set, struct epoll_event *events, int count, const struct timespec *wait,
                 const sigset_t *mask)
{
    (void)mask;
    if (set == edges_set && waits(wait))
        announce();
    if (!counts)
        return woken(call(SYS_epoll_pwait2, set, (long)events, count, (long)wait, 0));
    // Valgrind does not know that call. What takes its place is not counted.
    struct pollfd entry = {.fd = set, .events = POLLIN};
    struct timespec rest = wait ? *wait : (struct timespec){0, 0};
    long result = sleep_on(&entry, 1, wait ? &rest : NULL);
    if (result > 0)
        result = call(SYS_epoll_wait, set, (long)events, count, 0, 0);
    return woken(result);
}

// ---- The chip's device node

static bool is_node(const char *path) { return strcmp(path, "/dev/gpiochip0") == 0; }

int scandir(const char *path, struct dirent ***entries,
            int (*filter)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **))
{
    (void)path, (void)filter, (void)order;
    *entries = malloc(sizeof **entries);
    **entries = calloc(1, sizeof(struct dirent));
    strcpy((**entries)->d_name, "gpiochip0");
    return 1;
}

static int describe(const char *path, struct stat *status, int flags)
{
    if (!is_node(path))
        return (int)syscall(SYS_newfstatat, -100, path, status, flags);
    *status = (struct stat){.st_mode = S_IFCHR | 0600, .st_rdev = 254 << 8};
    return 0;
}

int stat(const char *path, struct stat *status) { return describe(path, status, 0); }

int lstat(const char *path, struct stat *status)
{
    return describe(path, status, 0x100 /* AT_SYMLINK_NOFOLLOW */);
}

// ---- Input devices

// A pipe stands for an input device with no key down, so requests to input devices have no effect.
int ioctl(int descriptor, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return _IOC_TYPE(request) == 'E' ? 0 : (int)syscall(SYS_ioctl, descriptor, request, argument);
}

// ---- The lines

static void light(unsigned int pair, int level)
{
    if (counts)
        end_count();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    send((struct path_lamp){.stamp = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
                            .pair = pair,
                            .level = (uint32_t)level});
}

// As many edges as wait; the input is a pipe, so a record is never divided.
static int take(int descriptor, struct path_edge *records, unsigned int capacity)
{
    ssize_t size = read(descriptor, records, capacity * sizeof *records);
    return size < 0 ? -1 : (int)((size_t)size / sizeof *records);
}

#ifndef GPIOD_LINE_BULK_MAX_LINES
#error "the stub has the interface of libgpiod 1.6 only"
#endif

struct gpiod_chip {
    int nothing;
};
struct gpiod_line {
    unsigned int offset;
};

static struct gpiod_chip chip;
static struct gpiod_line lines[2 * PATH_MOST_PAIRS];

const char *gpiod_version_string(void) { return "1.6.3"; }
struct gpiod_chip *gpiod_chip_open(const char *path) { return is_node(path) ? &chip : NULL; }
struct gpiod_chip *gpiod_chip_open_by_label(const char *label) { return label ? &chip : NULL; }
void gpiod_chip_close(struct gpiod_chip *it) { (void)it; }
const char *gpiod_chip_name(struct gpiod_chip *it) { return it ? "gpiochip0" : NULL; }
const char *gpiod_chip_label(struct gpiod_chip *it) { return it ? "rig" : NULL; }
unsigned int gpiod_chip_num_lines(struct gpiod_chip *it) { return it ? line_count : 0; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *it, unsigned int offset)
{
    if (!it || offset >= line_count)
        return NULL;
    lines[offset].offset = offset;
    return &lines[offset];
}

struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *it, const char *name)
{
    for (unsigned int offset = 0; it && offset < line_count; offset++)
        if (strcmp(names[offset], name) == 0)
            return gpiod_chip_get_line(it, offset);
    return NULL;
}

int gpiod_line_update(struct gpiod_line *line) { return line ? 0 : -1; }
const char *gpiod_line_name(struct gpiod_line *line) { return names[line->offset]; }
const char *gpiod_line_consumer(struct gpiod_line *line) { return line ? NULL : ""; }
bool gpiod_line_is_used(struct gpiod_line *line) { return !line; }

int gpiod_line_active_state(struct gpiod_line *line)
{
    return line ? GPIOD_LINE_ACTIVE_STATE_HIGH : 0;
}

int gpiod_line_direction(struct gpiod_line *line)
{
    return line->offset % 2 ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT;
}

int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config,
                       int level)
{
    (void)level;
    return line && config ? 0 : -1;
}

int gpiod_line_request_both_edges_events(struct gpiod_line *line, const char *name)
{
    return line && name ? 0 : -1;
}

int gpiod_line_request_output(struct gpiod_line *line, const char *name, int level)
{
    (void)level;
    return line && name ? 0 : -1;
}

void gpiod_line_release(struct gpiod_line *line) { (void)line; }
int gpiod_line_event_get_fd(struct gpiod_line *line) { return edges + (int)line->offset / 2; }

int gpiod_line_get_value(struct gpiod_line *line)
{
    return levels && line->offset % 2 == 0 ? levels[line->offset / 2] : 0;
}

int gpiod_line_set_value(struct gpiod_line *line, int level)
{
    if (line->offset % 2 == 0)
        return -1;
    light(line->offset / 2, level);
    return 0;
}

int gpiod_line_event_read_fd_multiple(int descriptor, struct gpiod_line_event *events,
                                      unsigned int capacity)
{
    struct path_edge records[16];
    int count = take(descriptor, records, capacity < 16 ? capacity : 16);
    for (int place = 0; place < count; place++) {
        events[place].ts.tv_sec = (time_t)(records[place].stamp / 1000000000u);
        events[place].ts.tv_nsec = (long)(records[place].stamp % 1000000000u);
        events[place].event_type =
            records[place].level ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE;
    }
    return count;
}

int gpiod_line_event_read_multiple(struct gpiod_line *line, struct gpiod_line_event *events,
                                   unsigned int capacity)
{
    return gpiod_line_event_read_fd_multiple(gpiod_line_event_get_fd(line), events, capacity);
}
