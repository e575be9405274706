// What the actions of Detent are compared with: a loop that waits for an edge, performs the action,
// and does nothing else. It keeps its connection to a broker or, with libcurl, to a server.
//
//     bare libcurl PORT       asks with libcurl
//     bare curl PORT          starts the program curl, with its request on standard input
//     bare mqtt PORT          publishes with libmosquitto, quality 1
//     bare run PROGRAM PATH   starts a program
//     bare tcp PORT           sends a line over one connection, and reads the line that answers
//     bare udp PORT           sends a datagram
//     bare serial DEVICE      writes a line to a serial device, and reads the line that answers
//     bare key NAME           taps a key of an input device that it makes
//     bare flood PORT TOPIC RATE   no edges: publishes so many messages a second, quality 0
//
//     cc -O2 bare.c -o bare -lgpiod -lcurl -lmosquitto

#define _GNU_SOURCE
#include "arrive.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <gpiod.h>
#include <linux/uinput.h>
#include <mosquitto.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void die(const char *what)
{
    fprintf(stderr, "bare: %s\n", what);
    exit(1);
}

static const char *value_of(bool on) { return on ? "on" : "off"; }

// ---- libcurl

static CURL *handle;

static size_t drop(char *text, size_t size, size_t count, void *context)
{
    (void)text, (void)context;
    return size * count;
}

static void begin_libcurl(const char *port)
{
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%s/power", port);
    handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, "PUT");
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, drop);
}

static void ask_libcurl(bool on)
{
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, value_of(on));
    if (curl_easy_perform(handle) != CURLE_OK)
        die("libcurl failed");
}

// ---- A program

