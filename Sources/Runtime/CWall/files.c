#define _GNU_SOURCE
#include "CWall.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of linux/landlock.h, which is newer on some machines than on those that compile this. */
enum {
    MAKE_RULES = 444,
    ADD_RULE = 445,
    KEEP_RULES = 446,
    ASK_VERSION = 1,
    BENEATH = 1,
    AT_PORT = 2,
    READS_FILES = 1 << 2,
    READS_FOLDERS = 1 << 3,
    CONNECTS = 1 << 1,
    ABSTRACT_SOCKETS = 1 << 0,
    FILES_KEPT = 64,
    BYTES_KEPT = 1 << 20,
    PORT_OF_NAMES = 53,
    BOUNDS_PORTS = 4, /* the version that does */
};

struct rules {
    uint64_t files, ports, scopes;
};

struct rule_beneath {
    uint64_t allowed;
    int folder;
} __attribute__((packed));

struct rule_port {
    uint64_t allowed, port;
};

/* What look-ups of names, OpenSSL and their modules read. */
static const char *const of_system[] = {
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/protocols", "/etc/mdns.allow", "/etc/ld.so.cache", "/etc/localtime",
    "/etc/ssl", "/etc/pki",
    "/etc/crypto-policies",
    "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/usr/share/pki",
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/run/systemd/resolve",
    "/run/NetworkManager", "/run/resolvconf", "/run/connman", "/dev/urandom", "/dev/null", NULL,
};

/* The files that have a rule of their own, or had none because they did not exist. A file that
   replaces one of them has no rule. */
static struct {
    struct kept_path {
        char *path;
        dev_t device;
        ino_t number; /* 0: it did not exist */
    } paths[FILES_KEPT];
    int count;
} kept;

static void keep_path(const char *path, const struct stat *status) {
    char *copy = kept.count < FILES_KEPT ? strdup(path) : NULL;
    if (!copy) return;
    kept.paths[kept.count++] = (struct kept_path){
        .path = copy, .device = status->st_dev, .number = status->st_ino};
}

/* Allows to read a file, or what is in a folder. What does not exist has no rule. */
static int allow_path(int rules, const char *path) {
    struct stat status;
    struct rule_beneath rule = {.allowed = READS_FILES};
    memset(&status, 0, sizeof status);
    rule.folder = open(path, O_PATH | O_CLOEXEC);
    bool is_folder =
        rule.folder >= 0 && fstat(rule.folder, &status) == 0 && S_ISDIR(status.st_mode);
    if (!is_folder) keep_path(path, &status);
    if (rule.folder < 0) return 0;
    if (is_folder) rule.allowed |= READS_FOLDERS;
    int error = syscall(ADD_RULE, rules, BENEATH, &rule, 0) != 0 ? -errno : 0;
    close(rule.folder);
    /* A copy in memory can have no rule, and needs none. */
    return error == -EBADFD ? 0 : error;
}

static int allow_paths(int rules, const char *const *paths) {
    int error = 0;
    for (int place = 0; !error && paths[place]; place++) error = allow_path(rules, paths[place]);
    return error;
}

/* The folders of LD_LIBRARY_PATH, from which modules may come, too. */
static int allow_libraries(int rules) {
    const char *all = getenv("LD_LIBRARY_PATH");
    char *copy = all ? strdup(all) : NULL, *rest = NULL;
    int error = 0;
    for (char *path = copy ? strtok_r(copy, ":;", &rest) : NULL; !error && path;
         path = strtok_r(NULL, ":;", &rest))
        error = allow_path(rules, path);
    free(copy);
    return error;
}

static int allow_port(int rules, uint16_t port) {
    struct rule_port rule = {.allowed = CONNECTS, .port = port};
    return syscall(ADD_RULE, rules, AT_PORT, &rule, 0) != 0 ? -errno : 0;
}

/* How many kinds of access each version of Landlock knows: what it does not know, it refuses to
   forbid. */
static uint64_t known_files(long version) {
    static const int kinds[] = {13, 14, 15, 15, 16};
    return (1ull << kinds[version > 5 ? 4 : version - 1]) - 1;
}

int detent_wall_allow_files(const struct detent_wall *wall) {
    bool is_broker = wall->role == DETENT_WALL_BROKER;
    long version = syscall(MAKE_RULES, NULL, 0, ASK_VERSION);
    /* A kernel without it, or a manager that refuses the call. The filter remains. */
    if (version < 1) return 0;
    struct rules wanted = {
        .files = known_files(version),
        .ports = version >= BOUNDS_PORTS ? 3 : 0,
        .scopes = version >= 6 ? ABSTRACT_SOCKETS : 0,
    };
    int rules = (int)syscall(MAKE_RULES, &wanted, sizeof wanted, 0);
    if (rules < 0) return -errno;
    int error = 0;
    if (is_broker) error = allow_paths(rules, of_system);
    if (!error && is_broker) error = allow_libraries(rules);
    if (!error && wall->paths) error = allow_paths(rules, wall->paths);
    if (!error && wanted.ports && wall->port) error = allow_port(rules, wall->port);
    if (!error && wanted.ports && is_broker) error = allow_port(rules, PORT_OF_NAMES);
    if (!error && syscall(KEEP_RULES, rules, 0) != 0) error = -errno;
    close(rules);
    return error;
}

bool detent_wall_bounds_connections(void) {
    return syscall(MAKE_RULES, NULL, 0, ASK_VERSION) >= BOUNDS_PORTS;
}

bool detent_wall_is_outdated(void) {
    for (int place = 0; place < kept.count; place++) {
        const struct kept_path *before = &kept.paths[place];
        struct stat now;
        if (stat(before->path, &now) != 0) continue;
        if (now.st_dev == before->device && now.st_ino == before->number) continue;
        int file = open(before->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file >= 0) close(file);
        else if (errno == EACCES && access(before->path, R_OK) == 0) return true;
    }
    return false;
}

bool detent_wall_keep_file(const char *path, char copy[32]) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return false;
    bool is_small = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0
        && status.st_size <= BYTES_KEPT;
    char *bytes = is_small ? malloc((size_t)status.st_size) : NULL;
    ssize_t size = bytes ? pread(file, bytes, (size_t)status.st_size, 0) : -1;
    close(file);
    int memory = size > 0 ? detent_wall_setup(bytes, (size_t)size) : -1;
    if (bytes) explicit_bzero(bytes, (size_t)status.st_size);
    free(bytes);
    if (memory < 0) return false;
    snprintf(copy, 32, "/proc/self/fd/%d", memory);
    return true;
}
