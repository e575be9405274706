#define _GNU_SOURCE
#include "CProcess.h"

#include <CPlatform.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

extern char **environ;

/*
 * The child between vfork and exec. It shares the memory of this process, whose calling thread
 * waits, so it makes system calls only.
 */
static void become(char *const argv[], char *const envp[], struct detent_spawn_request request,
                   volatile int *error) {
    const int streams[] = {request.standard_input, request.standard_output,
                           request.standard_error};
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    if (setpgid(0, 0) != 0) goto failed;
    /* Told before the program can do anything, and closed before anything here can take long. */
    if (request.guardian >= 0) {
        detent_guardian_tell(request.guardian, getpid());
        close(request.guardian);
    }
    /* A handler of this process would run in its memory; an ignored signal would stay ignored. */
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    if ((errno = detent_leave_real_time()) != 0) goto failed;
    for (int to = STDIN_FILENO; to <= STDERR_FILENO; to++) {
        int from = streams[to];
        if (from < 0) from = open("/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY);
        if (from < 0) goto failed;
        if (from != to && dup2(from, to) < 0) goto failed;
        if (from == to && fcntl(to, F_SETFD, 0) != 0) goto failed;
    }
    closefrom(STDERR_FILENO + 1);
    if (request.directory && chdir(request.directory) != 0) goto failed;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(argv[0], argv, envp);
failed:
    *error = errno ? errno : ENOEXEC;
    _exit(127);
}

/*
 * A panel that the kernel spares when memory is short does not pass this on to its programs. They
 * cannot do it themselves before they start: the files in /proc of a process without core files
 * belong to root. Best effort: what a program started at once has inherited the other value.
 */
static void spare_no_longer(pid_t child) {
    char path[48], score[8];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", child);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, score, sizeof score) > 0 && score[0] == '-' && pwrite(file, "0", 1, 0) < 0) {
        /* It is then spared as the panel is. */
    }
    close(file);
}

int detent_spawn(pid_t *pid, char *const argv[], char *const envp[],
                 struct detent_spawn_request request) {
    volatile int error = 0;
    sigset_t all, before;
    int state;
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = vfork();
    if (child == 0) become(argv, envp, request, &error);
    int refused = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(state, NULL);
    if (child < 0) return refused;
    if (error != 0) {
        /* Forgotten before other processes can get its number. */
        if (request.guardian >= 0) detent_guardian_tell(request.guardian, -child);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
        return error;
    }
    spare_no_longer(child);
    *pid = child;
    return 0;
}

int detent_pidfd_open(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int detent_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int detent_memory_file(const void *bytes, size_t size) {
    int file = memfd_create("detent", MFD_CLOEXEC);
    if (file < 0) return -1;
    if (file <= STDERR_FILENO) {
        int low = file;
        file = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low);
        if (file < 0) return -1;
    }
    /* Memory takes all of it at once, or has no room. */
    if (pwrite(file, bytes, size, 0) == (ssize_t)size) return file;
    close(file);
    errno = ENOMEM;
    return -1;
}

char **detent_environment(void) {
    return environ;
}
