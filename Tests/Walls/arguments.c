/* The arguments of allowed calls that reach other processes, write files, or make code; and what
   each process needs. An attack on the former filter, a list of refused calls, tried the same:
   signals, limits, priorities, a copy that outlives its panel, the panel's memory. */
#define _GNU_SOURCE
#include "walls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Another process of the same user, such as the panel, which must not notice anything. */
static pid_t victim;
/* Open before the filter, as the descriptors of a process beside a panel are. */
static int ends[2];
static enum detent_wall_role role;
static bool reads_files;

/* The number of the first line that was not refused; 0 if all were. */
#define REFUSED(call) \
    do { \
        errno = 0; \
        if ((long)(call) != -1 || errno != ENOSYS) return __LINE__ % 250; \
    } while (0)
#define NEEDED(condition) \
    do { \
        if (!(condition)) return __LINE__ % 250; \
    } while (0)

static int try_signals(void *context) {
    siginfo_t info = {.si_signo = SIGKILL, .si_code = -1};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGKILL};
    timer_t timer;
    pid_t own = getpid();
    (void)context;
    REFUSED(syscall(SYS_kill, victim, SIGKILL));
    REFUSED(syscall(SYS_kill, own, SIGKILL));
    REFUSED(syscall(SYS_tkill, victim, SIGKILL));
    REFUSED(syscall(SYS_tkill, own, SIGKILL));
    REFUSED(syscall(SYS_tgkill, victim, victim, SIGKILL));
    REFUSED(syscall(SYS_tgkill, 0, victim, SIGKILL));
    REFUSED(syscall(SYS_tgkill, -1, victim, SIGKILL));
    REFUSED(syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, &info));
    REFUSED(syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGKILL, &info));
    REFUSED(syscall(424 /* pidfd_send_signal */, ends[0], SIGKILL, NULL, 0));
    REFUSED(syscall(434 /* pidfd_open */, victim, 0));
    REFUSED(syscall(438 /* pidfd_getfd */, ends[0], 0, 0));
    REFUSED(syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
    REFUSED(fcntl(ends[0], F_SETOWN, victim));
    REFUSED(fcntl(ends[0], F_SETOWN_EX, NULL));
    REFUSED(fcntl(ends[0], F_SETSIG, SIGKILL));
    REFUSED(fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK));
    REFUSED(fcntl(ends[0], F_NOTIFY, 1));
    REFUSED(fcntl(ends[0], F_SETLEASE, F_WRLCK));
    REFUSED(fcntl(ends[0], F_DUPFD, 20));
    REFUSED(ioctl(ends[0], FIOASYNC, &own));
    REFUSED(ioctl(ends[0], FIOSETOWN, &victim));
    REFUSED(ioctl(ends[0], SIOCSPGRP, &victim));
    REFUSED(ioctl(STDERR_FILENO, TIOCSTI, "x"));
    REFUSED(ioctl(STDERR_FILENO, TIOCSPGRP, &victim));
    REFUSED(ioctl(STDERR_FILENO, TIOCLINUX, "x"));
    REFUSED(prctl(PR_SET_PDEATHSIG, 0));
    return 0;
}

