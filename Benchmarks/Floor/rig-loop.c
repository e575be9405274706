// The floor of every benchmark: when an edge arrives, the LED of its line follows. It does nothing
// else.
//
//     rig-loop CHIP-LABEL INPUT LED [INPUT LED]...
//
// Ends on SIGTERM, or after the number of edges in RIG_LOOP_EDGES. Builds against libgpiod 1.6 and
// 2.x; the installed header decides.
//
//     cc -O2 rig-loop.c -o rig-loop $(pkg-config --cflags --libs libgpiod)

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PAIRS 32
#define MAX_CHIPS 64

static volatile sig_atomic_t stopped;
static char *const *names;
static int pairs;

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static void die(const char *what)
{
    fprintf(stderr, "rig-loop: %s: %s\n", what, strerror(errno));
    exit(3);
}

static const char *input_name(int pair) { return names[2 * pair]; }
static const char *led_name(int pair) { return names[2 * pair + 1]; }

#ifdef GPIOD_LINE_BULK_MAX_LINES // libgpiod 1.6: a descriptor and a buffer of 16 edges a line

static struct gpiod_line *inputs[MAX_PAIRS], *leds[MAX_PAIRS];
static struct pollfd ready[MAX_PAIRS];
static int descriptors;

static void request(const char *label)
{
    struct gpiod_chip *chip = gpiod_chip_open_by_label(label);
    if (!chip)
        die(label);
    for (int pair = 0; pair < pairs; pair++) {
        inputs[pair] = gpiod_chip_find_line(chip, input_name(pair));
        leds[pair] = gpiod_chip_find_line(chip, led_name(pair));
        if (!inputs[pair] || gpiod_line_request_both_edges_events(inputs[pair], "rig-loop"))
            die(input_name(pair));
        if (!leds[pair] || gpiod_line_request_output(leds[pair], "rig-loop", 0))
            die(led_name(pair));
        ready[pair].fd = gpiod_line_event_get_fd(inputs[pair]);
        ready[pair].events = POLLIN;
    }
    descriptors = pairs;
}

static int answer(int index)
{
    struct gpiod_line_event events[16];
    int count = gpiod_line_event_read_fd_multiple(ready[index].fd, events, 16);
    if (count < 0)
        die("reading edges");
    for (int event = 0; event < count; event++)
        gpiod_line_set_value(leds[index],
                             events[event].event_type == GPIOD_LINE_EVENT_RISING_EDGE);
    return count;
}

#else // libgpiod 2.x: one descriptor and one large buffer for all lines

static struct gpiod_line_request *led_request, *input_request;
static struct gpiod_edge_event_buffer *buffer;
static struct pollfd ready[1];
static int descriptors;
static unsigned int input_offsets[MAX_PAIRS], led_of_offset[4096];

static struct gpiod_chip *chip_with_label(const char *label)
{
    for (int number = 0; number < MAX_CHIPS; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/gpiochip%d", number);
        struct gpiod_chip *chip = gpiod_chip_open(path);
        if (!chip)
            continue;
        struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
        int found = info && strcmp(gpiod_chip_info_get_label(info), label) == 0;
        gpiod_chip_info_free(info);
        if (found)
            return chip;
        gpiod_chip_close(chip);
    }
    return NULL;
}

static struct gpiod_line_request *take(struct gpiod_chip *chip, int leds)
{
    unsigned int offsets[MAX_PAIRS];
    for (int pair = 0; pair < pairs; pair++) {
        const char *name = leds ? led_name(pair) : input_name(pair);
        int offset = gpiod_chip_get_line_offset_from_name(chip, name);
        if (offset < 0 || offset >= 4096)
            die(name);
        offsets[pair] = (unsigned int)offset;
        if (leds)
            led_of_offset[input_offsets[pair]] = offsets[pair];
        else
            input_offsets[pair] = offsets[pair];
    }
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    if (leds) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    } else {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_request_config_set_event_buffer_size(config, 1024);
    }
    gpiod_request_config_set_consumer(config, "rig-loop");
    gpiod_line_config_add_line_settings(lines, offsets, (size_t)pairs, settings);
    struct gpiod_line_request *taken = gpiod_chip_request_lines(chip, config, lines);
    if (!taken)
        die(leds ? "requesting the LEDs" : "requesting the inputs");
    gpiod_request_config_free(config);
    gpiod_line_config_free(lines);
    gpiod_line_settings_free(settings);
    return taken;
}

static void request(const char *label)
{
    struct gpiod_chip *chip = chip_with_label(label);
    if (!chip)
        die(label);
    input_request = take(chip, 0);
    led_request = take(chip, 1);
    buffer = gpiod_edge_event_buffer_new(64);
    if (!buffer)
        die("edge buffer");
    ready[0].fd = gpiod_line_request_get_fd(input_request);
    ready[0].events = POLLIN;
    descriptors = 1;
}

static int answer(int index)
{
    (void)index;
    int count = gpiod_line_request_read_edge_events(input_request, buffer, 64);
    if (count < 0)
        die("reading edges");
    for (int event = 0; event < count; event++) {
        struct gpiod_edge_event *edge =
            gpiod_edge_event_buffer_get_event(buffer, (unsigned long)event);
        int rising = gpiod_edge_event_get_event_type(edge) == GPIOD_EDGE_EVENT_RISING_EDGE;
        gpiod_line_request_set_value(led_request,
                                     led_of_offset[gpiod_edge_event_get_line_offset(edge)],
                                     rising ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
    }
    return count;
}

#endif

int main(int count, char **arguments)
{
    if (count < 4 || count % 2 || (count - 2) / 2 > MAX_PAIRS) {
        fprintf(stderr, "usage: rig-loop CHIP-LABEL INPUT LED [INPUT LED]... (at most %d pairs)\n",
                MAX_PAIRS);
        return 2;
    }
    names = arguments + 2;
    pairs = (count - 2) / 2;
    const char *wanted = getenv("RIG_LOOP_EDGES");
    long left = wanted ? atol(wanted) : -1;

    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    request(arguments[1]);

    while (!stopped && left != 0) {
        if (poll(ready, (nfds_t)descriptors, -1) < 0) {
            if (errno == EINTR)
                continue;
            die("poll");
        }
        for (int index = 0; index < descriptors && left != 0; index++) {
            if (!(ready[index].revents & POLLIN))
                continue;
            int answered = answer(index);
            if (left > 0)
                left = answered > left ? 0 : left - answered;
        }
    }
    return 0;
}
