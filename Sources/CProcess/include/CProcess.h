/* Process calls that Swift cannot make: variadic ones, and those behind _GNU_SOURCE. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include <sys/types.h>

/* What a child is given; descriptors that are -1 become /dev/null. */
struct detent_spawn_request {
    const char *directory; /* NULL keeps the parent's */
    int standard_output;
    int standard_error;
    int guardian; /* told of the group before the program begins; -1: nobody is */
};

/*
 * Starts argv[0], looked up in PATH, as the leader of a new process group, with /dev/null as
 * standard input, every descriptor above 2 closed, no signal blocked or ignored, and the ordinary
 * scheduling policy whatever the calling thread runs under. Waits until the program has begun.
 * Returns 0 or an errno.
 */
int detent_spawn(pid_t *pid, char *const argv[], char *const envp[],
                 struct detent_spawn_request request);

/*
 * Starts a process that outlives this one for a moment, and kills the process groups it was told
 * of when this process ends in whatever way. Returns the writing end of its pipe, closed on exec;
 * -1 with errno. It keeps no other descriptor and takes no signal but SIGKILL.
 */
int detent_guardian_start(void);

/*
 * Tells it of a group, or, negated, to forget one: before its leader is reaped, as the number may
 * be a stranger's afterwards. Ignored where the guardian is gone, if SIGPIPE is.
 */
void detent_guardian_tell(int guardian, pid_t word);

/* A descriptor that becomes readable when the process ends; -1 with errno where there is none. */
int detent_pidfd_open(pid_t pid);

/* A pipe whose ends are closed on exec; 0, or -1 with errno. */
int detent_pipe(int ends[2]);

/* The environment of this process. */
char **detent_environment(void);

#endif
