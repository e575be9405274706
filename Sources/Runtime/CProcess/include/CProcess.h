/* Process calls that Swift cannot make: variadic ones, and those that need _GNU_SOURCE. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include "serial.h"

#include <sys/types.h>

/* What a child inherits; descriptors that are -1 become /dev/null. */
struct detent_spawn_request {
    const char *directory; /* NULL keeps the parent's */
    int standard_input;
    int standard_output;
    int standard_error;
    int guardian; /* told the group before the program starts; -1 for none */
};

/*
 * Starts argv[0], looked up in PATH, as the leader of a new process group, with every descriptor
 * above 2 closed, no signal blocked or ignored, and the ordinary scheduling policy, whatever the
 * policy of the calling thread. The kernel does not spare it when memory is short, even if it
 * spares this process. Returns 0 or an errno, after the program has started.
 */
int detent_spawn(pid_t *pid, char *const argv[], char *const envp[],
                 struct detent_spawn_request request);

/*
 * Starts a process that kills the process groups that it was told, when this process ends for any
 * reason; then it ends too. Returns the writing end of its pipe, closed on exec; -1 with errno. It
 * keeps no other descriptor, and only SIGKILL ends it.
 */
int detent_guardian_start(void);

/*
 * Tells it a group or, negated, a group to forget. Forget a group before its leader is reaped:
 * afterwards its number may belong to another process. Has no effect if the guardian has ended and
 * SIGPIPE is ignored.
 */
void detent_guardian_tell(int guardian, pid_t word);

/* Groups that a guardian can hold; further ones are not killed. Twice ActionLimits.running. */
#define DETENT_GUARDED_GROUPS_MAX 128

/* The process groups of programs that run, in any places; a zero is a free place. */
struct detent_guarded_groups {
    volatile pid_t groups[DETENT_GUARDED_GROUPS_MAX];
};

/* Takes a word of detent_guardian_tell. */
void detent_guarded_groups_take(struct detent_guarded_groups *guarded, pid_t word);

/* Kills every group, and forgets it. */
void detent_guarded_groups_end(struct detent_guarded_groups *guarded);

/* A descriptor that becomes readable when the process ends; -1 with errno on failure. */
int detent_pidfd_open(pid_t pid);

/* A pipe whose ends are closed on exec; 0, or -1 with errno. */
int detent_pipe(int ends[2]);

/*
 * A descriptor above 2, closed on exec, that reads these bytes from their start; -1 with errno. No
 * name leads to them, and no process but those that have the descriptor can read them.
 */
int detent_memory_file(const void *bytes, size_t size);

/* The environment of this process. */
char **detent_environment(void);

#endif