static int try_processes(void *context) {
    static const long own_thread = CLONE_THREAD | CLONE_SIGHAND | CLONE_VM;
    struct rlimit none = {0, 0};
    struct sched_param parameters = {0};
    char *const words[] = {"true", NULL};
    char set[128] = {1};
    (void)context;
    REFUSED(syscall(SYS_prlimit64, victim, RLIMIT_NOFILE, &none, NULL));
    REFUSED(syscall(SYS_prlimit64, victim, RLIMIT_NOFILE, NULL, &none));
    REFUSED(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &none, NULL));
    REFUSED(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, (void *)(1ul << 32), NULL));
    REFUSED(syscall(SYS_sched_setaffinity, victim, sizeof set, set));
    REFUSED(syscall(SYS_sched_getaffinity, victim, sizeof set, set));
    REFUSED(syscall(SYS_sched_setscheduler, victim, SCHED_IDLE, &parameters));
    REFUSED(syscall(SYS_sched_setparam, victim, &parameters));
    REFUSED(syscall(SYS_sched_setattr, victim, NULL, 0));
    REFUSED(syscall(SYS_setpriority, PRIO_PROCESS, victim, 19));
    REFUSED(syscall(SYS_ioprio_set, 1, victim, 0));
    REFUSED(syscall(SYS_ptrace, 16, victim, 0, 0));
    REFUSED(syscall(SYS_process_vm_readv, victim, NULL, 0, NULL, 0, 0));
    REFUSED(syscall(SYS_process_vm_writev, victim, NULL, 0, NULL, 0, 0));
    REFUSED(syscall(440 /* process_madvise */, -1, NULL, 0, 0, 0));
    REFUSED(syscall(448 /* process_mrelease */, -1, 0));
    REFUSED(syscall(SYS_migrate_pages, victim, 0, NULL, NULL));
    REFUSED(syscall(SYS_move_pages, victim, 0, NULL, NULL, NULL, 0));
    REFUSED(syscall(SYS_kcmp, victim, getpid(), 0, 0, 0));
    REFUSED(syscall(SYS_setpgid, 0, 0));
    REFUSED(syscall(SYS_setsid));
    REFUSED(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    REFUSED(syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
    REFUSED(syscall(SYS_clone, own_thread | CLONE_NEWUSER, 0, 0, 0, 0));
    REFUSED(syscall(SYS_clone, own_thread | CLONE_UNTRACED, 0, 0, 0, 0));
    REFUSED(syscall(435 /* clone3 */, NULL, 0));
#ifdef SYS_fork
    REFUSED(syscall(SYS_fork));
    REFUSED(syscall(SYS_vfork));
#endif
    REFUSED(syscall(SYS_execve, "/bin/true", words, NULL));
    REFUSED(syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, NULL, 0));
    REFUSED(syscall(SYS_unshare, CLONE_NEWUSER));
    REFUSED(syscall(SYS_setns, -1, 0));
    REFUSED(syscall(SYS_personality, 0xffffffff));
    REFUSED(prctl(PR_SET_DUMPABLE, 1));
    REFUSED(prctl(PR_SET_SECCOMP, 0));
    REFUSED(prctl(PR_SET_PTRACER, victim));
    REFUSED(prctl(PR_SET_MM, 0, 0, 0, 0));
    return 0;
}

static int try_files(void *context) {
    static const int ways[] = {
        O_WRONLY, O_RDWR, O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC, O_TMPFILE | O_RDWR,
        O_TMPFILE | O_RDONLY, O_WRONLY | O_CREAT | O_EXCL, O_ACCMODE};
    (void)context;
    for (size_t place = 0; place < sizeof ways / sizeof *ways; place++)
        REFUSED(openat(AT_FDCWD, "/tmp", ways[place], 0600));
    REFUSED(syscall(437 /* openat2 */, AT_FDCWD, "/etc/hosts", NULL, 24));
#ifdef SYS_open
    REFUSED(syscall(SYS_open, "/etc/hosts", O_RDONLY));
    REFUSED(syscall(SYS_creat, "/tmp/detent-wall", 0600));
#endif
    REFUSED(syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0));
    REFUSED(syscall(SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0));
    REFUSED(syscall(SYS_mknodat, AT_FDCWD, "/tmp/detent-wall", S_IFREG | 0600, 0));
    REFUSED(syscall(SYS_mkdirat, AT_FDCWD, "/tmp/detent-wall", 0700));
    REFUSED(syscall(SYS_unlinkat, AT_FDCWD, "/tmp/detent-wall", 0));
    REFUSED(syscall(SYS_truncate, "/tmp/detent-wall", 0));
    REFUSED(syscall(SYS_ftruncate, 2, 0));
    REFUSED(syscall(SYS_fallocate, 2, 0, 0, 1));
    REFUSED(syscall(SYS_fchmodat, AT_FDCWD, "/tmp/detent-wall", 0777));
    REFUSED(syscall(SYS_fchmod, 2, 0777));
    REFUSED(syscall(452 /* fchmodat2 */, AT_FDCWD, "/tmp/detent-wall", 0777, 0));
    REFUSED(syscall(SYS_fchown, 2, 0, 0));
    REFUSED(syscall(SYS_utimensat, AT_FDCWD, "/tmp/detent-wall", NULL, 0));
    REFUSED(syscall(SYS_setxattr, "/tmp", "user.x", "y", 1, 0));
    REFUSED(syscall(SYS_fsetxattr, 2, "user.x", "y", 1, 0));
    REFUSED(syscall(SYS_flock, 2, 2));
    REFUSED(syscall(SYS_inotify_init1, 0));
    REFUSED(syscall(SYS_fanotify_init, 0, 0));
    REFUSED(syscall(SYS_chdir, "/"));
    REFUSED(syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
    REFUSED(syscall(428 /* open_tree */, AT_FDCWD, "/", 0));
    REFUSED(syscall(SYS_statx, AT_FDCWD, "/", 0, 0, NULL));
    return 0;
}

