// Feeds edges to a program that runs with the stub of libgpiod, and measures how soon the action of
// an edge has reached its end: an HTTP server or an MQTT subscriber, which this program is, the
// first line of a started program, or who reads an input device.
//
//     reach [--edges N] [--pause US] http PORT STUB PROGRAM [ARGUMENT]...
//     reach [--edges N] [--pause US] mqtt PORT STUB PROGRAM [ARGUMENT]...    the broker's port
//     reach [--edges N] [--pause US] tcp PORT STUB PROGRAM [ARGUMENT]...     a line, and its answer
//     reach [--edges N] [--pause US] udp PORT STUB PROGRAM [ARGUMENT]...
//     reach [--edges N] [--pause US] serial PATH STUB PROGRAM [ARGUMENT]...  a link to a pty
//     reach [--edges N] [--pause US] key NAME STUB PROGRAM [ARGUMENT]...     an input device
//     reach [--edges N] [--pause US] run PATH STUB PROGRAM [ARGUMENT]...     a socket for `arrive`
//
// The next edge comes a pause after the last request. Prints, in microseconds: p50, p90, p99.
// Ends with 1 if a request does not come within ten seconds.
//
//     cc -O2 reach.c -o reach -lmosquitto -lutil

#include "../Path/drive.h"
#include "arrive.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <glob.h>
#include <linux/input.h>
#include <mosquitto.h>
#include <netinet/tcp.h>
#include <pty.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>

enum { most_edges = 100000, patience_ms = 10000 };

static long edge_count = 200, pause_us = 60000;
static double latencies[most_edges];
static uint64_t arrived; // the moment of the last request, or 0

static void usage(void)
{
    fputs("usage: reach [--edges N] [--pause US] KIND PORT|PATH STUB PROGRAM...\n",
          stderr);
    exit(2);
}

// Waits until one of two descriptors is readable; -1 if the time is over.
static int wait_for(int first, int second, int wait_ms)
{
    struct pollfd entries[] = {{.fd = first, .events = POLLIN},
                               {.fd = second, .events = POLLIN}};
    if (poll(entries, 2, wait_ms) <= 0)
        return -1;
    return entries[0].revents ? first : second;
}

// ---- An HTTP server for one client at a time, which may keep its connection

static int listener = -1, client = -1;

static void begin_http(const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)path_number(port, 65535)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 16))
        die("listening");
}

static bool is_whole(const char *text)
{
    const char *end = strstr(text, "\r\n\r\n");
    const char *length = strcasestr(text, "\r\nContent-Length:");
    return end && (!length || strlen(end + 4) >= (size_t)atol(length + 17));
}

static void await_http(int wait_ms)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    char text[8192];
    size_t size = 0;
    for (;;) {
        int ready = wait_for(listener, client, wait_ms);
        if (ready < 0)
            return;
        if (ready == listener) {
            close(client);
            client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
            setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
            size = 0;
            continue;
        }
        ssize_t more = read(client, text + size, sizeof text - size - 1);
        if (more <= 0) {
            close(client);
            client = -1;
            continue;
        }
        uint64_t moment = now();
        size += (size_t)more;
        text[size] = 0;
        if (!is_whole(text))
            continue;
        arrived = moment;
        break;
    }
    if (write(client, answer, sizeof answer - 1) < 0)
        die("answering");
}

// ---- An MQTT subscriber

static struct mosquitto *subscriber;
static bool is_subscribed;

static void on_connect(struct mosquitto *it, void *context, int code)
{
    (void)context;
    if (code || mosquitto_subscribe(it, NULL, ARRIVE_TOPIC, 0))
        die("subscribing");
}

static void on_subscribe(struct mosquitto *it, void *context, int id, int count, const int *codes)
{
    (void)it, (void)context, (void)id, (void)count, (void)codes;
    is_subscribed = true;
}

static void on_message(struct mosquitto *it, void *context, const struct mosquitto_message *message)
{
    (void)it, (void)context, (void)message;
    arrived = now();
}

static bool turn_mqtt(int wait_ms)
{
    if (wait_for(mosquitto_socket(subscriber), -1, wait_ms) < 0)
        return false;
    if (mosquitto_loop_read(subscriber, 1) || mosquitto_loop_write(subscriber, 1) ||
        mosquitto_loop_misc(subscriber))
        die("the broker is gone");
    return true;
}

static void begin_mqtt(const char *port)
{
    mosquitto_lib_init();
    subscriber = mosquitto_new("reach", true, NULL);
    mosquitto_connect_callback_set(subscriber, on_connect);
    mosquitto_subscribe_callback_set(subscriber, on_subscribe);
    mosquitto_message_callback_set(subscriber, on_message);
    if (mosquitto_connect(subscriber, "127.0.0.1", (int)path_number(port, 65535), 3600))
        die("the broker");
    while (!is_subscribed)
        turn_mqtt(patience_ms);
}

// ---- A started program, which sends its moment

static int inbox = -1;

static void begin_run(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    inbox = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (bind(inbox, (struct sockaddr *)&address, sizeof address))
        die(path);
}

// ---- A device nearby: a line, which it answers

static int device = -1, device_listener = -1;
static bool has_peers;

