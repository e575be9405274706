/* System calls of Linux that Swift cannot make: variadic ones, and those behind _GNU_SOURCE. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* An eventfd at 0 that never blocks and is closed on exec; -1 with errno. */
int detent_eventfd(void);

/*
 * Blocks SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1 and SIGUSR2, and no other signal, for this
 * thread and those that it starts. Returns a descriptor that is readable when a signal waits,
 * non-blocking and closed on exec; -1 with errno.
 */
int detent_signal_descriptor(void);

/* Takes a waiting signal: its number, or 0 if there is none. */
int detent_signal_take(int descriptor);

/* Locks a whole file for this open file description, without waiting; 0 or an errno. */
int detent_lock_file(int descriptor);

/*
 * Takes a real-time policy from the calling thread; 0 or an errno. Another policy was chosen for
 * the whole panel: it stays, and a user may not leave that of idle processes. Makes system calls
 * only, so a child may call it before exec.
 */
int detent_leave_real_time(void);

/* Gives the calling thread a name and no real-time policy, and blocks its signals. */
void detent_ordinary_thread(const char *name);

/* Joins a thread, or gives up at a time of CLOCK_MONOTONIC; 0 or an errno. */
int detent_join(pthread_t thread, uint64_t deadline_ns);

/* Puts the calling thread under SCHED_FIFO, not inherited by children; 0 or an errno. */
int detent_real_time_thread(int priority);

/*
 * Locks all memory that is used now or will be, and touches the stack in advance; 0 or an errno.
 * What is never used takes no memory.
 */
int detent_lock_memory(void);

/* Limits of this process: the highest real-time priority, and the bytes of locked memory. */
uint64_t detent_real_time_limit(void);
uint64_t detent_memory_lock_limit(void);

/* Waits like ppoll until a moment of CLOCK_MONOTONIC (UINT64_MAX: never); `now_ns` is now. */
struct pollfd;
int detent_poll(struct pollfd *entries, size_t count, uint64_t now_ns, uint64_t deadline_ns);

/*
 * Gives the system the free memory of the heap, and the memory of code and constants that the
 * process has used so far; those of libraries only if asked for. What is needed again is read from
 * the file automatically. The code from an edge to its lamp stays. Locked memory stays.
 */
void detent_give_back(bool with_libraries);

// Whether a page of program code that is needed brings its neighbours along, as usual.
void detent_read_around(bool around);

/*
 * Takes the memory of whole pages in a range, as if it were written, and changes nothing in it;
 * other threads may use it meanwhile. Before Linux 5.14 it does nothing.
 */
void detent_take_memory(void *start, size_t size);

/*
 * Gives every thread that is created from now on a stack of 1 MiB, and limits malloc to two heaps.
 * With locked memory, all of a stack uses memory.
 */
void detent_keep_small(void);

/* A screen of dots. */
struct detent_framebuffer {
    uint32_t width, height; /* in dots */
    uint32_t bits;          /* for a dot */
    uint32_t line_bytes;
    uint32_t first_line; /* the line of the memory that is shown at the top */
    uint32_t lit;        /* the value of a lit dot, with more than one bit for a dot */
    bool is_packed;      /* dots follow each other in memory */
    bool is_inverted;    /* with one bit for a dot: 0 is lit */
};

/* What the kernel knows of a /dev/fb device; 0, or -1 with errno. */
int detent_framebuffer_describe(int descriptor, struct detent_framebuffer *result);

/*
 * Sockets of one machine, closed on exec: -1 with errno. A name is abstract, so that no file is
 * left behind, or a path if it begins with a slash.
 */
int detent_local_listen(const char *name);
int detent_local_connect(const char *name);
int detent_local_accept(int listener);

/* The user at the other end; -1 if it is not known. */
int64_t detent_local_user(int descriptor);

/* Reading and writing fail after this time. */
void detent_local_wait(int descriptor, int seconds);

/* Connects to a local address, which begins with `/` or, if it has no file, with `@`; for datagrams
   that never wait. -1 with errno. */
int detent_datagram_open(const char *address);
/* 0, or the error number: a datagram is sent whole or not at all. */
int detent_datagram_send(int descriptor, const char *text, size_t length);

/* Notices changes of folders, without blocking; -1 with errno. */
int detent_watch_open(void);

/* Watches the entries of a folder; its number, or -1 with errno. The same folder has the same
   number. */
int detent_watch_add(int descriptor, const char *folder);
void detent_watch_remove(int descriptor, int watch);

/* Takes all waiting changes; whether one was about an entry with one of these names, or some were
   lost. Each name ends with NUL, and an empty one ends the list. */
bool detent_watch_take(int descriptor, const char *names);

/* A socket of a set that is ready. What is closed or broken is readable. */
struct detent_ready {
    uint64_t token;
    bool is_readable;
    bool is_writable;
};

enum { DETENT_READY_MOST = 256 };

/* Many sockets that one thread waits for: readable while one is ready. Negative with errno. */
int detent_ready_open(void);

/* Adds a socket, or changes what it is waited for. A socket leaves the set when it is closed. */
int detent_ready_set(int set, int socket, uint64_t token, bool writes, bool is_new);

/* Takes a socket out of a set; nothing happens if it is not there. */
void detent_ready_remove(int set, int socket);

/* The sockets that are ready now, DETENT_READY_MOST at most. Negative with errno. */
int detent_ready_take(int set, struct detent_ready *sockets, int capacity);

/* A socket of a set that ended a sleep, as the kernel writes it: its token is in two halves. */
struct detent_ready_place {
    uint32_t events;
#if !defined(__x86_64__)
    uint32_t unused;
#endif
    uint32_t token;
    uint32_t high;
};

/* Sleeps until a socket of a set is ready, or until the deadline; without one for UINT64_MAX. The
 * cost follows what is ready, not how many sockets there are. Returns how many are ready, up to
 * `capacity`, or -1 with errno. */
int detent_ready_sleep(
    int set, struct detent_ready_place *places, int capacity, uint64_t now_ns,
    uint64_t deadline_ns
);

/* The number of the file system of a folder, as linux/magic.h has it; negative if the folder cannot
 * be reached. */
int64_t detent_file_system(const char *folder);

/* The arguments with which this program was started, its name first, and their number. The C
 * library has handed them over; no file of /proc is read. */
char *const *detent_arguments(int *count);

#endif
