#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <time.h>

int detent_ready_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

void detent_ready_remove(int set, int socket) { epoll_ctl(set, EPOLL_CTL_DEL, socket, NULL); }

int detent_ready_set(int set, int socket, uint64_t token, bool writes, bool is_new) {
    struct epoll_event event = {
        .events = EPOLLIN | (writes ? EPOLLOUT : 0), .data.u64 = token};
    return epoll_ctl(set, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
}

int detent_ready_sleep(
    int set, struct detent_ready_place *places, int capacity, uint64_t now_ns,
    uint64_t deadline_ns
) {
    _Static_assert(sizeof(struct epoll_event) == sizeof *places, "the kernel writes them");
    struct epoll_event *events = (void *)places;
    struct timespec span, *wait = NULL;
    if (deadline_ns != UINT64_MAX) {
        uint64_t rest = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
        span.tv_sec = (time_t)(rest / 1000000000u);
        span.tv_nsec = (long)(rest % 1000000000u);
        wait = &span;
    }
    int count = epoll_pwait2(set, events, capacity, wait, NULL);
    // Kernels before 5.11 do not know it.
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    struct pollfd entry = {.fd = set, .events = POLLIN};
    count = ppoll(&entry, 1, wait, NULL);
    return count > 0 ? epoll_wait(set, events, capacity, 0) : count;
}

int detent_ready_take(int set, struct detent_ready *sockets, int capacity) {
    struct epoll_event events[DETENT_READY_MOST];
    if (capacity > DETENT_READY_MOST) capacity = DETENT_READY_MOST;
    int count = epoll_wait(set, events, capacity, 0);
    for (int place = 0; place < count; place++)
        sockets[place] = (struct detent_ready){
            .token = events[place].data.u64,
            .is_readable = (events[place].events & ~(uint32_t)EPOLLOUT) != 0,
            .is_writable = (events[place].events & EPOLLOUT) != 0,
        };
    return count;
}
