/* System calls for the processes beside a panel: the gateway, the broker and the OSC listener. */
#ifndef CWALL_H
#define CWALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The descriptors with which a gateway starts, besides the three standard ones. */
enum {
    DETENT_WALL_LINK = 3,     /* its end of the socket pair */
    DETENT_WALL_LISTENER = 4, /* the listening socket */
    DETENT_WALL_SETUP = 5,    /* a sealed file in memory: what to serve */
    DETENT_WALL_FIGURES = 6,  /* /proc/PANEL/stat, which it cannot open itself */
};

/*
 * Opens a TCP socket that listens at an IP address, closed on exec; `bound` is its port. Returns
 * the descriptor, or a negative error number: -EINVAL where the address is none.
 */
int detent_wall_listen(const char *address, uint16_t port, int backlog, uint16_t *bound);

/*
 * Opens a UDP socket that hears at an IP address, closed on exec. Returns the descriptor, or a
 * negative error number: -EINVAL where the address is none.
 */
int detent_wall_hear(const char *address, uint16_t port);

/*
 * Connects a socket of a kind, such as SOCK_STREAM, to an IP address, closed on exec; it blocks
 * until the other side answers. A connection is looked after, so that a peer that was switched off
 * is noticed within a minute. Returns the descriptor, or a negative error number.
 */
int detent_wall_connect(const char *address, uint16_t port, int kind);

/*
 * A descriptor that becomes readable once for each arrival at a listening socket, and costs nothing
 * until then, even while another process accepts. A negative error number on failure.
 */
int detent_wall_watch(int listener);

/* Whether a connection has come to the watched socket since the last call. */
bool detent_wall_came(int watch);

/*
 * Accepts the connections that wait at a listening socket and closes them at once, at most `most`;
 * nothing is read. The socket has to be non-blocking.
 */
void detent_wall_turn_away(int listener, int most);

/* The port of a listening socket; 0 if there is none. */
uint16_t detent_wall_port(int listener);

/*
 * A connected pair of sockets that keep messages apart, closed on exec. A message that the peer of
 * the first one does not take within the time fails. Returns 0 or a negative error number.
 */
int detent_wall_pair(int ends[2], int send_milliseconds);

/* A file in memory that cannot be changed any more; a negative error number on failure. */
int detent_wall_setup(const void *bytes, size_t count);

/*
 * Starts this program anew with one argument, the descriptors above and no other, and these
 * variables only (NAME=value, then NULL): its standard input and output are /dev/null. It has the
 * ordinary scheduling policy, gains no privileges, and is killed when the calling thread ends.
 * Returns 0 or a negative error number.
 */
int detent_wall_spawn(
    pid_t *pid, char *word, int link, int listener, int brief, char *const environment[]);

/* Lets the kernel end this process before others when memory is short. */
void detent_wall_be_expendable(void);

/* The name that a list of processes shows; at most 15 bytes. */
void detent_wall_rename(const char *name);

/*
 * Makes this process ignore the signals that ask a panel to end, and lets the kernel end it before
 * others when memory is short.
 */
void detent_wall_settle(void);

/* The processes between a panel and strangers. */
enum detent_wall_role {
    DETENT_WALL_GATEWAY,
    DETENT_WALL_BROKER, /* opens connections, and reads files */
    DETENT_WALL_HEARER, /* hears messages of OSC, or a device */
    DETENT_WALL_KEYS,   /* presses keys with a device that is made */
};

/*
 * Allows this process the system calls of its role (allowed-calls.h) and no others; a gateway that
 * `reads_files` may also open files to read them. Every other call answers ENOSYS. Call it before
 * threads begin. Returns 0, -ENOTSUP where the kernel has no filters, or another negative error
 * number.
 */
int detent_wall_confine(enum detent_wall_role role, bool reads_files);

/* What a machine can lack: the process goes on, and says so. */
enum {
    DETENT_WALL_NO_FILTER = 1, /* the kernel filters no system calls */
    DETENT_WALL_SAME_USER = 2, /* root cannot become nobody here; it has no privileges any more */
};

/* What detent_wall_enclose needs to know. */
struct detent_wall {
    enum detent_wall_role role;
    const char *const *paths; /* files and folders that are read later, then NULL; or NULL */
    uint16_t port;            /* where a broker listens; 0 for none */
};

/*
 * Shuts this process in for good: no privileges (root becomes nobody), limits of memory and
 * descriptors, no look from outside into its memory, the files that it needs and no others (where
 * the kernel has Landlock), and the system calls of its role. What it needs must be open. Call it
 * before threads begin. It names the process. Returns the sum of what the machine lacks, or a
 * negative error number: the process must then end.
 */
int detent_wall_enclose(const struct detent_wall *wall);

/* The steps of detent_wall_enclose. Each returns 0 or a negative error number. */
int detent_wall_limit(enum detent_wall_role role);
int detent_wall_allow_files(const struct detent_wall *wall);
int detent_wall_drop_rights(void); /* or DETENT_WALL_SAME_USER */

/* Whether this kernel bounds the connections of a broker's process: Landlock of Linux 6.7. */
bool detent_wall_bounds_connections(void);

/*
 * Whether a file that was readable when the process was shut in has been replaced since then, so
 * that only a new process can read it.
 */
bool detent_wall_is_outdated(void);

/*
 * A copy of a regular file in memory, for the time after root has become nobody: a path such as
 * /proc/self/fd/7. False, and no copy, for anything else.
 */
bool detent_wall_keep_file(const char *path, char copy[32]);

/* Closes the memory of this process to all others of its user, and gives it no core file. */
void detent_wall_hide(void);

#endif
