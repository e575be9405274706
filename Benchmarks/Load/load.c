// Feeds edges to 64 inputs of a program that runs with the stub of libgpiod, at a steady rate, and
// compares every write of a lamp with the edge that caused it.
//
//     load SECONDS EDGES-A-SECOND STUB PROGRAM [ARGUMENT]...
//
// Prints `program PID` when it runs, `began` with the first edge, then `NAME VALUE` lines and the
// final `levels`, and ends the program when its standard input ends. A lamp that was never written
// with the level of an edge is `unanswered`; an edge that was handled at once with the next two is
// `merged`.
//
//     cc -O2 load.c -o load

#include "../Path/drive.h"

enum { pairs = PATH_MOST_PAIRS, waiting = 4096, debounce_ns = 1000000 };

// The edges of an input that no lamp has answered.
static struct input {
    uint64_t fed[waiting];
    unsigned int first, end; // the level of edge n is that of n + 1: the first is active
} inputs[pairs];

static uint32_t *latencies; // nanoseconds
static uint64_t answered, merged, wrong, fed, latest_ns, elapsed_ns;

// A lamp answers the oldest edge of its level; the edges before it were handled at once with it.
static void answer(struct path_lamp lamp)
{
    struct input *input = &inputs[lamp.pair];
    while (input->first != input->end && (input->first + 1) % 2 != lamp.level) {
        input->first++;
        merged++;
    }
    if (input->first == input->end) {
        wrong++;
        return;
    }
    uint64_t span = lamp.stamp - input->fed[input->first++ % waiting];
    latencies[answered++] = span < UINT32_MAX ? (uint32_t)span : UINT32_MAX;
}

// Takes what was written until a moment.
static void take_until(const struct path *path, uint64_t end)
{
    for (;;) {
        struct path_lamp lamps[256];
        uint64_t moment = now();
        struct timespec wait = {0, end > moment ? (long)(end - moment) : 0};
        struct pollfd entry = {.fd = path->lamps, .events = POLLIN};
        if (ppoll(&entry, 1, &wait, NULL) <= 0)
            return;
        ssize_t size = read(path->lamps, lamps, sizeof lamps);
        if (size <= 0) {
            fputs("load: the program ended\n", stderr);
            exit(1);
        }
        for (size_t place = 0; place < (size_t)size / sizeof *lamps; place++)
            answer(lamps[place]);
    }
}

static void feed_all(const struct path *path, uint64_t count, long rate)
{
    uint64_t due = now(), pause = 1000000000u / (uint64_t)rate;
    uint64_t of_input = pairs * pause, apart = 2 * debounce_ns;
    uint64_t most_late = of_input > apart + pause ? of_input - apart : pause;
    for (fed = 0; fed < count; fed++, due += pause) {
        take_until(path, due);
        uint64_t late = now() - due;
        if (late > latest_ns)
            latest_ns = late;
        // Each input has every 64th edge. Late edges are made up for at once, unless two edges of
        // one input would be so close that they were a bounce of its contact.
        if (late > most_late)
            due += late;
        int pair = (int)(fed % pairs);
        struct input *input = &inputs[pair];
        if (input->end - input->first == waiting) {
            fputs("load: 4096 edges of an input wait for their lamp\n", stderr);
            exit(1);
        }
        input->fed[input->end % waiting] = path_feed(path, pair, (int)(input->end + 1) % 2);
        input->end++;
    }
}

static int ascending(const void *left, const void *right)
{
    uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
    return (first > second) - (first < second);
}

static void report(void)
{
    static const struct {
        const char *name;
        double share;
    } shares[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}};
    uint64_t left = 0;
    for (int pair = 0; pair < pairs; pair++)
        left += inputs[pair].end - inputs[pair].first;
    qsort(latencies, answered, sizeof *latencies, ascending);
    printf("edges %llu\nanswered %llu\nmerged %llu\nunanswered %llu\nunasked %llu\n",
           (unsigned long long)fed, (unsigned long long)answered, (unsigned long long)merged,
           (unsigned long long)left, (unsigned long long)wrong);
    for (size_t place = 0; answered && place < sizeof shares / sizeof *shares; place++) {
        uint64_t rank = (uint64_t)(shares[place].share * (double)(answered - 1) + 0.5);
        printf("%s-microseconds %.1f\n", shares[place].name, latencies[rank] / 1000.0);
    }
    printf("edges-a-second %.0f\ndriver-late-milliseconds %.1f\nlevels ",
           (double)fed * 1e9 / (double)elapsed_ns, (double)latest_ns / 1e6);
    for (int pair = 0; pair < pairs; pair++)
        putchar('0' + (int)(inputs[pair].end % 2));
    puts("");
    fflush(stdout);
}

int main(int count, char **arguments)
{
    if (count < 5) {
        fputs("usage: load SECONDS EDGES-A-SECOND STUB PROGRAM...\n", stderr);
        return 2;
    }
    long seconds = path_number(arguments[1], 86400), rate = path_number(arguments[2], 1000000);
    uint64_t edges = (uint64_t)seconds * (uint64_t)rate;
    latencies = calloc(edges + 1, sizeof *latencies);
    struct path path = path_start(arguments[3], arguments + 4, pairs);
    path_settle(&path);
    printf("program %d\n", path.program);
    fflush(stdout);
    getchar(); // until the others are connected
    puts("began");
    fflush(stdout);
    uint64_t start = now();
    feed_all(&path, edges, rate);
    elapsed_ns = now() - start;
    take_until(&path, now() + 900000000);
    report();
    while (getchar() != EOF)
        ;
    path_end(&path);
    return 0;
}
