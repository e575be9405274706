/*
 * What `detent fleet` is compared with: as many connections by libmosquitto in one epoll loop, the
 * same rate of messages, one listener, and nothing else: no panel, no topics of its own, no JSON.
 *
 *   bare PORT COUNT MESSAGES-A-SECOND-OF-EACH SECONDS [PORT-OF-THE-LISTENER]
 *
 * Prints the figures, one to a line. The latency of a message begins when it was due.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* From the interface of libmosquitto.so.1; Debian has its header in another package. */
struct mosquitto;
struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};
int mosquitto_lib_init(void);
struct mosquitto *mosquitto_new(const char *, bool, void *);
int mosquitto_connect(struct mosquitto *, const char *, int, int);
int mosquitto_publish(
    struct mosquitto *, int *, const char *, int, const void *, int, bool);
int mosquitto_subscribe(struct mosquitto *, int *, const char *, int);
int mosquitto_loop_read(struct mosquitto *, int);
int mosquitto_loop_write(struct mosquitto *, int);
int mosquitto_loop_misc(struct mosquitto *);
bool mosquitto_want_write(struct mosquitto *);
int mosquitto_socket(struct mosquitto *);
void mosquitto_connect_callback_set(
    struct mosquitto *, void (*)(struct mosquitto *, void *, int));
void mosquitto_subscribe_callback_set(
    struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const int *));
void mosquitto_message_callback_set(
    struct mosquitto *, void (*)(struct mosquitto *, void *, const struct mosquitto_message *));

enum { MOST = 10000, CONNECTING = 48, WAITING = 256, LONGEST = 10000000 };

static struct client {
    struct mosquitto *it;
    uint64_t due, care, sent[WAITING];
    unsigned first, end;
    bool is_up, writes;
} clients[MOST + 1];
static int count, connecting, up, set;
static bool is_listening;
static uint64_t told, heard;
/* Latencies by the microsecond. */
static uint32_t *latencies;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t state = 1;
static uint64_t below(uint64_t bound) {
    uint64_t mixed = state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return (mixed ^ (mixed >> 31)) % bound;
}

static void did_connect(struct mosquitto *it, void *context, int code) {
    (void)it;
    struct client *client = context;
    if (code != 0) fprintf(stderr, "refused: %d\n", code), exit(1);
    client->is_up = true;
    connecting--;
    if (client < clients + count) up++;
    else mosquitto_subscribe(client->it, NULL, "bare/+/lamp/state", 0);
}

static void did_subscribe(struct mosquitto *it, void *context, int mid, int n, const int *codes) {
    (void)it, (void)context, (void)mid, (void)n, (void)codes;
    is_listening = true;
}

static void did_hear(struct mosquitto *it, void *context, const struct mosquitto_message *message) {
    (void)it, (void)context;
    int number = atoi(message->topic + 5);
    if (message->retain || number >= count) return;
    struct client *client = &clients[number];
    if (client->first == client->end) return;
    uint64_t late = (now() - client->sent[client->first++ % WAITING]) / 1000;
    latencies[late < LONGEST ? late : LONGEST]++;
    heard++;
}

static void care(int place) {
    struct client *client = &clients[place];
    bool writes = mosquitto_want_write(client->it);
    if (writes == client->writes) return;
    client->writes = writes;
    struct epoll_event event = {EPOLLIN | (writes ? EPOLLOUT : 0), {.u32 = (uint32_t)place}};
    epoll_ctl(set, EPOLL_CTL_MOD, mosquitto_socket(client->it), &event);
}

static void begin(int place, int port) {
    char name[32];
    struct client *client = &clients[place];
    snprintf(name, sizeof name, "bare-%d", place);
    client->it = mosquitto_new(name, true, client);
    mosquitto_connect_callback_set(client->it, did_connect);
    mosquitto_subscribe_callback_set(client->it, did_subscribe);
    mosquitto_message_callback_set(client->it, did_hear);
    if (mosquitto_connect(client->it, "127.0.0.1", port, 60) != 0)
        fprintf(stderr, "no connection: %s\n", strerror(errno)), exit(1);
    connecting++;
    client->care = now() + 1000000000;
    struct epoll_event event = {EPOLLIN, {.u32 = (uint32_t)place}};
    epoll_ctl(set, EPOLL_CTL_ADD, mosquitto_socket(client->it), &event);
}

