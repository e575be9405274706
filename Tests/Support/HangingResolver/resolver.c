// A name server that never answers, for names that end in `.hangs`:
//
//     clang -shared -fPIC -o resolver.so resolver.c -ldl
//     LD_PRELOAD=./resolver.so PROGRAM
//
// It says so on standard error once a look-up hangs. Other names are looked up as ever.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

typedef int look_up(
    const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(
    const char *restrict name, const char *restrict service,
    const struct addrinfo *restrict hints, struct addrinfo **restrict result
) {
    static const char end[] = ".hangs", said[] = "resolver: a look-up hangs\n";
    size_t length = name ? strlen(name) : 0;
    if (length >= sizeof end - 1 && strcmp(name + length - (sizeof end - 1), end) == 0) {
        ssize_t count = write(STDERR_FILENO, said, sizeof said - 1);
        (void)count;
        while (1) poll(NULL, 0, -1); /* allowed to a process behind a filter */
    }
    look_up *next = (look_up *)dlsym(RTLD_NEXT, "getaddrinfo");
    return next ? next(name, service, hints, result) : EAI_SYSTEM;
}
