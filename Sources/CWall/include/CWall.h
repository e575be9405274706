/* System calls for the processes beside a panel: the gateway, the broker and the OSC listener. */
#ifndef CWALL_H
#define CWALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The descriptors with which a gateway starts, besides the three standard ones. */
enum {
    DETENT_GATEWAY_LINK = 3,     /* its end of the socket pair */
    DETENT_GATEWAY_LISTENER = 4, /* the listening socket */
    DETENT_GATEWAY_BRIEF = 5,    /* a sealed file in memory: what to serve */
};

/*
 * Opens a TCP socket that listens at an IP address, closed on exec; `bound` is its port. Returns
 * the descriptor, or a negative error number: -EINVAL where the address is none.
 */
int detent_gateway_listen(const char *address, uint16_t port, int backlog, uint16_t *bound);

/*
 * Opens a UDP socket that hears at an IP address, closed on exec. Returns the descriptor, or a
 * negative error number: -EINVAL where the address is none.
 */
int detent_gateway_hear(const char *address, uint16_t port);

/* The port of a listening socket; 0 if there is none. */
uint16_t detent_gateway_port(int listener);

/*
 * A connected pair of sockets that keep messages apart, closed on exec. A message that the peer of
 * the first one does not take within the time fails. Returns 0 or a negative error number.
 */
int detent_gateway_pair(int ends[2], int send_milliseconds);

/* A file in memory that cannot be changed any more; a negative error number on failure. */
int detent_gateway_brief(const void *bytes, size_t count);

/*
 * Starts this program anew with one argument and the descriptors above, and no other: its standard
 * input and output are /dev/null. It has the ordinary scheduling policy, gains no privileges, and
 * is killed when the calling thread ends. Returns 0 or a negative error number.
 */
int detent_gateway_spawn(pid_t *pid, char *word, int link, int listener, int brief);

/* Names this process, and lets the kernel end it before others when memory is short. */
void detent_gateway_name(const char *name);

/*
 * Names this process, makes it ignore the signals that ask a panel to end, and lets the kernel end
 * it before others when memory is short.
 */
void detent_gateway_settle(const char *name);

/*
 * Refuses system calls that a gateway does not need: to open files (unless `reads_files`), to
 * connect (unless `connects`), to start programs, and to reach other processes. Call it before
 * threads begin. Returns 0, or a negative error number where the kernel has no filters.
 */
int detent_gateway_confine(bool reads_files, bool connects);

#endif
