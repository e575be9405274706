#include "CPlatform.h"

#include <sys/epoll.h>

int detent_ready_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int detent_ready_set(int set, int socket, uint64_t token, bool writes, bool is_new) {
    struct epoll_event event = {
        .events = EPOLLIN | (writes ? EPOLLOUT : 0), .data.u64 = token};
    return epoll_ctl(set, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
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
