// Moves the inputs of a simulated chip and measures how fast a program responds on its LEDs. The
// program under test is a black box: the latency is from the kernel's interrupt of the input to the
// write of the LED's line. Runs inside the rig (Tests/Kernel/rig) as root.
//
//     rig-drive --pair IN0:LED0 --single 300 --flood 3000 -- rig-loop rig IN0 LED0
//
// It creates the chip, starts the program, waits until the LEDs are requested, drives the inputs,
// prints a line of figures for each phase, and ends the program with SIGTERM.
//
//     cc -O2 rig-drive.c -o rig-drive

#define _GNU_SOURCE
#include "rig-sim.h"
#include "rig-trace.h"
#include <dirent.h>
#include <getopt.h>
#include <linux/gpio.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

#define MAX_PAIRS (SIM_MAX_LINES / 2)
#define MAX_EDGES 20000

struct settings {
    const char *label;
    int pairs;
    long single, burst, flood, rest; // edges, rounds, edges, milliseconds; 0: not this phase
    long pause_us, settle_ms, ready_ms;
    int idle_up, first, loose;
    const char *list;
};

static struct settings settings = {.label = "rig", .pause_us = 20000, .settle_ms = 500,
                                   .ready_ms = 10000, .idle_up = 1};
static char names[SIM_MAX_LINES][32]; // inputs 0, 2, 4 …, each followed by its LED
static struct sim sim;
static struct marks interrupts, writes, moves;
static pid_t program;
static uint64_t started;

static void usage(void)
{
    fputs("usage: rig-drive [OPTION]... [-- PROGRAM [ARGUMENT]...]\n"
          "  --pair INPUT:LED   an input and the LED that answers it (up to 32 times; IN0:LED0)\n"
          "  --chip LABEL       label of the chip that is made (rig)\n"
          "  {chip}             in an argument of the program: the chip's device\n"
          "  --single EDGES     edges on the first input, a pause after each\n"
          "  --burst ROUNDS     one edge on every input at once, a pause after each round\n"
          "  --flood EDGES      edges on the first input without any pause\n"
          "  --rest MS          nothing at all: what the program does unasked, and its memory\n"
          "  --first            from the start of the program to its first write of an LED\n"
          "  --loose            the program need not hold the LEDs, only the inputs\n"
          "  --list FILE        every latency of the single edges, in microseconds, sorted\n"
          "  --pause US         (20000)\n"
          "  --settle MS        after start and each phase (500)\n"
          "  --ready MS         longest wait for the program (10000)\n"
          "  --idle up|down     levels of the inputs at rest (up)\n",
          stderr);
    exit(2);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void rest_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    while (us > 0 && nanosleep(&time, &time) && errno == EINTR)
        ;
}

static void add_pair(const char *text)
{
    const char *colon = strchr(text, ':');
    if (!colon || settings.pairs == MAX_PAIRS || colon - text > 31)
        usage();
    snprintf(names[2 * settings.pairs], 32, "%.*s", (int)(colon - text), text);
    snprintf(names[2 * settings.pairs + 1], 32, "%s", colon + 1);
    settings.pairs++;
}

// Whether every input is requested, and every LED is requested as an output.
static int taken(int chip)
{
    for (int line = 0; line < sim.count; line += settings.loose ? 2 : 1) {
        struct gpio_v2_line_info info = {.offset = (unsigned int)line};
        if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info))
            sim_die("line information");
        __u64 wanted = GPIO_V2_LINE_FLAG_USED | (line % 2 ? GPIO_V2_LINE_FLAG_OUTPUT : 0);
        if ((info.flags & wanted) != wanted)
            return 0;
    }
    return 1;
}

static void wait_until_ready(void)
{
    char path[64];
    snprintf(path, sizeof path, "/dev/%s", sim.device);
    int chip = open(path, O_RDWR | O_CLOEXEC);
    if (chip < 0)
        sim_die("%s", path);
    uint64_t end = now() + (uint64_t)settings.ready_ms * 1000000u;
    while (!taken(chip)) {
        if (now() > end || (program && waitpid(program, NULL, WNOHANG) == program)) {
            fputs("rig-drive: the program did not request the inputs and LEDs; see its output, "
                  "or raise --ready\n",
                  stderr);
            if (program)
                kill(program, SIGKILL);
            sim_remove(&sim);
            exit(1);
        }
        rest_us(1000);
    }
    close(chip);
}

static void start(char **arguments)
{
    static char with_chip[64][256];
    for (int index = 0; arguments[index] && index < 64; index++) {
        char *place = strstr(arguments[index], "{chip}");
        if (place) {
            snprintf(with_chip[index], sizeof with_chip[index], "%.*s/dev/%s%s",
                     (int)(place - arguments[index]), arguments[index], sim.device, place + 6);
            arguments[index] = with_chip[index];
        }
    }
    started = now();
    program = fork();
    if (program < 0)
        sim_die("fork");
    if (program == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); // standard output is for figures
        execvp(arguments[0], arguments);
        sim_die("starting %s", arguments[0]);
    }
}

