#define _GNU_SOURCE
#include "CWall.h"

#include <CPlatform.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static socklen_t read_address(
    const char *address, uint16_t port, struct sockaddr_storage *storage
) {
    struct sockaddr_in *four = (struct sockaddr_in *)storage;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
    memset(storage, 0, sizeof *storage);
    if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        return sizeof *four;
    }
    if (inet_pton(AF_INET6, address, &six->sin6_addr) != 1) return 0;
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    return sizeof *six;
}

uint16_t detent_wall_port(int listener) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (getsockname(listener, (struct sockaddr *)&storage, &size) != 0) return 0;
    if (storage.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&storage)->sin_port);
    if (storage.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
    return 0;
}

int detent_wall_listen(const char *address, uint16_t port, int backlog, uint16_t *bound) {
    struct sockaddr_storage storage;
    socklen_t size = read_address(address, port, &storage);
    int yes = 1;
    if (size == 0) return -EINVAL;
    int listener = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -errno;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&storage, size) != 0 || listen(listener, backlog) != 0) {
        int error = errno;
        close(listener);
        return -error;
    }
    *bound = detent_wall_port(listener);
    return listener;
}

int detent_wall_watch(int listener) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    int watch = epoll_create1(EPOLL_CLOEXEC);
    if (watch < 0) return -errno;
    if (epoll_ctl(watch, EPOLL_CTL_ADD, listener, &event) == 0) return watch;
    int error = errno;
    close(watch);
    return -error;
}

bool detent_wall_came(int watch) {
    struct epoll_event event;
    return epoll_wait(watch, &event, 1, 0) > 0;
}

void detent_wall_turn_away(int listener, int most) {
    // Closed with a reset: the client need not wait for more.
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    while (most-- > 0) {
        int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (connection < 0) return;
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(connection);
    }
}

int detent_wall_hear(const char *address, uint16_t port) {
    struct sockaddr_storage storage;
    socklen_t size = read_address(address, port, &storage);
    if (size == 0) return -EINVAL;
    int hearing = socket(storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (hearing < 0) return -errno;
    if (bind(hearing, (struct sockaddr *)&storage, size) != 0) {
        int error = errno;
        close(hearing);
        return -error;
    }
    return hearing;
}

int detent_wall_connect(const char *address, uint16_t port, int kind) {
    struct sockaddr_storage storage;
    socklen_t size = read_address(address, port, &storage);
    int yes = 1;
    if (size == 0) return -EINVAL;
    int connection = socket(storage.ss_family, kind | SOCK_CLOEXEC, 0);
    if (connection < 0) return -errno;
    if (connect(connection, (struct sockaddr *)&storage, size) != 0) {
        int error = errno;
        close(connection);
        return -error;
    }
    if (kind == SOCK_STREAM) {
        /* A peer that was switched off is noticed within a minute. */
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        setsockopt(connection, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
        int idle = 30, between = 10, tries = 3;
        setsockopt(connection, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
        setsockopt(connection, IPPROTO_TCP, TCP_KEEPINTVL, &between, sizeof between);
        setsockopt(connection, IPPROTO_TCP, TCP_KEEPCNT, &tries, sizeof tries);
    }
    return connection;
}

int detent_wall_pair(int ends[2], int send_milliseconds) {
    struct timeval limit = {
        .tv_sec = send_milliseconds / 1000,
        .tv_usec = send_milliseconds % 1000 * 1000,
    };
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return 0;
}

int detent_wall_setup(const void *bytes, size_t count) {
    int file = memfd_create("detent-brief", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -errno;
    const char *rest = bytes;
    while (count > 0) {
        ssize_t size = write(file, rest, count);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) {
            int error = size < 0 ? errno : EIO;
            close(file);
            return -error;
        }
        rest += size;
        count -= (size_t)size;
    }
    fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    return file;
}

enum { GIVEN = DETENT_WALL_FIGURES - DETENT_WALL_LINK + 1 };

/*
 * The child between vfork and exec. It shares the memory of this process, whose calling thread
 * waits, so it makes system calls only.
 */
static void become(
    char *const argv[], char *const environment[], const int given[GIVEN], volatile int *error
) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    int high[GIVEN];
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) goto failed;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) goto failed;
    if ((errno = detent_leave_real_time()) != 0) goto failed;
    /* Away from the numbers that they are to have. */
    for (int place = 0; place < GIVEN; place++) {
        high[place] = fcntl(given[place], F_DUPFD, 16);
        if (high[place] < 0) goto failed;
    }
    for (int place = 0; place < GIVEN; place++)
        if (dup2(high[place], DETENT_WALL_LINK + place) < 0) goto failed;
    for (int to = STDIN_FILENO; to <= STDOUT_FILENO; to++) {
        close(to);
        if (open("/dev/null", O_RDWR) != to) goto failed;
    }
    closefrom(DETENT_WALL_FIGURES + 1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve("/proc/self/exe", argv, environment);
failed:
    *error = errno ? errno : ENOEXEC;
    _exit(127);
}

int detent_wall_spawn(
    pid_t *pid, char *word, int link, int listener, int brief, char *const environment[]
) {
    char name[] = "detent";
    char *const argv[] = {name, word, NULL};
    /* Of the panel, which closes what others would open: see PR_SET_DUMPABLE. */
    int figures = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    const int given[GIVEN] = {link, listener, brief, figures >= 0 ? figures : brief};
    volatile int error = 0;
    sigset_t all, before;
    int state;
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = vfork();
    if (child == 0) become(argv, environment, given, &error);
    int refused = child < 0 ? errno : 0;
    if (figures >= 0) close(figures);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(state, NULL);
    if (child < 0) return -refused;
    if (error != 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
        return -error;
    }
    *pid = child;
    return 0;
}

/* The panel stays longer. */
void detent_wall_be_expendable(void) {
    static const char score[] = "500";
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, score, sizeof score - 1) < 0) { /* It is then as likely as the panel. */ }
    close(file);
}

void detent_wall_rename(const char *name) {
    prctl(PR_SET_NAME, name);
}

void detent_wall_settle(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE};
    detent_wall_be_expendable();
    for (size_t place = 0; place < sizeof signals / sizeof *signals; place++)
        signal(signals[place], SIG_IGN);
    for (int number = DETENT_WALL_LINK; number <= DETENT_WALL_FIGURES; number++)
        fcntl(number, F_SETFD, FD_CLOEXEC);
}