static void begin_device(const char *kind, const char *place)
{
    has_peers = strcmp(kind, "tcp") == 0;
    if (strcmp(kind, "serial") == 0) {
        char name[64];
        struct termios terms;
        int side;
        if (openpty(&device, &side, name, NULL, NULL) || tcgetattr(side, &terms))
            die("a pty");
        cfmakeraw(&terms);
        tcsetattr(side, TCSANOW, &terms);
        fcntl(device, F_SETFD, FD_CLOEXEC);
        fcntl(side, F_SETFD, FD_CLOEXEC); // stays open: the device is there without the program
        unlink(place);
        if (symlink(name, place))
            die(place);
        return;
    }
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)path_number(place, 65535)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int it = socket(AF_INET, (has_peers ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
    setsockopt(it, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(it, (struct sockaddr *)&address, sizeof address) || (has_peers && listen(it, 16)))
        die("listening");
    *(has_peers ? &device_listener : &device) = it;
}

static void await_device(int wait_ms)
{
    static const char answer[] = "OK\n";
    char text[512];
    for (;;) {
        int ready = wait_for(has_peers ? device_listener : device, device, wait_ms);
        if (ready < 0)
            return;
        if (ready == device_listener) {
            close(device);
            device = accept4(device_listener, NULL, NULL, SOCK_CLOEXEC);
            setsockopt(device, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
            continue;
        }
        ssize_t count = read(device, text, sizeof text);
        uint64_t moment = now();
        if (count <= 0) {
            if (!has_peers)
                return;
            close(device);
            device = -1;
            continue;
        }
        if (!memchr(text, '\n', (size_t)count))
            continue;
        arrived = moment;
        // A datagram has no answer.
        if ((has_peers || isatty(device)) && write(device, answer, sizeof answer - 1) < 0)
            die("answering");
        return;
    }
}

// ---- A reader of an input device, which the program makes

static const char *keys_name;
static int keys = -1;

static void find_keys(void)
{
    glob_t found;
    if (glob("/dev/input/event*", 0, NULL, &found))
        return;
    for (size_t place = 0; place < found.gl_pathc && keys < 0; place++) {
        char name[256] = "";
        keys = open(found.gl_pathv[place], O_RDONLY | O_CLOEXEC);
        if (keys < 0 || ioctl(keys, EVIOCGNAME(sizeof name), name) < 0 ||
            strcmp(name, keys_name) != 0) {
            close(keys);
            keys = -1;
        }
    }
    globfree(&found);
}

static void await_key(int wait_ms)
{
    struct input_event event;
    if (keys < 0)
        find_keys();
    while (wait_for(keys, -1, wait_ms) == keys) {
        uint64_t moment = now();
        if (read(keys, &event, sizeof event) != sizeof event)
            die("the input device is gone");
        if (event.type != EV_KEY || event.value != 1)
            continue;
        arrived = moment;
        return;
    }
}

// ---- All of them

// Whether an action arrives within a time.
static bool await_action(int wait_ms)
{
    arrived = 0;
    if (listener >= 0)
        await_http(wait_ms);
    if (device >= 0 || device_listener >= 0)
        await_device(wait_ms);
    if (keys_name)
        await_key(wait_ms);
    while (subscriber && !arrived && turn_mqtt(wait_ms))
        ;
    if (inbox >= 0 && wait_for(inbox, -1, wait_ms) == inbox &&
        read(inbox, &arrived, sizeof arrived) != sizeof arrived)
        die("a started program");
    return arrived != 0;
}

static void begin(const char *kind, const char *place)
{
    if (strcmp(kind, "http") == 0)
        begin_http(place);
    else if (strcmp(kind, "mqtt") == 0)
        begin_mqtt(place);
    else if (strcmp(kind, "run") == 0)
        begin_run(place);
    else if (strcmp(kind, "tcp") == 0 || strcmp(kind, "udp") == 0 || strcmp(kind, "serial") == 0)
        begin_device(kind, place);
    else if (strcmp(kind, "key") == 0)
        keys_name = place;
    else
        usage();
}

int main(int count, char **arguments)
{
    static const struct option options[] = {
        {"edges", 1, 0, 'e'}, {"pause", 1, 0, 'p'}, {0, 0, 0, 0}};
    int option;
    while ((option = getopt_long(count, arguments, "+", options, NULL)) != -1) {
        switch (option) {
        case 'e': edge_count = path_number(optarg, most_edges); break;
        case 'p': pause_us = path_number(optarg, 60000000); break;
        default: usage();
        }
    }
    if (count - optind < 4 || edge_count == 0)
        usage();
    char **words = arguments + optind;
    begin(words[0], words[1]);
    struct path path = path_start(words[2], words + 3, 1);
    path_settle(&path);
    // A panel tells the level that it finds at its start, and connects to a broker.
    while (await_action(1000))
        ;
    for (long edge = -6; edge < edge_count; edge++) {
        uint64_t began = path_feed(&path, 0, edge % 2 == 0);
        if (!await_action(patience_ms)) {
            fputs("reach: no request within ten seconds\n", stderr);
            path_end(&path);
            return 1;
        }
        if (edge >= 0)
            latencies[edge] = (double)(arrived - began) / 1000;
        rest_us(pause_us);
    }
    path_end(&path);
    qsort(latencies, (size_t)edge_count, sizeof *latencies, path_ascending);
    printf("p50 %.1f\np90 %.1f\np99 %.1f\n", path_share(latencies, edge_count, 0.5),
           path_share(latencies, edge_count, 0.9), path_share(latencies, edge_count, 0.99));
    return 0;
}
