/* A process that is shut in as a whole: its rights, limits and files. As root it also finds that it
   is nobody; as another user, that it is still the same. */
#define _GNU_SOURCE
#include "walls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/detent-walls-XXXXXX", allowed[64], secret[64];
static bool has_landlock;

#define HOLDS(condition) \
    do { \
        if (!(condition)) return __LINE__ % 250; \
    } while (0)

/* What the kernel says of this process, read once through a descriptor from before. */
static bool says(int status, const char *text) {
    static char all[8192];
    if (all[0] == 0 && read(status, all, sizeof all - 1) <= 0) return false;
    return strstr(all, text) != NULL;
}

static bool opens(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) close(file);
    return file >= 0;
}

static int in_all(enum detent_wall_role role, int status, const char *user) {
    char line[96];
    struct rlimit limit;
    static const char *const none[] = {"CapEff", "CapPrm", "CapInh", "CapAmb", "CapBnd"};
    for (int place = 0; place < (strcmp(user, "65534") == 0 ? 5 : 4); place++) {
        snprintf(line, sizeof line, "%s:\t%016d\n", none[place], 0);
        HOLDS(says(status, line));
    }
    HOLDS(says(status, "NoNewPrivs:\t1\n") && says(status, "Seccomp:\t2\n"));
    snprintf(line, sizeof line, "Uid:\t%s\t%s\t%s\t%s\n", user, user, user, user);
    HOLDS(says(status, line));
    HOLDS(getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0);
    HOLDS(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max <= 256);
    HOLDS(getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_max <= 128 << 20);
    /* More than the limit is no memory; what it needs is. */
    HOLDS(malloc(200 << 20) == NULL);
    HOLDS(malloc(16 << 20) != NULL);
    if (role != DETENT_WALL_BROKER) HOLDS(!opens("/etc/hosts") && errno == ENOSYS);
    return 0;
}

static int in_broker(void) {
    char path[40];
    HOLDS(opens("/etc/hosts") && opens(allowed));
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    HOLDS(!opens(path));
    if (!has_landlock) return 0;
    HOLDS(!opens(secret) && errno == EACCES);
    HOLDS(!opens("/proc/self/status") && errno == EACCES);
    HOLDS(!opens("/etc/passwd") && errno == EACCES);
    HOLDS(!opens(folder) && errno == EACCES);
    return 0;
}

/* The body of the process that is shut in; what its exit code says is a line of this file. */
static int enclosed(enum detent_wall_role role, const char *user) {
    const char *const paths[] = {allowed, NULL};
    struct detent_wall wall = {
        .role = role, .paths = role == DETENT_WALL_BROKER ? paths : NULL, .port = 1883};
    int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    HOLDS(detent_wall_enclose(&wall) == 0);
    int line = in_all(role, status, user);
    if (line == 0 && role == DETENT_WALL_BROKER) line = in_broker();
    return line;
}

/* The end of a process after its parent's, which the kernel would forget with its user. */
static bool ends_soon(pid_t process) {
    for (int turn = 0; turn < 400; turn++) {
        if (kill(process, 0) != 0) return true;
        usleep(5000);
    }
    kill(process, SIGKILL);
    return false;
}

/* In the parent of the process that is shut in: tells its number, then its line. */
static void start_enclosed(enum detent_wall_role role, uid_t user, int told) {
    char name[16];
    int answer[2];
    snprintf(name, sizeof name, "%u", user == 0 ? 65534 : user);
    if (user && (setresgid(user, user, user) || setresuid(user, user, user))) _exit(99);
    if (pipe(answer) != 0) _exit(99);
    int words[2] = {fork(), -1};
    if (words[0] == 0) {
        int line = enclosed(role, name);
        if (write(answer[1], &line, sizeof line) != (ssize_t)sizeof line) _exit(1);
        /* Until it is killed: nothing is ever written there. */
        for (struct pollfd never = {.fd = answer[1]};;) poll(&never, 1, 1000);
    }
    close(answer[1]);
    if (read(answer[0], &words[1], sizeof words[1]) != (ssize_t)sizeof words[1]) words[1] = -1;
    if (write(told, words, sizeof words) != (ssize_t)sizeof words) _exit(1);
    for (;;) pause();
}

