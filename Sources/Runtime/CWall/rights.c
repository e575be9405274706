#define _GNU_SOURCE
#include "CWall.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    NOBODY = 65534,
    MEBIBYTE = 1 << 20,
};

static int bound(int resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -errno;
    if (limit.rlim_max > most) limit.rlim_max = most;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) != 0 ? -errno : 0;
}

/*
 * Memory is several times what each has been measured to use. There is no limit of files that it
 * writes, because its log may be one, and none of processes, because that counts those of the user.
 */
int detent_wall_limit(enum detent_wall_role role) {
    static const struct {
        rlim_t data, descriptors;
    } most[] = {
        [DETENT_WALL_GATEWAY] = {128 * MEBIBYTE, 256},
        [DETENT_WALL_BROKER] = {96 * MEBIBYTE, 64},
        [DETENT_WALL_HEARER] = {32 * MEBIBYTE, 32},
        [DETENT_WALL_KEYS] = {32 * MEBIBYTE, 32},
    };
    int error = bound(RLIMIT_CORE, 0);
    if (!error) error = bound(RLIMIT_NOFILE, most[role].descriptors);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return error;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return error; /* Their own memory is many times that of the program. */
#endif
#endif
    return error ? error : bound(RLIMIT_DATA, most[role].data);
}

void detent_wall_hide(void) {
    prctl(PR_SET_DUMPABLE, 0);
}

struct privileges {
    struct __user_cap_data_struct halves[_LINUX_CAPABILITY_U32S_3];
};

static int read_privileges(struct privileges *privileges) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    memset(privileges, 0, sizeof *privileges);
    return syscall(SYS_capget, &head, privileges->halves) != 0 ? -errno : 0;
}

static bool has_some(const struct privileges *privileges) {
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++)
        if (privileges->halves[half].effective || privileges->halves[half].permitted
            || privileges->halves[half].inheritable)
            return true;
    return false;
}

/* Without CAP_KILL the panel could not end a process of another user. */
static bool can_become_nobody(const struct privileges *privileges) {
    static const unsigned needed =
        1u << CAP_SETUID | 1u << CAP_SETGID | 1u << CAP_KILL | 1u << CAP_SETPCAP;
    return (privileges->halves[0].effective & needed) == needed;
}

/* No program that this process started could have privileges again; it can start none, either. */
static void give_up_the_way_back(void) {
    static const unsigned long never = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED
        | SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE
        | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    unsigned long number = 0;
    while (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0) number++;
    prctl(PR_SET_SECUREBITS, never, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

/* Returns DETENT_WALL_SAME_USER where this namespace has no nobody. */
static int become_nobody(void) {
    /* Both tell before anything has changed. */
    if (setgroups(0, NULL) != 0) return errno == EPERM ? DETENT_WALL_SAME_USER : -errno;
    if (setresgid(NOBODY, NOBODY, NOBODY) != 0)
        return errno == EINVAL ? DETENT_WALL_SAME_USER : -errno;
    if (setresuid(NOBODY, NOBODY, NOBODY) != 0)
        return errno == EINVAL ? DETENT_WALL_SAME_USER : -errno;
    return 0;
}

int detent_wall_drop_rights(void) {
    static const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct privileges privileges;
    int result = 0, signal = 0;
    int error = read_privileges(&privileges);
    if (error) return error;
    bool is_root = geteuid() == 0 || getuid() == 0;
    if (is_root || has_some(&privileges)) {
        pid_t parent = getppid();
        /* The kernel forgets it with the user. */
        prctl(PR_GET_PDEATHSIG, &signal);
        if (privileges.halves[0].effective & 1u << CAP_SETPCAP) give_up_the_way_back();
        if (is_root)
            result = can_become_nobody(&privileges) ? become_nobody() : DETENT_WALL_SAME_USER;
        if (result < 0) return result;
        if (syscall(SYS_capset, &head, none) != 0) return -errno;
        if (signal && prctl(PR_SET_PDEATHSIG, signal) != 0) return -errno;
        if (signal && getppid() != parent) return -ESRCH;
        error = read_privileges(&privileges);
        if (error) return error;
        if (has_some(&privileges)) return -EPERM;
    }
    detent_wall_hide();
    return result;
}

int detent_wall_enclose(const struct detent_wall *wall) {
    int lacks = 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    int result = detent_wall_limit(wall->role);
    if (result == 0) result = detent_wall_allow_files(wall);
    if (result == 0) result = detent_wall_drop_rights();
    if (result > 0) lacks |= result;
    /* The name says that the process is shut in: it has no rights left. */
    static const char *const names[] = {
        [DETENT_WALL_GATEWAY] = "detent-gateway",
        [DETENT_WALL_BROKER] = "detent-broker",
        [DETENT_WALL_HEARER] = "detent-osc",
        [DETENT_WALL_KEYS] = "detent-keys",
    };
    prctl(PR_SET_NAME, names[wall->role]);
    if (result >= 0) result = detent_wall_confine(wall->role, wall->paths != NULL);
    if (result == -ENOTSUP) return lacks | DETENT_WALL_NO_FILTER;
    return result < 0 ? result : lacks;
}