// Waits five seconds for the end; otherwise the program is killed, with a message.
static void end_program(void)
{
    if (!program)
        return;
    kill(program, SIGTERM);
    for (int wait = 0; wait < 500; wait++) {
        if (waitpid(program, NULL, WNOHANG) == program)
            return;
        rest_us(10000);
    }
    fputs("rig-drive: the program did not end on SIGTERM; killed\n", stderr);
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
}

// The cost of the program's threads, and of those of its children, so far.
struct cost {
    double cpu_ms;
    long switches, memory_kb; // proportional: shared pages count once
};

// A number in a file of several lines; 0 if it is not there.
static long field(const char *path, const char *format)
{
    char line[256];
    long value = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, format, &value) != 1)
        ;
    if (file)
        fclose(file);
    return value;
}

static void add_thread(struct cost *sum, const char *process, const char *thread)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/schedstat", process, thread);
    sum->cpu_ms += (double)field(path, "%ld") / 1e6;
    snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/status", process, thread);
    sum->switches += field(path, "voluntary_ctxt_switches: %ld");
}

// Whether a process is the program, or a descendant of it: `detent run` is more than one process.
static int is_of_program(pid_t process)
{
    while (process > 1 && process != program) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/status", process);
        process = (pid_t)field(path, "PPid: %ld"); // 0 if it has just ended
    }
    return program && process == program;
}

static struct cost cost(void)
{
    struct cost sum = {0, 0, 0};
    DIR *processes = opendir("/proc");
    for (struct dirent *process; processes && (process = readdir(processes));) {
        if (!is_of_program(atoi(process->d_name)))
            continue;
        char path[64];
        snprintf(path, sizeof path, "/proc/%.20s/smaps_rollup", process->d_name);
        sum.memory_kb += field(path, "Pss: %ld");
        snprintf(path, sizeof path, "/proc/%.20s/task", process->d_name);
        DIR *threads = opendir(path);
        for (struct dirent *thread; threads && (thread = readdir(threads));)
            if (thread->d_name[0] != '.')
                add_thread(&sum, process->d_name, thread->d_name);
        if (threads)
            closedir(threads);
    }
    if (processes)
        closedir(processes);
    return sum;
}

static void move(int pair)
{
    int up = !sim.up[2 * pair];
    trace_add(&moves, now(), 2 * pair, up);
    sim_pull(&sim, 2 * pair, up);
}

// Latencies of one kind of starting point to the LED, in microseconds, sorted.
struct latencies {
    double all[TRACE_MAX / 8];
    int count;
};

static struct latencies from_interrupt, from_move;

static int pick(const struct marks *marks, int line, uint64_t *at)
{
    int count = 0;
    for (int index = 0; index < marks->count && count < MAX_EDGES; index++)
        if (marks->all[index].line == line)
            at[count++] = marks->all[index].at;
    return count;
}