static int try_kernel(void *context) {
    (void)context;
    REFUSED(syscall(SYS_shmget, 0, 4096, 01600));
    REFUSED(syscall(SYS_semget, 0, 1, 01600));
    REFUSED(syscall(SYS_msgget, 0, 01600));
    REFUSED(syscall(SYS_mq_open, "detent-wall", O_CREAT | O_RDWR, 0600, NULL));
    REFUSED(syscall(SYS_memfd_create, "detent-wall", 0));
    REFUSED(syscall(447 /* memfd_secret */, 0));
    REFUSED(syscall(SYS_userfaultfd, 0));
    REFUSED(syscall(425 /* io_uring_setup */, 1, NULL));
    REFUSED(syscall(SYS_bpf, 0, NULL, 0));
    REFUSED(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    REFUSED(syscall(SYS_keyctl, 0));
    REFUSED(syscall(SYS_add_key, "user", "x", "y", 1, -2));
    REFUSED(syscall(SYS_seccomp, 0, 0, NULL));
    REFUSED(syscall(SYS_capset, NULL, NULL));
    REFUSED(syscall(SYS_setuid, 0));
    REFUSED(syscall(SYS_mlockall, 1));
    REFUSED(syscall(SYS_pkey_mprotect, 4096, 4096, PROT_EXEC, 0));
    REFUSED(syscall(SYS_remap_file_pages, 0, 0, 0, 0, 0));
    REFUSED(syscall(SYS_pipe2, ends, 0));
    REFUSED(syscall(SYS_dup3, 0, 30, 0));
    REFUSED(syscall(SYS_splice, 0, NULL, 1, NULL, 1, 0));
    REFUSED(syscall(SYS_sendfile, 1, 0, NULL, 1));
    REFUSED(syscall(SYS_bind, ends[0], NULL, 0));
    return 0;
}

static int try_sockets(void *context) {
    bool connects = role == DETENT_WALL_BROKER;
    struct sockaddr_in place = {.sin_family = AF_INET};
    (void)context;
    if (!connects) {
        REFUSED(socket(AF_INET, SOCK_STREAM, 0));
        REFUSED(socket(AF_UNIX, SOCK_STREAM, 0));
        REFUSED(connect(ends[0], (struct sockaddr *)&place, sizeof place));
        if (role != DETENT_WALL_GATEWAY) REFUSED(accept(ends[0], NULL, NULL));
        return 0;
    }
    NEEDED(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP) >= 0);
    NEEDED(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) >= 0);
    NEEDED(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    NEEDED(socket(AF_INET6, SOCK_STREAM, 0) >= 0 || errno == EAFNOSUPPORT);
    REFUSED(socket(AF_NETLINK, SOCK_RAW, 0));
    REFUSED(socket(AF_PACKET, SOCK_RAW, 0));
    REFUSED(socket(AF_ALG, SOCK_SEQPACKET, 0));
    REFUSED(socket(AF_VSOCK, SOCK_STREAM, 0));
    REFUSED(socket(AF_INET, SOCK_RAW, 1));
    REFUSED(socket(AF_INET, SOCK_STREAM, 262 /* MPTCP */));
    REFUSED(socket(AF_INET, SOCK_SEQPACKET, 132 /* SCTP */));
    REFUSED(syscall(SYS_listen, ends[0], 1));
    REFUSED(accept(ends[0], NULL, NULL));
    return 0;
}

