/*
 * The system calls that the processes beside a panel may make: every other one answers ENOSYS. The
 * filter (confine.c), the program that tries every call and the table in docs/deployment.md come
 * from this list.
 *
 *     CALL(name, processes, rule)
 *
 * Processes: GATEWAY; FOLDER, the gateway with --web-dir; BROKER; HEARER, which hears OSC and
 * devices; KEYS, which presses keys. Rules: ANY, or the name of a check of arguments in confine.c.
 * There is no guard: it is included often.
 */
#define ALL (GATEWAY | BROKER | HEARER | KEYS)
#define STRANGE (GATEWAY | BROKER | HEARER) /* reads what strangers send */
#define NET (GATEWAY | BROKER)
#define READ (FOLDER | BROKER)

/* Bytes of what is open. */
CALL(read, ALL, ANY)
CALL(readv, NET, ANY)
CALL(pread64, NET, ANY)
CALL(write, ALL, ANY)
CALL(writev, NET, ANY)
CALL(lseek, READ, ANY)
CALL(close, ALL, ANY)
CALL(fcntl, STRANGE, DESCRIPTOR_ONLY)
CALL(ioctl, STRANGE, THREE_REQUESTS)

/* Sockets that are open. */
CALL(recvfrom, STRANGE, ANY)
CALL(recvmsg, BROKER, ANY)
CALL(sendto, NET, ANY)
CALL(sendmsg, BROKER, ANY)
CALL(sendmmsg, BROKER, ANY)
CALL(getsockname, NET, ANY)
CALL(getpeername, NET, ANY)
CALL(getsockopt, NET, ANY)
CALL(setsockopt, NET, ANY)
CALL(shutdown, NET, ANY)
CALL(listen, GATEWAY, ANY)
CALL(accept4, GATEWAY, ANY)
CALL(accept, GATEWAY, ANY)

/* New connections. */
CALL(socket, BROKER, FAMILY)
CALL(socketpair, BROKER, FAMILY)
CALL(connect, BROKER, ANY)

/* Files, for reading only. */
CALL(openat, READ, READING)
CALL(fstat, READ, ANY)
CALL(newfstatat, READ, ANY)
CALL(faccessat, BROKER, ANY)
#ifdef SYS_access
CALL(access, BROKER, ANY)
#endif

/* Waiting. */
CALL(ppoll, ALL, ANY)
CALL(pselect6, BROKER, ANY)
#ifdef SYS_poll
CALL(poll, ALL, ANY)
#endif
CALL(epoll_create1, GATEWAY, ANY)
CALL(epoll_ctl, GATEWAY, ANY)
CALL(epoll_pwait, GATEWAY, ANY)
#ifdef SYS_epoll_wait
CALL(epoll_create, GATEWAY, ANY)
CALL(epoll_wait, GATEWAY, ANY)
#endif
CALL(eventfd2, NET, ANY)
CALL(timerfd_create, GATEWAY, ANY)
CALL(timerfd_settime, GATEWAY, ANY)
CALL(nanosleep, STRANGE, ANY)
CALL(clock_nanosleep, STRANGE, ANY)
CALL(restart_syscall, ALL, ANY)

/* Clocks; mostly answered without a call. */
CALL(clock_gettime, ALL, ANY)
CALL(clock_getres, STRANGE, ANY)
CALL(gettimeofday, STRANGE, ANY)
#ifdef SYS_time
CALL(time, STRANGE, ANY)
#endif

/* Memory. */
CALL(brk, ALL, ANY)
CALL(mmap, GATEWAY | HEARER | KEYS, NO_CODE)
CALL(mmap, BROKER, CODE_OF_FILES)
CALL(mprotect, ALL, NO_CODE)
CALL(munmap, ALL, ANY)
CALL(mremap, ALL, ANY)
CALL(madvise, ALL, ANY)

/* Threads of this process. */
CALL(clone, STRANGE, THREAD)
CALL(set_robust_list, STRANGE, ANY)
CALL(rseq, STRANGE, ANY)
CALL(futex, ALL, ANY)
CALL(sched_yield, STRANGE, ANY)
CALL(sched_getaffinity, STRANGE, OF_ITSELF)
CALL(gettid, ALL, ANY)
CALL(prctl, STRANGE, NAME_ONLY)
CALL(exit, STRANGE, ANY)
CALL(exit_group, ALL, ANY)

/* Signals, to itself. */
CALL(tgkill, ALL, TO_ITSELF)
CALL(rt_sigaction, ALL, ANY)
CALL(rt_sigprocmask, ALL, ANY)
CALL(rt_sigreturn, ALL, ANY)
CALL(sigaltstack, STRANGE, ANY)

/* What it is, and where. */
CALL(getpid, ALL, ANY)
CALL(getppid, STRANGE, ANY)
CALL(getuid, BROKER, ANY)
CALL(geteuid, BROKER, ANY)
CALL(getgid, BROKER, ANY)
CALL(getegid, BROKER, ANY)
CALL(uname, BROKER, ANY)
CALL(sysinfo, NET, ANY)
CALL(getcpu, STRANGE, ANY)
CALL(getrandom, ALL, ANY)
CALL(prlimit64, ALL, UNCHANGED)

#undef ALL
#undef STRANGE
#undef NET
#undef READ
#undef CALL
