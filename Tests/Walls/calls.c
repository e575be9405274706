/*
 * Tries every system call behind the filter of each process beside a panel: what allowed-calls.h
 * lists is allowed, and everything else answers ENOSYS. Sends signals to its own children only.
 *
 *     walls-check            ends with `N passed, N failed`
 *     walls-check --table    prints the table of docs/deployment.md
 */
#define _GNU_SOURCE
#include "walls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_rseq
#ifdef __x86_64__
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif

enum { GATEWAY = 1, BROKER = 2, HEARER = 4, FOLDER = 8, KEYS = 16, LAST_CALL = 511 };

static const struct listed {
    const char *name;
    long number;
    unsigned processes;
    const char *rule;
} listed[] = {
#define CALL(name, processes, rule) {#name, SYS_##name, processes, #rule},
#include "allowed-calls.h"
};

enum { LISTED = sizeof listed / sizeof *listed };

static int passed, failed;

void expect(bool holds, const char *format, ...) {
    va_list values;
    holds ? passed++ : failed++;
    if (holds) return;
    va_start(values, format);
    printf("FAILED ");
    vprintf(format, values);
    printf("\n");
    va_end(values);
    fflush(stdout);
}

const char *name_of(enum detent_wall_role role, bool reads_files) {
    switch (role) {
    case DETENT_WALL_GATEWAY: return reads_files ? "gateway with a folder" : "gateway";
    case DETENT_WALL_BROKER: return "broker";
    case DETENT_WALL_HEARER: return "osc";
    case DETENT_WALL_KEYS: return "keys";
    }
    return "?";
}

static unsigned bit_of(enum detent_wall_role role, bool reads_files) {
    static const unsigned bits[] = {GATEWAY, BROKER, HEARER, KEYS};
    return bits[role] | (role == DETENT_WALL_GATEWAY && reads_files ? FOLDER : 0);
}

/* Children of root are nobody: what the filter let through could otherwise harm this machine. */
static void be_harmless(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getuid() == 0 && (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)))
        _exit(99);
}

int in_process(enum detent_wall_role role, bool reads_files, int (*body)(void *), void *context) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        be_harmless();
        setpgid(0, 0);
        signal(SIGALRM, SIG_DFL);
        alarm(10);
        if (detent_wall_confine(role, reads_files) != 0) _exit(98);
        _exit(body(context));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

/* ---- Every call */

struct trial {
    long number;
    const char *rule;
};

/* Arguments with which a call does nothing but shows that it exists. */
static long call_harmlessly(const struct trial *trial) {
    static unsigned word;
    long number = trial->number;
    const char *rule = trial->rule;
    if (!strcmp(rule, "DESCRIPTOR_ONLY")) return syscall(number, -1, F_GETFL, 0);
    if (!strcmp(rule, "THREE_REQUESTS")) return syscall(number, -1, FIONBIO, 0);
    if (!strcmp(rule, "FAMILY")) return syscall(number, AF_UNIX, SOCK_STREAM, 6, NULL);
    if (!strcmp(rule, "READING")) return syscall(number, -1, NULL, O_RDONLY, 0);
    if (!strcmp(rule, "NO_CODE")) return syscall(number, 1, 1, 0, 0, -1, 0);
    if (!strcmp(rule, "CODE_OF_FILES")) return syscall(number, 1, 1, PROT_EXEC, 0, -1, 0);
    if (!strcmp(rule, "OF_ITSELF")) return syscall(number, 0, 0, NULL);
    if (!strcmp(rule, "TO_ITSELF")) return syscall(number, getpid(), getpid(), 0);
    if (!strcmp(rule, "NAME_ONLY")) return syscall(number, PR_SET_NAME, "walls", 0, 0, 0);
    if (!strcmp(rule, "UNCHANGED")) return syscall(number, 0, -1, NULL, NULL);
    /* Without CLONE_SIGHAND a thread is refused by the kernel: EINVAL. */
    if (!strcmp(rule, "THREAD")) return syscall(number, CLONE_THREAD, 0, 0, 0, 0);
    if (number == SYS_futex) return syscall(number, &word, FUTEX_WAKE, 1, 0, 0, 0);
    return syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
}

static int try_call(void *context) {
    errno = 0;
    long result = call_harmlessly(context);
    return result == -1 && errno == ENOSYS ? 1 : 0;
}

/* Calls that the kernel takes past every filter: the ends of its own probes. */
static bool passes_every_filter(long number) {
#ifdef __x86_64__
    return number == 335 || number == 336; /* uretprobe, uprobe */
#else
    (void)number;
    return false;
#endif
}

static const struct listed *find(long number, unsigned processes) {
    for (int place = 0; place < LISTED; place++)
        if (listed[place].number == number && listed[place].processes & processes)
            return &listed[place];
    return NULL;
}