/* Shuts in a process of a user, and looks at it from outside. */
static void watch(enum detent_wall_role role, uid_t user) {
    char path[40];
    struct stat file;
    int told[2], words[2] = {0, -1};
    if (pipe(told) != 0) exit(2);
    fflush(stdout);
    pid_t parent = fork();
    if (parent == 0) start_enclosed(role, user, told[1]);
    close(told[1]);
    bool is_told = read(told[0], words, sizeof words) == (ssize_t)sizeof words;
    close(told[0]);
    expect(is_told && words[1] == 0, "%s as user %u: line %d of enclosing.c (modulo 250)",
           name_of(role, false), user, words[1]);
    snprintf(path, sizeof path, "/proc/%d/mem", words[0]);
    expect(stat(path, &file) == 0 && file.st_uid == 0, "%s: its memory is open to its user",
           name_of(role, false));
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    expect(is_told && ends_soon(words[0]), "%s outlives its parent", name_of(role, false));
}

static void make_file(const char *path, mode_t mode) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, "text\n", 5) != 5 || fchmod(file, mode) != 0) exit(2);
    close(file);
}

/* A file that is replaced needs a new process; one that only root reads is kept. */
static void try_kept_files(void) {
    char other[80], copy[32];
    const char *const paths[] = {allowed, NULL};
    struct detent_wall wall = {.role = DETENT_WALL_BROKER, .paths = paths};
    snprintf(other, sizeof other, "%s/other", folder);
    make_file(other, 0644);
    make_file(secret, 0600);
    char byte = 'x';
    int status, turn[2], begun[2];
    if (pipe(turn) != 0 || pipe(begun) != 0) exit(2);
    pid_t child = fork();
    if (child == 0) {
        bool is_kept = detent_wall_keep_file(secret, copy);
        bool is_refused = !detent_wall_keep_file(folder, (char[32]){0});
        if (detent_wall_enclose(&wall) != 0) _exit(2);
        if (!is_kept || !is_refused || !opens(copy)) _exit(3);
        if (detent_wall_is_outdated()) _exit(4);
        if (write(begun[1], &byte, 1) != 1) _exit(6);
        while (read(turn[0], &byte, 1) < 0) continue;
        _exit(detent_wall_is_outdated() == has_landlock ? 0 : 5);
    }
    close(begun[1]);
    bool has_begun = read(begun[0], &byte, 1) == 1;
    if (rename(other, allowed) != 0 || write(turn[1], "x", 1) != 1) exit(2);
    waitpid(child, &status, 0);
    expect(has_begun && WIFEXITED(status) && WEXITSTATUS(status) == 0,
           "kept and replaced files: %d", status);
    close(turn[0]);
    close(turn[1]);
    close(begun[0]);
}

void try_enclosing(void) {
    bool is_root = getuid() == 0;
    has_landlock = syscall(444, NULL, 0, 1) > 0;
    printf("%s Landlock here\n", has_landlock ? "with" : "without");
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0) exit(2);
    snprintf(allowed, sizeof allowed, "%s/allowed", folder);
    snprintf(secret, sizeof secret, "%s/secret", folder);
    make_file(allowed, 0644);
    make_file(secret, 0644);
    for (int role = DETENT_WALL_GATEWAY; role <= DETENT_WALL_KEYS; role++) {
        watch((enum detent_wall_role)role, getuid());
        if (is_root) watch((enum detent_wall_role)role, 65533);
    }
    try_kept_files();
    unlink(allowed);
    unlink(secret);
    rmdir(folder);
}
