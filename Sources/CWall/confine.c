#define _GNU_SOURCE
#include "CWall.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define DETENT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define DETENT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef DETENT_ARCHITECTURE

/* What no gateway needs. */
static const int refused[] = {
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill,
    SYS_tkill, SYS_mount, SYS_umount2,
    SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_unlinkat, SYS_renameat2,
    SYS_mkdirat, SYS_fchmodat, SYS_fchownat, SYS_linkat, SYS_symlinkat, SYS_truncate,
    SYS_setns, SYS_unshare, SYS_chroot,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_open
    SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_fork
    SYS_fork, SYS_vfork, SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_chmod, SYS_chown,
    SYS_link, SYS_symlink, SYS_creat,
#endif
};

static const int connecting[] = {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind};

static const int opening[] = {
    SYS_openat,
#ifdef SYS_openat2
    SYS_openat2,
#endif
#ifdef SYS_open
    SYS_open,
#endif
};

enum {
    CALLS = sizeof refused / sizeof *refused + sizeof connecting / sizeof *connecting
        + sizeof opening / sizeof *opening
};

struct program {
    unsigned short count;
    struct sock_filter steps[2 * CALLS + 16];
};

static void add(struct program *program, struct sock_filter step) {
    program->steps[program->count++] = step;
}

static void refuse(struct program *program, int call) {
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1));
    add(program,
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & 0xffff)));
}

int detent_gateway_confine(bool reads_files, bool connects) {
    static const struct sock_filter
        load_architecture = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        load_call = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        load_process =
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        is_ours = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DETENT_ARCHITECTURE, 1, 0),
        is_foreign = BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        is_signal = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
        no = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & 0xffff)),
        yes = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct program program = {.count = 0};
    add(&program, load_architecture);
    add(&program, is_ours);
    add(&program, no);
    add(&program, load_call);
    /* The other numbering of x86-64. */
    add(&program, is_foreign);
    add(&program, no);
    for (size_t place = 0; place < sizeof refused / sizeof *refused; place++)
        refuse(&program, refused[place]);
    for (size_t place = 0; !connects && place < sizeof connecting / sizeof *connecting; place++)
        refuse(&program, connecting[place]);
    for (size_t place = 0; !reads_files && place < sizeof opening / sizeof *opening; place++)
        refuse(&program, opening[place]);
    /* A process may end itself. */
    add(&program, is_signal);
    add(&program, load_process);
    add(&program,
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0));
    add(&program, no);
    add(&program, yes);
    struct sock_fprog whole = {.len = program.count, .filter = program.steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) != 0) return -errno;
    return 0;
}

#else

int detent_gateway_confine(bool reads_files, bool connects) {
    (void)reads_files, (void)connects;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ? -errno : -ENOSYS;
}

#endif