static const char *describe(int status) {
    static char text[40];
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 1 ? "ENOSYS" : "allowed";
    snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
    return text;
}

static void try_calls(enum detent_wall_role role, bool reads_files) {
    int allowed = 0, refused = 0;
    for (long number = 0; number <= LAST_CALL; number++) {
        if (passes_every_filter(number)) continue;
        const struct listed *call = find(number, bit_of(role, reads_files));
        struct trial trial = {number, call ? call->rule : ""};
        int status = in_process(role, reads_files, try_call, &trial);
        bool is_refused = WIFEXITED(status) && WEXITSTATUS(status) == 1;
        bool is_allowed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        /* These end the process by their nature. */
        if (number == SYS_exit || number == SYS_exit_group)
            is_allowed = WIFEXITED(status) && WEXITSTATUS(status) == 255;
        if (number == SYS_rt_sigreturn) is_allowed = WIFSIGNALED(status);
        expect(call ? is_allowed : is_refused, "%s: call %ld (%s): %s", name_of(role, reads_files),
               number, call ? call->name : "not listed", describe(status));
        if (is_allowed) allowed++;
        if (is_refused) refused++;
    }
    printf("%s: %d calls are allowed, %d answer ENOSYS\n", name_of(role, reads_files), allowed,
           refused);
}

/* ---- Other numberings */

static int try_other_numbers(void *context) {
    (void)context;
    for (long number = 0; number <= LAST_CALL; number++)
        if (syscall(0x40000000 | number, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) return 1;
    return syscall(-1L) == -1 && errno == ENOSYS && syscall(4000) == -1 && errno == ENOSYS ? 0 : 1;
}

#ifdef __x86_64__
static int try_older_machine(void *context) {
    long result = 20; /* getpid of i386 */
    (void)context;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return (int)result == -ENOSYS ? 0 : 1;
}
#endif

static void try_numberings(enum detent_wall_role role) {
    int status = in_process(role, false, try_other_numbers, NULL);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: other numbers",
           name_of(role, false));
#ifdef __x86_64__
    status = in_process(role, false, try_older_machine, NULL);
    /* A kernel without these calls ends the process itself. */
    expect(WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) == 0,
           "%s: calls of i386", name_of(role, false));
#endif
}

/* ---- The table */

static void print_table(void) {
    static const struct {
        const char *rule, *words;
    } words[] = {
        {"ANY", ""},
        {"DESCRIPTOR_ONLY", "flags, without `O_ASYNC`; no owner, no signal, no lock"},
        {"THREE_REQUESTS", "`FIONBIO`, `FIONREAD`, and whether it is a terminal"},
        {"FAMILY", "Unix and IP, streams and datagrams"},
        {"READING", "for reading; creates nothing"},
        {"NO_CODE", "no memory for code"},
        {"CODE_OF_FILES", "code from files only, never writable"},
        {"THREAD", "threads only, no process"},
        {"OF_ITSELF", "of the caller"},
        {"TO_ITSELF", "to this process"},
        {"NAME_ONLY", "only the name of a thread"},
        {"UNCHANGED", "reads limits of this process"},
    };
    printf("| call | gateway | with `--web-dir` | broker | osc | keys | only |\n");
    printf("|---|---|---|---|---|---|---|\n");
    for (int place = 0; place < LISTED; place++) {
        const struct listed *call = &listed[place];
        const char *only = "?";
        for (size_t rule = 0; rule < sizeof words / sizeof *words; rule++)
            if (!strcmp(words[rule].rule, call->rule)) only = words[rule].words;
        printf("| `%s` | %s | %s | %s | %s | %s | %s |\n", call->name,
               call->processes & GATEWAY ? "yes" : "",
               call->processes & (GATEWAY | FOLDER) ? "yes" : "",
               call->processes & BROKER ? "yes" : "", call->processes & HEARER ? "yes" : "",
               call->processes & KEYS ? "yes" : "", only);
    }
}

int main(int count, char **arguments) {
    static const struct {
        enum detent_wall_role role;
        bool reads_files;
    } kinds[] = {
        {DETENT_WALL_GATEWAY, false},
        {DETENT_WALL_GATEWAY, true},
        {DETENT_WALL_BROKER, true},
        {DETENT_WALL_HEARER, false},
        {DETENT_WALL_KEYS, false},
    };
    if (count > 1 && !strcmp(arguments[1], "--table")) {
        print_table();
        return 0;
    }
    for (size_t place = 0; place < sizeof kinds / sizeof *kinds; place++) {
        try_calls(kinds[place].role, kinds[place].reads_files);
        try_arguments(kinds[place].role, kinds[place].reads_files);
        try_numberings(kinds[place].role);
    }
    try_enclosing();
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