/* The sockets that are ready until a moment. */
static void turn(uint64_t until) {
    struct epoll_event events[256];
    uint64_t moment = now();
    struct timespec wait = {0, until > moment ? (long)(until - moment) : 0};
    if (wait.tv_nsec > 999999999) wait.tv_nsec = 999999999;
    int ready = epoll_pwait2(set, events, 256, &wait, NULL);
    for (int place = 0; place < ready; place++) {
        struct client *client = &clients[events[place].data.u32];
        int error = 0;
        if (events[place].events & ~(uint32_t)EPOLLOUT) error = mosquitto_loop_read(client->it, 1);
        if (error == 0 && mosquitto_want_write(client->it))
            error = mosquitto_loop_write(client->it, 1);
        if (error != 0) fprintf(stderr, "a connection broke: %d\n", error), exit(1);
        care((int)events[place].data.u32);
    }
}

static void publish(struct client *client, uint64_t due) {
    static const char *const texts[] = {
        "{\"value\": \"on\", \"actual\": \"on\", "
        "\"phase\": \"idle\", \"reason\": null, \"flags\": []}",
        "{\"value\": \"off\", \"actual\": \"off\", "
        "\"phase\": \"idle\", \"reason\": null, \"flags\": []}",
    };
    char topic[48];
    snprintf(topic, sizeof topic, "bare/%d/lamp/state", (int)(client - clients));
    const char *text = texts[client->end % 2];
    client->sent[client->end++ % WAITING] = due;
    told++;
    mosquitto_publish(client->it, NULL, topic, (int)strlen(text), text, 1, true);
}

static double share(double part) {
    uint64_t rank = (uint64_t)((double)heard * part), seen = 0;
    for (int place = 0; place <= LONGEST; place++)
        if ((seen += latencies[place]) > rank) return place / 1000.0;
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 5 || argc > 6) return 2;
    int port = atoi(argv[1]);
    count = atoi(argv[2]);
    uint64_t period = (uint64_t)(1e9 / atof(argv[3])), began = now();
    if (count < 1 || count > MOST) return 2;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    latencies = calloc(LONGEST + 1, sizeof *latencies);
    set = epoll_create1(EPOLL_CLOEXEC);
    mosquitto_lib_init();
    begin(count, argc == 6 ? atoi(argv[5]) : port);
    while (!is_listening) turn(now() + 100000000);
    for (int place = 0; up < count;) {
        while (place < count && connecting < CONNECTING) begin(place++, port);
        turn(now() + 100000000);
    }
    printf("online %.3f\n", (double)(now() - began) / 1e9);
    uint64_t start = now(), end = start + (uint64_t)(atof(argv[4]) * 1e9);
    for (int place = 0; place < count; place++) clients[place].due = start + below(period);
    for (uint64_t moment = start; moment < end; moment = now()) {
        uint64_t next = end;
        for (int place = 0; place <= count; place++) {
            struct client *client = &clients[place];
            if (place < count && client->due <= moment) {
                uint64_t due = client->due;
                client->due = due + period / 2 + below(period);
                publish(client, due);
                care(place);
            }
            if (client->care <= moment) {
                client->care = moment + 1000000000;
                mosquitto_loop_misc(client->it);
            }
            if (place < count && client->due < next) next = client->due;
        }
        turn(next);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    for (uint64_t last = now() + 3000000000; heard < told && now() < last;) turn(now() + 10000000);
    double used = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
        (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("told %llu\nheard %llu\n", (unsigned long long)told, (unsigned long long)heard);
    printf("p50 %.3f\np99 %.3f\np99.9 %.3f\n", share(0.5), share(0.99), share(0.999));
    printf("processor %.3f\n", used / ((double)(end - began) / 1e9));
    return 0;
}
