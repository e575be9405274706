#define _GNU_SOURCE
#include "guardian.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* Of a first thread, where the system sets no limit or a larger one. */
enum { LARGEST_STACK = 8 << 20 };

/* What the thread of the guardian needs, and its error number. */
struct beginning {
    void (*panel)(const struct detent_guard *guard, void *context);
    void *context;
    sigset_t before;
    int error;
};

static void *begin(void *argument) {
    struct beginning *beginning = argument;
    struct detent_guard guard;
    beginning->error = guard_panel(&guard, &beginning->before);
    if (beginning->error) return NULL;
    beginning->panel(&guard, beginning->context);
    exit(0);
}

int detent_guard_begin(
    void (*panel)(const struct detent_guard *guard, void *context), void *context
) {
    struct beginning beginning = {.panel = panel, .context = context};
    struct rlimit stack;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t watched = watched_signals();
    int error = pthread_attr_init(&attributes);
    if (error) return -error;
    /* The thread becomes the first of the panel, with a stack like that of any first thread. */
    bool has_limit = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur <= LARGEST_STACK;
    pthread_attr_setstacksize(&attributes, has_limit ? stack.rlim_cur : LARGEST_STACK);
    pthread_sigmask(SIG_BLOCK, &watched, &beginning.before);
    error = pthread_create(&thread, &attributes, begin, &beginning);
    pthread_attr_destroy(&attributes);
    if (!error) {
        /* The name of the process is that of this thread; the panel has the name of the other. */
        char name[16];
        prctl(PR_GET_NAME, name);
        prctl(PR_SET_NAME, "detent-guard");
        /* It comes back only where nothing was split. */
        pthread_join(thread, NULL);
        prctl(PR_SET_NAME, name);
        error = -beginning.error;
    }
    pthread_sigmask(SIG_SETMASK, &beginning.before, NULL);
    return -error;
}
