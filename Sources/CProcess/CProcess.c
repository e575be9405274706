#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

extern char **environ;

static int direct(posix_spawn_file_actions_t *actions, int from, int to) {
    if (from < 0) {
        return posix_spawn_file_actions_addopen(
            actions, to, "/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    }
    return posix_spawn_file_actions_adddup2(actions, from, to);
}

static int describe_files(posix_spawn_file_actions_t *actions,
                          struct detent_spawn_request request) {
    int error = direct(actions, -1, STDIN_FILENO);
    if (!error) error = direct(actions, request.standard_output, STDOUT_FILENO);
    if (!error) error = direct(actions, request.standard_error, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (!error && request.directory) {
        error = posix_spawn_file_actions_addchdir_np(actions, request.directory);
    }
    return error;
}

static int describe_process(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    struct sched_param ordinary = {.sched_priority = 0};
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                        POSIX_SPAWN_SETSCHEDULER);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setschedpolicy(attributes, SCHED_OTHER);
    if (!error) error = posix_spawnattr_setschedparam(attributes, &ordinary);
    return error;
}

int detent_spawn(pid_t *pid, char *const argv[], char *const envp[],
                 struct detent_spawn_request request) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = describe_files(&actions, request);
        if (!error) error = describe_process(&attributes);
        if (!error) error = posix_spawnp(pid, argv[0], &actions, &attributes, argv, envp);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int detent_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int detent_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

char **detent_environment(void) {
    return environ;
}
