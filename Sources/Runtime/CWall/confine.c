#define _GNU_SOURCE
#include "CWall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define DETENT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define DETENT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef DETENT_ARCHITECTURE

/* Newer than the headers of some systems. */
#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif
#define TERMINAL_NOW 0x802c542a /* TCGETS2, with which newer libraries ask what TCGETS asks */

enum { GATEWAY = 1, BROKER = 2, HEARER = 4, FOLDER = 8, KEYS = 16 };

enum rule {
    ANY,
    DESCRIPTOR_ONLY, /* fcntl */
    THREE_REQUESTS,  /* ioctl */
    FAMILY,          /* socket, socketpair */
    READING,         /* openat */
    NO_CODE,         /* mmap, mprotect */
    CODE_OF_FILES,   /* mmap */
    THREAD,          /* clone */
    OF_ITSELF,       /* the first argument is 0 */
    TO_ITSELF,       /* the first argument is this process */
    NAME_ONLY,       /* prctl */
    UNCHANGED,       /* prlimit64 */
};

static const struct call {
    unsigned number;
    unsigned processes;
    enum rule rule;
} calls[] = {
#define CALL(name, processes, rule) {SYS_##name, processes, rule},
#include "allowed-calls.h"
};

enum { CALLS = sizeof calls / sizeof *calls, STEPS_MAX = 4 * CALLS + 160 };

struct program {
    unsigned short count;
    struct sock_filter steps[STEPS_MAX];
};

static void add(struct program *program, unsigned short code, unsigned value, int yes, int no) {
    if (program->count == STEPS_MAX) return;
    program->steps[program->count++] =
        (struct sock_filter){code, (unsigned char)yes, (unsigned char)no, value};
}

static void allow(struct program *program) {
    add(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* As a kernel that does not know the call: the C library then has another way, or gives up. */
static void refuse(struct program *program) {
    add(program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

/* The low half of an argument; both architectures have it first. */
static void load_argument(struct program *program, int place) {
    load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)place);
}

static void load_high_half(struct program *program, int place) {
    load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)place + 4);
}

/* Refuses unless the loaded word is the value. */
static void need(struct program *program, unsigned value) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    refuse(program);
}

/* Refuses if the loaded word has one of the bits. */
static void forbid_bits(struct program *program, unsigned bits) {
    add(program, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    refuse(program);
}

/* Refuses unless the loaded word, or the bits of it, is one of the values. */
static void need_one_of(struct program *program, const unsigned *values, int count) {
    for (int place = 0; place < count; place++)
        add(program, BPF_JMP | BPF_JEQ | BPF_K, values[place], count - place, 0);
    refuse(program);
}

#define ONE_OF(program, ...) \
    need_one_of(program, (const unsigned[]){__VA_ARGS__}, \
                (int)(sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned)))

static void check_descriptor(struct program *program) {
    load_argument(program, 1);
    ONE_OF(program, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC);
    /* O_ASYNC on a terminal sends signals to the programs in front. */
    add(program, BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 0, 3);
    load_argument(program, 2);
    forbid_bits(program, O_ASYNC);
}

static void check_family(struct program *program) {
    load_argument(program, 0);
    ONE_OF(program, AF_UNIX, AF_INET, AF_INET6);
    load_argument(program, 1);
    add(program, BPF_ALU | BPF_AND | BPF_K, ~(unsigned)(SOCK_NONBLOCK | SOCK_CLOEXEC), 0, 0);
    ONE_OF(program, SOCK_STREAM, SOCK_DGRAM);
    load_argument(program, 2);
    ONE_OF(program, 0, 6 /* TCP */, 17 /* UDP */);
}

/* Code comes from files only, and is never written. */
static void check_mapping(struct program *program) {
    load_argument(program, 2);
    add(program, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 5);
    forbid_bits(program, PROT_WRITE);
    load_argument(program, 3);
    forbid_bits(program, MAP_ANONYMOUS);
}

static void check_thread(struct program *program) {
    static const unsigned usual = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND
        | CLONE_THREAD | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID
        | CLONE_CHILD_SETTID;
    load_argument(program, 0);
    forbid_bits(program, ~usual);
    add(program, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    refuse(program);
}

/* Ends with a return: the loaded number of the call is lost. */
static void check_arguments(struct program *program, enum rule rule) {
    switch (rule) {
    case ANY: break;
    case DESCRIPTOR_ONLY: check_descriptor(program); break;
    case THREE_REQUESTS:
        load_argument(program, 1);
        ONE_OF(program, FIONBIO, FIONREAD, TCGETS, TERMINAL_NOW);
        break;
    case FAMILY: check_family(program); break;
    case READING:
        load_argument(program, 2);
        forbid_bits(program, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY));
        break;
    case NO_CODE:
        load_argument(program, 2);
        forbid_bits(program, PROT_EXEC);
        break;
    case CODE_OF_FILES: check_mapping(program); break;
    case THREAD: check_thread(program); break;
    case OF_ITSELF:
        load_argument(program, 0);
        need(program, 0);
        break;
    case TO_ITSELF:
        load_argument(program, 0);
        need(program, (unsigned)getpid());
        break;
    case NAME_ONLY:
        load_argument(program, 0);
        need(program, PR_SET_NAME);
        break;
    case UNCHANGED:
        load_argument(program, 0);
        need(program, 0);
        load_argument(program, 2);
        need(program, 0);
        load_high_half(program, 2);
        need(program, 0);
        break;
    }
    allow(program);
}

static void add_call(struct program *program, const struct call *call) {
    unsigned short jump = program->count;
    add(program, BPF_JMP | BPF_JEQ | BPF_K, call->number, 0, 0);
    check_arguments(program, call->rule);
    program->steps[jump].jf = (unsigned char)(program->count - jump - 1);
}

int detent_wall_confine(enum detent_wall_role role, bool reads_files) {
    static const unsigned processes[] = {
        [DETENT_WALL_GATEWAY] = GATEWAY,
        [DETENT_WALL_BROKER] = BROKER,
        [DETENT_WALL_HEARER] = HEARER,
        [DETENT_WALL_KEYS] = KEYS,
    };
    unsigned own = processes[role];
    if (role == DETENT_WALL_GATEWAY && reads_files) own |= FOLDER;
    struct program program = {.count = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    need(&program, DETENT_ARCHITECTURE);
    load(&program, offsetof(struct seccomp_data, nr));
    for (size_t place = 0; place < CALLS; place++)
        if (calls[place].processes & own) add_call(&program, &calls[place]);
    /* Also the other numbering of x86-64: its numbers are larger than these. */
    refuse(&program);
    if (program.count == STEPS_MAX) return -E2BIG;
    struct sock_fprog whole = {.len = program.count, .filter = program.steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) != 0)
        return errno == EINVAL ? -ENOTSUP : -errno;
    return 0;
}

#else

int detent_wall_confine(enum detent_wall_role role, bool reads_files) {
    (void)role, (void)reads_files;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ? -errno : -ENOTSUP;
}

#endif
