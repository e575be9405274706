#pragma once
#include <CProcess.h>
#include <stdbool.h>

/* The programs of a panel, in memory that the guardian shares with its sentry. */
struct detent_guarded_programs {
    struct detent_guarded_groups groups;
    /* What the guardian has read and may not have taken yet; else zero. */
    volatile pid_t word;
};

/* Takes what waits in the pipe of programs; false at its end. A guardian that is killed at any
   point here loses no word: the kernel writes it into the shared memory. */
bool detent_guarded_programs_read(struct detent_guarded_programs *programs, int pipe);

/*
 * Starts a process of its own session that ends the programs when guardian and panel are gone, even
 * if both are killed at once. It keeps the reading end of the pipe of programs, and that of `life`,
 * whose writing end guardian and panel have. The system reaps it. Returns 0 or a negative error
 * number.
 */
int detent_sentry_start(struct detent_guarded_programs *programs, int pipe, int life);
