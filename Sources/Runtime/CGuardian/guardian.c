#define _GNU_SOURCE
#include "CGuardian.h"
#include "guardian.h"
#include "levels.h"
#include "sentry.h"

#include <CPlatform.h>
#include <CProcess.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum word { GUARD_LINE = 1, FORGET_LINES, BEGIN_LINES, FORGET_EARLIER, RESTART };

/* What the panel writes into the socket of lines; an open file is beside it. */
struct message {
    enum word word;
    uint32_t milliseconds; /* RESTART */
    struct detent_guarded_line line; /* GUARD_LINE */
};

/* Room for one descriptor. */
union beside {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

struct detent_kept {
    char file[4096];   /* ends with a zero; empty: nothing is written */
    uint64_t identity; /* of the panel to which the values belong */
    uint64_t count;
    uint64_t values[DETENT_KEPT_VALUES_MAX];
};

struct guardian {
    int signals;
    /* The reading ends; -1 after the last writer has closed its end. */
    int programs;
    int lines;
    /* The sentry of the panel ends when guardian and panel have closed this. */
    int life;
    pid_t panel;
    int64_t restart_milliseconds; /* -1 to end as the panel did */
    bool was_asked_to_end;
    /* Whether one of the streams was a terminal at the start. */
    bool had_terminal;
    /* The name of the first process, which each panel has too. */
    char name[16];
    struct detent_guarded_programs *guarded; /* shared with the sentry */
    struct detent_levels *levels;
    struct detent_kept *kept; /* shared with the panel */
};

/* ---- In the panel */

static bool tell(int lines, const struct message *message, int file) {
    union beside beside;
    struct iovec part = {.iov_base = (void *)message, .iov_len = sizeof *message};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t size;
    if (file >= 0) {
        memset(&beside, 0, sizeof beside);
        beside.head = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof file)};
        memcpy(CMSG_DATA(&beside.head), &file, sizeof file);
        head.msg_control = &beside;
        head.msg_controllen = sizeof beside;
    }
    do size = sendmsg(lines, &head, MSG_NOSIGNAL);
    while (size < 0 && errno == EINTR);
    return size == sizeof *message;
}

bool detent_guard_line(int lines, const struct detent_guarded_line *line, int file) {
    struct message message;
    memset(&message, 0, sizeof message);
    message.word = GUARD_LINE;
    message.line = *line;
    return tell(lines, &message, file);
}

static void tell_word(int lines, enum word word, uint32_t milliseconds) {
    struct message message;
    memset(&message, 0, sizeof message);
    message.word = word;
    message.milliseconds = milliseconds;
    tell(lines, &message, -1);
}

void detent_guard_forget_lines(int lines) {
    tell_word(lines, FORGET_LINES, 0);
}

void detent_guard_begin_lines(int lines) {
    tell_word(lines, BEGIN_LINES, 0);
}

void detent_guard_forget_earlier(int lines) {
    tell_word(lines, FORGET_EARLIER, 0);
}

void detent_guard_restart(int lines, uint32_t milliseconds) {
    tell_word(lines, RESTART, milliseconds);
}

uint64_t *detent_kept_values(struct detent_kept *kept, size_t count) {
    if (count > DETENT_KEPT_VALUES_MAX) return NULL;
    kept->count = count;
    memset(kept->values, 0, count * sizeof *kept->values);
    return kept->values;
}

bool detent_keep_values(struct detent_kept *kept, const char *file, uint64_t identity) {
    if (strlen(file) >= sizeof kept->file) return false;
    kept->identity = identity;
    strcpy(kept->file, file);
    return true;
}

void detent_forget_values(struct detent_kept *kept) {
    kept->file[0] = 0;
}

/* ---- In the guardian */

/* Writes a message for people, but never waits for a reader that is stuck. */
static void say(const char *format, ...) {
    char text[256];
    struct pollfd reader = {.fd = STDERR_FILENO, .events = POLLOUT};
    va_list values;
    va_start(values, format);
    int size = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (size <= 0 || poll(&reader, 1, 0) != 1 || !(reader.revents & POLLOUT)) return;
    if ((size_t)size >= sizeof text) size = sizeof text - 1;
    if (write(STDERR_FILENO, text, (size_t)size) < 0) return;
}

