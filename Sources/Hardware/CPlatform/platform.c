#define _GNU_SOURCE
#include "CPlatform.h"

#include <stdlib.h>
#include <sys/un.h>
#include <sys/socket.h>
#include <sys/inotify.h>
#include <stddef.h>
#include <alloca.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

int detent_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int detent_signal_descriptor(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGQUIT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    // What the parent has blocked would stay blocked: an abort by a watchdog would never come.
    int error = pthread_sigmask(SIG_SETMASK, &set, NULL);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int detent_signal_take(int descriptor)
{
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int detent_lock_file(int descriptor)
{
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

int detent_leave_real_time(void)
{
    static const struct sched_param ordinary = {0};
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    if (policy != SCHED_FIFO && policy != SCHED_RR)
        return 0;
    return sched_setscheduler(0, SCHED_OTHER, &ordinary) == 0 ? 0 : errno;
}

void detent_ordinary_thread(const char *name)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    detent_leave_real_time();
    pthread_setname_np(pthread_self(), name);
}

int detent_join(pthread_t thread, uint64_t deadline_ns)
{
    struct timespec deadline = {
        .tv_sec = (time_t)(deadline_ns / 1000000000u),
        .tv_nsec = (long)(deadline_ns % 1000000000u),
    };
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline);
}

int detent_real_time_thread(int priority)
{
    struct sched_param parameters = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters);
}

int detent_lock_memory(void)
{
    /* Of code and constants, only what has run: the rest of the program is never read. */
    if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0)
        return errno;
    /* 64 KiB: several times the measured use of the loop. */
    volatile char *stack = alloca(65536);
    for (size_t at = 0; at < 65536; at += 4096)
        stack[at] = 0;
    /* The loop asks for it after its first edge; its code may be on a page that nothing used. */
    volatile int touched = errno;
    (void)touched;
    return 0;
}

static uint64_t limit_of(int resource)
{
    struct rlimit limit;
    if (geteuid() == 0 || getrlimit(resource, &limit) != 0)
        return UINT64_MAX;
    return limit.rlim_cur;
}

uint64_t detent_real_time_limit(void) { return limit_of(RLIMIT_RTPRIO); }
uint64_t detent_memory_lock_limit(void) { return limit_of(RLIMIT_MEMLOCK); }

int detent_poll(struct pollfd *entries, size_t count, uint64_t now_ns, uint64_t deadline_ns)
{
    struct timespec wait;
    if (deadline_ns == UINT64_MAX)
        return ppoll(entries, count, NULL, NULL);
    uint64_t rest = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
    wait.tv_sec = (time_t)(rest / 1000000000u);
    wait.tv_nsec = (long)(rest % 1000000000u);
    return ppoll(entries, count, &wait, NULL);
}

/* A part of the address space, in whole pages; `end` is not in it. */
struct range {
    uintptr_t start, end;
};

/* What is asked of the kernel for code and constants. */
struct advice {
    int kind;
    bool with_libraries;
    struct range kept;
};

static uintptr_t page_size(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }

/* Memory that is locked or not of a file stays; this is not an error. */
static void advise(uintptr_t start, uintptr_t end, int kind)
{
    if (start < end)
        madvise((void *)start, end - start, kind);
}

static int advise_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    const struct advice *advice = context;
    /* Only the program itself has no name. */
    if (!advice->with_libraries && object->dlpi_name[0] != '\0')
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0)
            continue;
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        uintptr_t end = start + part->p_memsz;
        start &= ~(page_size() - 1);
        struct range kept = advice->kept;
        if (kept.end <= start || end <= kept.start)
            kept = (struct range){end, end};
        advise(start, kept.start, advice->kind);
        advise(kept.end, end, advice->kind);
    }
    return 0;
}

/*
 * They mark where the linker has put the code from an edge to its lamp: the first and the last name
 * of Packaging/path-order.txt. Nothing calls them. Each has code that no other function has: the
 * linker keeps only one of several functions with equal code.
 */
__attribute__((section(".text.detent_path_begin"), used)) int detent_path_begin(void)
{
    return 0x70617431;
}

__attribute__((section(".text.detent_path_end"), used)) int detent_path_end(void)
{
    return 0x70617432;
}