static int try_code(void *context) {
    long page = sysconf(_SC_PAGESIZE);
    int file = *(int *)context;
    size_t size = (size_t)page;
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    NEEDED(memory != MAP_FAILED);
    REFUSED(mprotect(memory, size, PROT_READ | PROT_EXEC));
    REFUSED(mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REFUSED(mmap(NULL, size, PROT_WRITE | PROT_EXEC, MAP_PRIVATE, file, 0));
    void *code = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    NEEDED(role == DETENT_WALL_BROKER ? code != MAP_FAILED : errno == ENOSYS);
    return 0;
}

static void *run_thread(void *context) {
    prctl(PR_SET_NAME, "walls");
    *(int *)context = 1;
    return NULL;
}

/* What every process needs: memory, threads, time, waiting, its log, and its own end. */
static int try_needs(void *context) {
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    struct timespec soon = {.tv_nsec = 1000000};
    struct rlimit limit;
    pthread_t thread;
    int has_run = 0;
    char byte;
    (void)context;
    free(malloc(8 << 20));
    NEEDED(poll(&ready, 1, 1) == 0);
    NEEDED(ppoll(&ready, 1, &soon, NULL) == 0);
    NEEDED(write(ends[1], "x", 1) == 1 && read(ends[0], &byte, 1) == 1);
    if (role == DETENT_WALL_KEYS) {
        /* It has one device, and makes, joins and opens nothing. */
        REFUSED(ioctl(ends[0], UI_DEV_CREATE));
        REFUSED(ioctl(ends[0], FIONBIO, &has_run));
        REFUSED(open("/dev/null", O_RDONLY | O_CLOEXEC));
        REFUSED(fcntl(ends[0], F_DUPFD_CLOEXEC, 20));
        REFUSED(recv(ends[0], &byte, 1, MSG_DONTWAIT));
        REFUSED(send(ends[1], "x", 1, 0));
        return 0;
    }
    NEEDED(pthread_create(&thread, NULL, run_thread, &has_run) == 0);
    NEEDED(pthread_join(thread, NULL) == 0 && has_run);
    NEEDED(nanosleep(&soon, NULL) == 0);
    NEEDED(recv(ends[0], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
    NEEDED(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    NEEDED(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    NEEDED(sysconf(_SC_NPROCESSORS_ONLN) > 0);
    if (role == DETENT_WALL_BROKER) {
        struct addrinfo *found = NULL, wanted = {.ai_socktype = SOCK_STREAM};
        NEEDED(getaddrinfo("localhost", "1883", &wanted, &found) == 0 && found);
    }
    if (role == DETENT_WALL_BROKER || reads_files) {
        int file = open("/etc/hosts", O_RDONLY | O_CLOEXEC);
        struct stat status;
        NEEDED(file >= 0 && fstat(file, &status) == 0 && read(file, &byte, 1) == 1);
    } else {
        REFUSED(open("/etc/hosts", O_RDONLY | O_CLOEXEC));
    }
    return 0;
}

static int try_abort(void *context) {
    (void)context;
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void try_one(const char *what, int (*body)(void *), void *context) {
    int status = in_process(role, reads_files, body, context);
    bool has_exited = WIFEXITED(status);
    expect(has_exited && WEXITSTATUS(status) == 0, "%s: %s: %s %d (of arguments.c, modulo 250)",
           name_of(role, reads_files), what, has_exited ? "line" : "signal",
           has_exited ? WEXITSTATUS(status) : WTERMSIG(status));
}

void try_arguments(enum detent_wall_role tried, bool with_files) {
    int status;
    int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    role = tried;
    reads_files = with_files;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) exit(2);
    victim = fork();
    if (victim == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getuid() == 0 && (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)))
            _exit(99);
        for (;;) pause();
    }
    try_one("signals to others", try_signals, NULL);
    try_one("other processes", try_processes, NULL);
    try_one("files", try_files, NULL);
    try_one("the kernel", try_kernel, NULL);
    try_one("sockets", try_sockets, NULL);
    try_one("code", try_code, &program);
    try_one("what it needs", try_needs, NULL);
    status = in_process(role, reads_files, try_abort, NULL);
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s: its own end: %d",
           name_of(role, reads_files), status);
    expect(waitpid(victim, &status, WNOHANG) == 0, "%s: the other process has ended",
           name_of(role, reads_files));
    kill(victim, SIGKILL);
    waitpid(victim, &status, 0);
    close(ends[0]);
    close(ends[1]);
    close(program);
}