static void say_failure(const struct detent_guarded_line *line, int error) {
    say("detent: the `on-crash` level of %s was not written: %s: %s\n", line->name, line->chip,
        strerror(-error));
}

static bool has_terminal(void) {
    return isatty(STDIN_FILENO) || isatty(STDOUT_FILENO) || isatty(STDERR_FILENO);
}

/* A terminal that has closed is no terminal any more. Otherwise SIGHUP asks for a reload. */
static bool asks_to_end(const struct guardian *guardian, int signal) {
    return signal == SIGTERM || signal == SIGINT || signal == SIGQUIT
        || (signal == SIGHUP && guardian->had_terminal && !has_terminal());
}

/* Signals that are not passed on: the terminal sends the first ones to both processes. */
static bool is_private(int signal) {
    return signal == SIGCHLD || signal == SIGWINCH || signal == SIGURG || signal == SIGPIPE;
}

/* Signals that arrive through the descriptor; job control keeps its usual effect. */
sigset_t watched_signals(void) {
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGTSTP);
    sigdelset(&set, SIGTTIN);
    sigdelset(&set, SIGTTOU);
    sigdelset(&set, SIGCONT);
    return set;
}

static void close_pipe(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

static void close_ends(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

/* Reads what waits in the pipe of programs. */
static void take_programs(struct guardian *guardian) {
    if (!detent_guarded_programs_read(guardian->guarded, guardian->programs))
        close_pipe(&guardian->programs);
}

/* Reads a message, and the file beside it; -1 without one. */
static ssize_t hear(int lines, struct message *message, int *file) {
    union beside beside;
    struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &beside,
        .msg_controllen = sizeof beside};
    ssize_t size = recvmsg(lines, &head, MSG_CMSG_CLOEXEC);
    struct cmsghdr *first = size < 0 ? NULL : CMSG_FIRSTHDR(&head);
    *file = -1;
    if (first && first->cmsg_type == SCM_RIGHTS) memcpy(file, CMSG_DATA(first), sizeof *file);
    return size;
}

/* Reads what waits in the socket of lines. */
static void take_lines(struct guardian *guardian) {
    struct message message;
    ssize_t size;
    int file;
    while ((size = hear(guardian->lines, &message, &file)) == sizeof message) {
        /* No other word has a file. */
        if (file >= 0 && message.word != GUARD_LINE) close(file);
        switch (message.word) {
        case GUARD_LINE:
            if (!detent_levels_add(guardian->levels, &message.line, file))
                say_failure(&message.line, -ENOSPC);
            break;
        case FORGET_LINES:
            detent_levels_forget(guardian->levels);
            break;
        case BEGIN_LINES:
            detent_levels_begin(guardian->levels);
            break;
        case FORGET_EARLIER:
            detent_levels_forget_earlier(guardian->levels);
            break;
        case RESTART:
            guardian->restart_milliseconds = message.milliseconds;
            break;
        }
    }
    if (size >= 0) close_pipe(&guardian->lines);
}

/* Passes signals on; returns whether the panel has ended, with its wait status. */
static bool take_signals(struct guardian *guardian, int *status) {
    struct signalfd_siginfo info;
    bool has_ended = false;
    while (read(guardian->signals, &info, sizeof info) == sizeof info) {
        int signal = (int)info.ssi_signo;
        if (asks_to_end(guardian, signal)) guardian->was_asked_to_end = true;
        if (guardian->panel > 0 && !is_private(signal)) kill(guardian->panel, signal);
        if (signal != SIGCHLD || guardian->panel == 0) continue;
        if (waitpid(guardian->panel, status, WNOHANG) != guardian->panel) continue;
        guardian->panel = 0;
        has_ended = true;
    }
    return has_ended;
}

/* Follows the panel to its end; returns its wait status. */
static int watch(struct guardian *guardian) {
    int status = 0;
    for (;;) {
        struct pollfd ready[] = {
            {.fd = guardian->signals, .events = POLLIN},
            {.fd = guardian->programs, .events = POLLIN},
            {.fd = guardian->lines, .events = POLLIN},
        };
        if (poll(ready, 3, -1) < 0) continue;
        if (ready[1].revents) take_programs(guardian);
        if (ready[2].revents) take_lines(guardian);
        if (ready[0].revents && take_signals(guardian, &status)) return status;
    }
}

static int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads the last words of a dead panel, and of programs that it was about to start. */
static void take_last_words(struct guardian *guardian) {
    int64_t end = milliseconds_now() + DETENT_GUARDIAN_WAIT_MILLISECONDS;
    while (guardian->programs >= 0 || guardian->lines >= 0) {
        int64_t left = end - milliseconds_now();
        struct pollfd ready[] = {
            {.fd = guardian->programs, .events = POLLIN},
            {.fd = guardian->lines, .events = POLLIN},
        };
        if (left <= 0 || poll(ready, 2, (int)left) == 0) break;
        if (ready[0].revents) take_programs(guardian);
        if (ready[1].revents) take_lines(guardian);
    }
    close_pipe(&guardian->programs);
    close_pipe(&guardian->lines);
}

/* Waits before a restart; returns early if a signal asks to end. */
static void wait_for_restart(struct guardian *guardian) {
    int64_t end = milliseconds_now() + guardian->restart_milliseconds;
    int status;
    while (!guardian->was_asked_to_end) {
        int64_t left = end - milliseconds_now();
        struct pollfd ready = {.fd = guardian->signals, .events = POLLIN};
        if (left <= 0) return;
        if (poll(&ready, 1, (int)left) > 0) take_signals(guardian, &status);
    }
}

/* Ends as the panel did, without another core file. */
static _Noreturn void end_as(int status) {
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    static const struct rlimit none = {0, 0};
    int number = WTERMSIG(status);
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t set;
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    sigaction(number, &usual, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    kill(getpid(), number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    _exit(128 + number);
}

/* The child of `start`: a panel without its guardian ends in order, and a guardian that has already
   ended cannot send the signal. */
static void become_panel(struct guardian *guardian, pid_t parent) {
    close(guardian->signals);
    /* The files of a panel before it. */
    detent_levels_forget(guardian->levels);
    /* A panel that is started again has inherited the name of the guardian. */
    prctl(PR_SET_NAME, guardian->name);
    detent_read_around(true);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(128 + SIGTERM);
}

/* Starts a panel; `panel` is 0 in the child. Returns 0 or a negative error number. */
static int start(struct guardian *guardian, struct detent_guard *guard) {
    int programs[2], lines[2], life[2];
    int *const pipes[] = {programs, lines, life};
    pid_t parent = getpid();
    for (int made = 0; made < 3; made++) {
        /* A socket carries descriptors, too; this sort keeps its messages apart. */
        int failed = pipes[made] == lines
            ? socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, lines)
            : pipe2(pipes[made], O_CLOEXEC);
        if (failed == 0) continue;
        int error = -errno;
        while (made-- > 0) close_ends(pipes[made]);
        return error;
    }
    int error = detent_sentry_start(guardian->guarded, programs[0], life[0]);
    guardian->panel = error ? -1 : fork();
    if (!error && guardian->panel < 0) error = -errno;
    bool is_panel = guardian->panel == 0;
    /* The panel writes and the guardian reads: each keeps its ends. Both keep the end of `life`. */
    close(programs[is_panel ? 0 : 1]);
    close(lines[is_panel ? 0 : 1]);
    close(life[0]);
    if (is_panel) {
        *guard = (struct detent_guard){
            .kept = guardian->kept, .programs = programs[1], .lines = lines[1]};
        become_panel(guardian, parent);
        return 0;
    }
    guardian->programs = programs[0];
    guardian->lines = lines[0];
    guardian->life = life[1];
    fcntl(guardian->programs, F_SETFL, O_NONBLOCK);
    fcntl(guardian->lines, F_SETFL, O_NONBLOCK);
    if (error) {
        guardian->panel = 0;
        close_pipe(&guardian->programs);
        close_pipe(&guardian->lines);
        close_pipe(&guardian->life);
    }
    return error;
}

static bool write_all(int file, const void *bytes, size_t size) {
    const char *rest = bytes;
    while (size > 0) {
        ssize_t written = write(file, rest, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        rest += written;
        size -= (size_t)written;
    }
    return true;
}

/* Writes the values of a panel that has died before it could save them; the next one reads them. */
static void write_values(struct detent_kept *kept) {
    char fresh[sizeof kept->file + sizeof ".new"];
    if (kept->file[0] == 0) return;
    kept->file[sizeof kept->file - 1] = 0;
    uint64_t count = kept->count < DETENT_KEPT_VALUES_MAX ? kept->count : DETENT_KEPT_VALUES_MAX;
    uint64_t head[] = {0, kept->identity, count};
    memcpy(head, "detentk1", sizeof *head);
    snprintf(fresh, sizeof fresh, "%s.new", kept->file);
    unlink(fresh);
    int file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool is_written = file >= 0 && write_all(file, head, sizeof head)
        && write_all(file, kept->values, count * sizeof *kept->values);
    if (file >= 0 && close(file) != 0) is_written = false;
    if (!is_written || rename(fresh, kept->file) != 0)
        say("detent: the latest values were not saved in %s: %s\n", kept->file, strerror(errno));
    kept->file[0] = 0;
}

/* Writes the levels of a panel that has crashed; returns whether it has. */
static bool write_levels(struct guardian *guardian, int status) {
    size_t lines = detent_levels_count(guardian->levels);
    if (lines == 0) return WIFSIGNALED(status);
    size_t written = detent_levels_write(guardian->levels, say_failure);
    if (WIFSIGNALED(status))
        say("detent: signal %d (%s) ended the panel; ", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    else
        say("detent: the panel ended with exit code %d and left its outputs; ",
            WEXITSTATUS(status));
    say("%zu of %zu outputs have their `on-crash` levels\n", written, lines);
    return true;
}

/* Ends the programs of a panel that has ended; if it has crashed, writes its levels and then its
   values. Returns whether it has crashed. */
static bool clean_up(struct guardian *guardian, int status) {
    take_last_words(guardian);
    detent_guarded_groups_end(&guardian->guarded->groups);
    close_pipe(&guardian->life);
    bool has_crashed = write_levels(guardian, status);
    write_values(guardian->kept);
    return has_crashed;
}

/* Follows panels until one ends that is not started again, and ends as it did. */
static void guard_panels(struct guardian *guardian, struct detent_guard *guard) {
    for (;;) {
        int status = watch(guardian);
        bool has_crashed = clean_up(guardian, status);
        if (!has_crashed || guardian->restart_milliseconds < 0 || guardian->was_asked_to_end)
            end_as(status);
        say("detent: the panel starts again in %lld ms\n",
            (long long)guardian->restart_milliseconds);
        wait_for_restart(guardian);
        /* The lines must be free for the next panel. */
        detent_levels_release(guardian->levels);
        if (guardian->was_asked_to_end) _exit(0);
        int error = start(guardian, guard);
        if (error) {
            say("detent: the panel cannot start again: %s\n", strerror(-error));
            end_as(status);
        }
        if (guardian->panel == 0) return;
    }
}

/* Memory of zeros that children share. */
static void *share(size_t size) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int guard_panel(struct detent_guard *guard, const sigset_t *before) {
    struct guardian guardian = {
        .programs = -1, .lines = -1, .life = -1, .restart_milliseconds = -1};
    guardian.had_terminal = has_terminal();
    prctl(PR_GET_NAME, guardian.name);
    sigset_t watched = watched_signals();
    /* No other process of this user can read or change the memory of guardian and panel, or take
       their descriptors; there are no core files of them, either. */
    prctl(PR_SET_DUMPABLE, 0);
    guardian.levels = detent_levels_make();
    if (!guardian.levels) return -ENOMEM;
    /* Pages that nothing touches take no memory. */
    guardian.kept = share(sizeof *guardian.kept);
    guardian.guarded = share(sizeof *guardian.guarded);
    if (guardian.kept == MAP_FAILED || guardian.guarded == MAP_FAILED) {
        int refused = -errno;
        free(guardian.levels);
        return refused;
    }
    guardian.signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    int error = guardian.signals < 0 ? -errno : start(&guardian, guard);
    if (!error && guardian.panel > 0) {
        prctl(PR_SET_NAME, "detent-guard");
        /* Releases what the start of the program has used; the guardian itself needs little. */
        detent_read_around(false);
        detent_give_back(true);
        guard_panels(&guardian, guard);
    }
    if (error && guardian.signals >= 0) close(guardian.signals);
    free(guardian.levels);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    return error;
}