// Starts a program and waits for its end, with a text on its standard input and its output and
// messages dropped.
static void start(char *const *words, const char *input)
{
    int in[2], out[2];
    char rest[256];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
        die("pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, out[1], 2);
    if (posix_spawnp(&child, words[0], &actions, NULL, words, environ))
        die(words[0]);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (write(in[1], input, strlen(input)) < 0)
        die("standard input");
    close(in[1]);
    while (read(out[0], rest, sizeof rest) > 0)
        ;
    close(out[0]);
    waitpid(child, NULL, 0);
}

static void ask_curl(const char *port, bool on)
{
    static char *const words[] = {"curl", "-q", "--config", "-", NULL};
    char text[512];
    snprintf(text, sizeof text,
             "silent\ngloboff\ndisallow-username-in-url\nfail-with-body\n"
             "proto = \"=http,https\"\nwrite-out = \"%%{stderr}%%{http_code} %%{errormsg}\"\n"
             "request = PUT\nurl = \"http://127.0.0.1:%s/power\"\ndata-raw = \"%s\"\n",
             port, value_of(on));
    start(words, text);
}

// ---- libmosquitto

static struct mosquitto *publisher;
static bool is_connected;

static void on_connect(struct mosquitto *it, void *context, int code)
{
    (void)it, (void)context;
    if (code)
        die("the broker refuses");
    is_connected = true;
}

static void turn_mqtt(void)
{
    if (mosquitto_loop_read(publisher, 8) || mosquitto_loop_misc(publisher))
        die("the broker is gone");
}

static void begin_mqtt(const char *port)
{
    mosquitto_lib_init();
    publisher = mosquitto_new(NULL, true, NULL);
    mosquitto_int_option(publisher, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_callback_set(publisher, on_connect);
    if (mosquitto_connect(publisher, "127.0.0.1", atoi(port), 3600))
        die("no broker");
    while (!is_connected) {
        struct pollfd entry = {.fd = mosquitto_socket(publisher), .events = POLLIN};
        poll(&entry, 1, 1000);
        turn_mqtt();
    }
}

static void publish(const char *topic, const char *text, int quality)
{
    if (mosquitto_publish(publisher, NULL, topic, (int)strlen(text), text, quality, false))
        die("publishing");
    while (mosquitto_want_write(publisher))
        mosquitto_loop_write(publisher, 1);
}

static void flood(const char *topic, long rate)
{
    enum { period_us = 2000 };
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (unsigned int count = 0, turn = 1;; turn++) {
        for (; count < (unsigned long)rate * turn * period_us / 1000000; count++)
            publish(topic, value_of(count % 2), 0);
        turn_mqtt();
        next.tv_nsec += period_us * 1000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
}

// ---- A device nearby

static int wire = -1;
static bool is_answered;

static void begin_wire(const char *kind, const char *place)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(place)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct termios terms;
    is_answered = strcmp(kind, "udp") != 0;
    if (strcmp(kind, "serial") == 0) {
        wire = open(place, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (wire < 0 || tcgetattr(wire, &terms))
            die(place);
        cfmakeraw(&terms);
        cfsetspeed(&terms, B115200);
        tcsetattr(wire, TCSANOW, &terms);
        return;
    }
    wire = socket(AF_INET, (is_answered ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
    if (is_answered)
        setsockopt(wire, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (connect(wire, (struct sockaddr *)&address, sizeof address))
        die("connecting");
}

static void ask_wire(bool on)
{
    char text[256];
    int size = snprintf(text, sizeof text, "POWER %s\n", value_of(on));
    if (write(wire, text, (size_t)size) != size)
        die("writing");
    while (is_answered) {
        ssize_t count = read(wire, text, sizeof text);
        if (count <= 0)
            die("reading");
        if (memchr(text, '\n', (size_t)count))
            return;
    }
}

// ---- A key

static int keys = -1;

static void begin_keys(const char *name)
{
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL}};
    snprintf(setup.name, sizeof setup.name, "%s", name);
    keys = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
    if (keys < 0 || ioctl(keys, UI_SET_EVBIT, EV_KEY) || ioctl(keys, UI_SET_KEYBIT, KEY_A) ||
        ioctl(keys, UI_DEV_SETUP, &setup) || ioctl(keys, UI_DEV_CREATE))
        die("/dev/uinput");
}

static void tap(void)
{
    for (int value = 1; value >= 0; value--) {
        struct input_event events[] = {{.type = EV_KEY, .code = KEY_A, .value = value},
                                       {.type = EV_SYN, .code = SYN_REPORT}};
        if (write(keys, events, sizeof events) != sizeof events)
            die("pressing");
    }
}

// ---- The loop

static char **words;

static void act(bool on)
{
    if (handle)
        ask_libcurl(on);
    else if (wire >= 0)
        ask_wire(on);
    else if (keys >= 0)
        tap();
    else if (publisher)
        publish(ARRIVE_TOPIC, value_of(on), 1);
    else if (strcmp(words[1], "curl") == 0)
        ask_curl(words[2], on);
    else
        start(words + 2, "");
}

int main(int count, char **arguments)
{
    words = arguments;
    if (count < 3)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    if (strcmp(words[1], "libcurl") == 0)
        begin_libcurl(words[2]);
    if (strcmp(words[1], "mqtt") == 0 || strcmp(words[1], "flood") == 0)
        begin_mqtt(words[2]);
    if (strcmp(words[1], "tcp") == 0 || strcmp(words[1], "udp") == 0 ||
        strcmp(words[1], "serial") == 0)
        begin_wire(words[1], words[2]);
    if (strcmp(words[1], "key") == 0)
        begin_keys(words[2]);
    if (strcmp(words[1], "flood") == 0 && count == 5)
        flood(words[3], atol(words[4]));
    struct gpiod_chip *chip = gpiod_chip_open_by_label("rig");
    struct gpiod_line *line = chip ? gpiod_chip_find_line(chip, "IN0") : NULL;
    if (!line || gpiod_line_request_both_edges_events(line, "bare"))
        die("no line IN0");
    struct pollfd entries[] = {{.fd = gpiod_line_event_get_fd(line), .events = POLLIN},
                               {.fd = publisher ? mosquitto_socket(publisher) : -1,
                                .events = POLLIN}};
    for (;;) {
        struct gpiod_line_event events[16];
        poll(entries, 2, -1);
        if (entries[1].revents)
            turn_mqtt();
        if (!entries[0].revents)
            continue;
        int edges = gpiod_line_event_read_multiple(line, events, 16);
        for (int edge = 0; edge < edges; edge++)
            act(events[edge].event_type == GPIOD_LINE_EVENT_RISING_EDGE);
    }
}
