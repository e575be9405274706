#define _GNU_SOURCE
#include "sentry.h"

#include <CPlatform.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool detent_guarded_programs_read(struct detent_guarded_programs *programs, int pipe) {
    ssize_t size;
    while ((size = read(pipe, (void *)&programs->word, sizeof programs->word))
           == sizeof programs->word) {
        detent_guarded_groups_take(&programs->groups, programs->word);
        programs->word = 0;
    }
    return size < 0;
}

/* Nobody writes into `life`: it is ready when its last writer has gone. A program that was just
   being started is a writer too, until it has told its group. */
static void stand_by(struct detent_guarded_programs *programs, int pipe, int life) {
    struct pollfd end = {.fd = life, .events = POLLIN};
    while (poll(&end, 1, -1) < 0) continue;
    /* The guardian was killed before it could take this one. */
    if (programs->word != 0) detent_guarded_groups_take(&programs->groups, programs->word);
    detent_guarded_programs_read(programs, pipe);
    detent_guarded_groups_end(&programs->groups);
}

/* The sentry: it has these two descriptors only, and no signal but SIGKILL ends it. */
static _Noreturn void become_sentry(
    struct detent_guarded_programs *programs, int pipe, int life
) {
    prctl(PR_SET_NAME, "detent-sentry");
    if (dup2(life, STDIN_FILENO) < 0 || dup2(pipe, STDOUT_FILENO) < 0) _exit(errno);
    closefrom(STDERR_FILENO);
    if (chdir("/") != 0) { /* It then keeps a folder busy. */ }
    detent_read_around(false);
    detent_give_back(true);
    stand_by(programs, STDOUT_FILENO, STDIN_FILENO);
    _exit(0);
}

int detent_sentry_start(struct detent_guarded_programs *programs, int pipe, int life) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int error = child < 0 ? errno : 0;
    if (child == 0) {
        /* A signal to the group or the session of the panel must not reach the sentry. The child of
           a child belongs to the system, which reaps it. */
        setsid();
        pid_t sentry = fork();
        if (sentry != 0) _exit(sentry < 0 ? errno : 0);
        become_sentry(programs, pipe, life);
    }
    if (child > 0) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        error = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return -error;
}