static int ascending(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

// An edge is answered by the first write before the next edge; where there are as many writes as
// edges, by the write of the same rank, so that a backlog counts in full.
static void match(const struct marks *starts, struct latencies *result)
{
    static uint64_t edges[MAX_EDGES], answers[MAX_EDGES];
    result->count = 0;
    for (int pair = 0; pair < settings.pairs; pair++) {
        int edge_count = pick(starts, 2 * pair, edges);
        int answer_count = pick(&writes, 2 * pair + 1, answers);
        for (int edge = 0, answer = 0; edge < edge_count; edge++) {
            if (edge_count == answer_count) {
                answer = edge;
            } else {
                while (answer < answer_count && answers[answer] < edges[edge])
                    answer++;
                if (answer == answer_count)
                    break;
                if (edge + 1 < edge_count && answers[answer] >= edges[edge + 1])
                    continue;
            }
            double nanoseconds = (double)answers[answer] - (double)edges[edge];
            if (result->count < TRACE_MAX / 8)
                result->all[result->count++] = nanoseconds / 1000;
        }
    }
    qsort(result->all, (size_t)result->count, sizeof(double), ascending);
}

static double rank(const struct latencies *latencies, double share)
{
    if (latencies->count == 0)
        return 0;
    return latencies->all[(int)(share * (latencies->count - 1) + 0.5)];
}

// Whether every LED has the level of its input. (Meaningless for programs that toggle.)
static const char *agreement(void)
{
    for (int pair = 0; pair < settings.pairs; pair++) {
        int level = -1;
        for (int index = 0; index < writes.count; index++)
            if (writes.all[index].line == 2 * pair + 1)
                level = writes.all[index].level;
        if (level >= 0 && level != sim.up[2 * pair])
            return "no";
    }
    return "yes";
}

static void report(const char *phase, struct cost before)
{
    struct cost after = cost();
    trace_collect(&sim, &interrupts, &writes);
    match(&interrupts, &from_interrupt);
    match(&moves, &from_move);
    printf("phase=%s edges=%d interrupts=%d writes=%d answered=%d "
           "p50_us=%.0f p99_us=%.0f max_us=%.0f from_pull_p50_us=%.0f from_pull_p99_us=%.0f "
           "led_follows=%s switches=%ld cpu_ms=%.1f memory_kb=%ld\n",
           phase, moves.count, interrupts.count, writes.count, from_interrupt.count,
           rank(&from_interrupt, 0.5), rank(&from_interrupt, 0.99), rank(&from_interrupt, 1),
           rank(&from_move, 0.5), rank(&from_move, 0.99), agreement(),
           after.switches - before.switches, after.cpu_ms - before.cpu_ms,
           after.memory_kb);
    fflush(stdout);
}

static void write_list(void)
{
    FILE *file = fopen(settings.list, "we");
    if (!file)
        sim_die("%s", settings.list);
    for (int place = 0; place < from_interrupt.count; place++)
        fprintf(file, "%.0f\n", from_interrupt.all[place]);
    fclose(file);
}

// Moves the first input until the first LED is written: a program may hold its lines before it
// listens to them.
static void wait_for_first_write(void)
{
    uint64_t end = now() + (uint64_t)settings.ready_ms * 1000000u;
    trace_clear();
    do {
        move(0);
        rest_us(20000);
        trace_collect(&sim, &interrupts, &writes);
    } while (writes.count == 0 && now() < end);
    printf("phase=first answered=%d start_to_led_ms=%.1f\n", writes.count > 0,
           writes.count ? (double)(writes.all[0].at - started) / 1e6 : 0);
    fflush(stdout);
}

static struct cost begin_phase(void)
{
    trace_clear();
    moves.count = 0;
    return cost();
}

static void run_phases(void)
{
    if (settings.rest) {
        struct cost before = begin_phase();
        rest_us(settings.rest * 1000);
        report("rest", before);
    }
    if (settings.single) {
        struct cost before = begin_phase();
        for (long edge = 0; edge < settings.single; edge++) {
            move(0);
            rest_us(settings.pause_us);
        }
        rest_us(settings.settle_ms * 1000);
        report("single", before);
        if (settings.list)
            write_list();
    }
    if (settings.burst) {
        struct cost before = begin_phase();
        for (long round = 0; round < settings.burst; round++) {
            for (int pair = 0; pair < settings.pairs; pair++)
                move(pair);
            rest_us(settings.pause_us);
        }
        rest_us(settings.settle_ms * 1000);
        report("burst", before);
    }
    if (settings.flood) {
        struct cost before = begin_phase();
        for (long edge = 0; edge < settings.flood; edge++)
            move(0);
        rest_us(settings.settle_ms * 1000);
        report("flood", before);
    }
}

static long number(const char *text, long highest)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < 0 || value > highest)
        usage();
    return value;
}

static void read_arguments(int count, char **arguments)
{
    static const struct option options[] = {
        {"pair", 1, 0, 'p'}, {"chip", 1, 0, 'c'}, {"single", 1, 0, 's'}, {"burst", 1, 0, 'b'},
        {"flood", 1, 0, 'f'}, {"rest", 1, 0, 'r'}, {"pause", 1, 0, 'u'}, {"settle", 1, 0, 't'},
        {"ready", 1, 0, 'y'}, {"idle", 1, 0, 'i'}, {"first", 0, 0, '1'}, {"loose", 0, 0, 'l'},
        {"list", 1, 0, 'o'}, {0, 0, 0, 0}};
    int option;
    while ((option = getopt_long(count, arguments, "+", options, NULL)) != -1) {
        switch (option) {
        case 'p': add_pair(optarg); break;
        case 'c': settings.label = optarg; break;
        case 's': settings.single = number(optarg, MAX_EDGES); break;
        case 'b': settings.burst = number(optarg, MAX_EDGES / MAX_PAIRS); break;
        case 'f': settings.flood = number(optarg, MAX_EDGES); break;
        case 'r': settings.rest = number(optarg, 3600000); break;
        case 'u': settings.pause_us = number(optarg, 60000000); break;
        case 't': settings.settle_ms = number(optarg, 60000); break;
        case 'y': settings.ready_ms = number(optarg, 600000); break;
        case 'i': settings.idle_up = strcmp(optarg, "down") != 0; break;
        case '1': settings.first = 1; break;
        case 'l': settings.loose = 1; break;
        case 'o': settings.list = optarg; break;
        default: usage();
        }
    }
    if (!settings.pairs)
        add_pair("IN0:LED0");
}

int main(int count, char **arguments)
{
    read_arguments(count, arguments);
    sim_create(&sim, settings.label, names, 2 * settings.pairs);
    for (int pair = 0; pair < settings.pairs; pair++)
        sim_pull(&sim, 2 * pair, settings.idle_up);
    trace_begin();
    if (optind < count)
        start(arguments + optind);
    // The rig has one processor. Without this, an edge wakes the program and the driver runs on,
    // if it has used less processor time; its next system call would count as the program's.
    if (sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}))
        sim_die("SCHED_IDLE");
    wait_until_ready();
    if (settings.first)
        wait_for_first_write();
    rest_us(settings.settle_ms * 1000);
    run_phases();
    trace_end();
    end_program();
    sim_remove(&sim);
    return 0;
}
