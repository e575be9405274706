#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each step is one store, and a word that is taken twice has no other effect: another process may
   go on with the table at any moment. */
void detent_guarded_groups_take(struct detent_guarded_groups *guarded, pid_t word) {
    int free_place = -1;
    for (int place = 0; place < DETENT_GUARDED_GROUPS_MAX; place++) {
        pid_t group = guarded->groups[place];
        if (group == 0 && free_place < 0) free_place = place;
        if (word > 0 && group == word) return;
        if (word < 0 && group == -word) guarded->groups[place] = 0;
    }
    if (word > 0 && free_place >= 0) guarded->groups[free_place] = word;
}

void detent_guarded_groups_end(struct detent_guarded_groups *guarded) {
    for (int place = 0; place < DETENT_GUARDED_GROUPS_MAX; place++) {
        if (guarded->groups[place] > 0) kill(-guarded->groups[place], SIGKILL);
        guarded->groups[place] = 0;
    }
}

/* Collects groups until the other end of the pipe is closed, then kills the remaining ones. */
static void guard(int reader) {
    struct detent_guarded_groups guarded = {0};
    pid_t word;
    for (;;) {
        ssize_t size = read(reader, &word, sizeof word);
        if (size < 0 && errno == EINTR) continue;
        if (size != sizeof word) break;
        detent_guarded_groups_take(&guarded, word);
    }
    detent_guarded_groups_end(&guarded);
}

/* The errno with which a child has ended. */
static int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

int detent_guardian_start(void) {
    int ends[2];
    sigset_t all, before;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int error = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child == 0) {
        /* Only system calls from here: other threads may have held any lock. A signal to the group
           or the session of the panel must not end this process. The child of a child belongs to
           the system, which reaps it: a process that starts many guardians keeps none of them. */
        pthread_sigmask(SIG_SETMASK, &all, NULL);
        setsid();
        pid_t guardian = fork();
        if (guardian != 0) _exit(guardian < 0 ? errno : 0);
        prctl(PR_SET_NAME, "detent-guard");
        if (ends[0] != STDIN_FILENO) dup2(ends[0], STDIN_FILENO);
        closefrom(STDIN_FILENO + 1);
        if (chdir("/") == 0) guard(STDIN_FILENO);
        _exit(0);
    }
    close(ends[0]);
    if (child > 0) error = wait_for(child);
    if (error) {
        close(ends[1]);
        errno = error;
        return -1;
    }
    return ends[1];
}

void detent_guardian_tell(int guardian, pid_t word) {
    while (write(guardian, &word, sizeof word) < 0 && errno == EINTR) continue;
}