/* The pages with that code; nothing where it is not side by side, as in a debug build. */
static struct range find_path(void)
{
    uintptr_t begin = (uintptr_t)detent_path_begin, end = (uintptr_t)detent_path_end;
    /* Several times what it has. */
    if (end < begin || end - begin > 1 << 18)
        return (struct range){0, 0};
    return (struct range){begin & ~(page_size() - 1), (end | (page_size() - 1)) + 1};
}

void detent_give_back(bool with_libraries)
{
    malloc_trim(0);
    struct advice advice = {MADV_DONTNEED, with_libraries, find_path()};
    dl_iterate_phdr(advise_object, &advice);
    for (uintptr_t page = advice.kept.start; page < advice.kept.end; page += page_size())
        (void)*(const volatile char *)page;
}

void detent_read_around(bool around)
{
    struct advice advice = {around ? MADV_NORMAL : MADV_RANDOM, true, {0, 0}};
    dl_iterate_phdr(advise_object, &advice);
}

void detent_take_memory(void *start, size_t size)
{
    uintptr_t first = ((uintptr_t)start + page_size() - 1) & ~(page_size() - 1);
    uintptr_t end = ((uintptr_t)start + size + page_size() - 1) & ~(page_size() - 1);
    advise(first, end, 23 /* MADV_POPULATE_WRITE, newer than the headers of some systems */);
}

void detent_keep_small(void)
{
    pthread_attr_t usual;
    if (pthread_attr_init(&usual) == 0) {
        if (pthread_attr_setstacksize(&usual, 1 << 20) == 0)
            pthread_setattr_default_np(&usual);
        pthread_attr_destroy(&usual);
    }
    mallopt(M_ARENA_MAX, 2);
}

/* Fills an abstract address, or one of the file system if the name begins with a slash; 0 if the
   name is too long. */
static socklen_t local_address(const char *name, struct sockaddr_un *address) {
    size_t length = strlen(name);
    bool is_path = name[0] == '/';
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length == 0 || length + 1 > sizeof address->sun_path) return 0;
    memcpy(address->sun_path + (is_path ? 0 : 1), name, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

static int local_socket(
    const char *name, int type, int (*join)(int, const struct sockaddr *, socklen_t)
) {
    struct sockaddr_un address;
    socklen_t length = local_address(name, &address);
    if (length == 0) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (join(descriptor, (struct sockaddr *)&address, length) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int detent_local_listen(const char *name) {
    int descriptor = local_socket(name, SOCK_STREAM, bind);
    if (descriptor >= 0 && listen(descriptor, 4) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

int detent_local_connect(const char *name) {
    return local_socket(name, SOCK_STREAM, connect);
}

int detent_local_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

int64_t detent_local_user(int descriptor) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    return (int64_t)peer.uid;
}

void detent_local_wait(int descriptor, int seconds) {
    struct timeval span = {.tv_sec = seconds};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &span, sizeof span);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &span, sizeof span);
}

int detent_datagram_open(const char *address) {
    const char *name = address[0] == '@' ? address + 1 : address;
    if (address[0] != '@' && address[0] != '/') {
        errno = EAFNOSUPPORT;
        return -1;
    }
    return local_socket(name, SOCK_DGRAM | SOCK_NONBLOCK, connect);
}

int detent_datagram_send(int descriptor, const char *text, size_t length) {
    return send(descriptor, text, length, MSG_NOSIGNAL) < 0 ? errno : 0;
}

int detent_watch_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int detent_watch_add(int descriptor, const char *folder) {
    return inotify_add_watch(
        descriptor, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY | IN_ONLYDIR);
}

void detent_watch_remove(int descriptor, int watch) { inotify_rm_watch(descriptor, watch); }

bool detent_watch_take(int descriptor, const char *names) {
    _Alignas(struct inotify_event) char buffer[4096];
    bool has_changed = false;
    ssize_t size;
    while ((size = read(descriptor, buffer, sizeof buffer)) > 0) {
        for (char *next = buffer; next < buffer + size;) {
            const struct inotify_event *event = (const struct inotify_event *)next;
            if (event->mask & IN_Q_OVERFLOW) has_changed = true;
            for (const char *name = names; event->len > 0 && *name; name += strlen(name) + 1)
                if (strcmp(event->name, name) == 0) has_changed = true;
            next += sizeof *event + event->len;
        }
    }
    return has_changed;
}

int64_t detent_file_system(const char *folder) {
    struct statfs facts;
    return statfs(folder, &facts) == 0 ? (int64_t)(uint32_t)facts.f_type : -1;
}
