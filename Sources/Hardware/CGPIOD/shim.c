#include "CGPIOD.h"
#include "scan.h"

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void copy_text(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from ? from : "");
}

static int last_error(void) {
    return errno ? -errno : -EIO;
}

// ---- Groups with either library

struct detent_gpio_chip {
    struct gpiod_chip *chip;
};

int detent_gpio_chip_open(const char *path, struct detent_gpio_chip **chip) {
    if (!path || !chip) return -EINVAL;
    *chip = calloc(1, sizeof **chip);
    if (!*chip) return -ENOMEM;
    errno = 0;
    (*chip)->chip = gpiod_chip_open(path);
    if ((*chip)->chip) return 0;
    int error = last_error();
    free(*chip);
    *chip = NULL;
    return error;
}

void detent_gpio_chip_close(struct detent_gpio_chip *chip) {
    if (!chip) return;
    gpiod_chip_close(chip->chip);
    free(chip);
}

struct group_base {
    uint32_t offsets[DETENT_GPIO_LINES_MAX];
    size_t count;
    int descriptor; // -1 without edges
};

static int make_non_blocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return last_error();
    return 0;
}

static int check_request(
    const struct detent_gpio_chip *chip, const struct detent_gpio_line_request *lines, size_t count,
    struct detent_gpio_group **group
) {
    if (!chip || !lines || !group || !count) return -EINVAL;
    if (count > detent_gpio_lines_per_group()) return -E2BIG;
    *group = NULL;
    return 0;
}

#ifdef GPIOD_LINE_BULK_MAX_LINES

// ---- libgpiod 1.6: one request for each line

struct detent_gpio_group {
    struct group_base base;
    struct gpiod_line *line;
    bool stamps_are_realtime;
};

// The length of the kernel's queue of one line, which libgpiod also reads at a time.
enum { queue_length = 16 };

int detent_gpio_interface(void) {
    return 1;
}

const char *detent_gpio_library_version(void) {
    return gpiod_version_string();
}

size_t detent_gpio_lines_per_group(void) {
    return 1;
}

size_t detent_gpio_batch_length(void) {
    return queue_length;
}

void detent_gpio_describe(struct detent_gpio_chip_info *info) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(info->path);
    if (!chip) {
        info->error = -last_error();
        return;
    }
    copy_text(info->name, sizeof info->name, gpiod_chip_name(chip));
    copy_text(info->label, sizeof info->label, gpiod_chip_label(chip));
    info->lines = gpiod_chip_num_lines(chip);
    gpiod_chip_close(chip);
}

int detent_gpio_line_info(
    struct detent_gpio_chip *chip, uint32_t offset, struct detent_gpio_line_info *info
) {
    if (!chip || !info) return -EINVAL;
    memset(info, 0, sizeof *info);
    info->offset = offset;
    errno = 0;
    struct gpiod_line *line = gpiod_chip_get_line(chip->chip, offset);
    // A line object is created once per chip, so its state must be updated.
    if (!line || gpiod_line_update(line) < 0) return last_error();
    copy_text(info->name, sizeof info->name, gpiod_line_name(line));
    copy_text(info->consumer, sizeof info->consumer, gpiod_line_consumer(line));
    info->used = gpiod_line_is_used(line);
    info->output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    info->active_low = gpiod_line_active_state(line) == GPIOD_LINE_ACTIVE_STATE_LOW;
    return 0;
}

// Before Linux 5.7 the first interface used the time of day for timestamps, which can jump.
static bool kernel_stamps_realtime(void) {
    struct utsname name;
    int major, minor;
    if (uname(&name) < 0 || sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
    return major < 5 || (major == 5 && minor < 7);
}

int detent_gpio_request(
    struct detent_gpio_chip *chip, const char *consumer,
    const struct detent_gpio_line_request *lines, size_t count, struct detent_gpio_group **group
) {
    int error = check_request(chip, lines, count, group);
    if (error) return error;
    if (lines->debounce_microseconds) return -EOPNOTSUPP;
    errno = 0;
    struct gpiod_line *line = gpiod_chip_get_line(chip->chip, lines->offset);
    if (!line) return last_error();
    struct detent_gpio_group *made = calloc(1, sizeof *made);
    if (!made) return -ENOMEM;
    static const int bias_flags[] = {
        [DETENT_GPIO_BIAS_AS_IS] = 0,
        [DETENT_GPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
        [DETENT_GPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
        [DETENT_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
    };
    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = lines->output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT
            : lines->edges            ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES
                                      : GPIOD_LINE_REQUEST_DIRECTION_INPUT,
        .flags = bias_flags[lines->bias]
            | (lines->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0),
    };
    errno = 0;
    if (gpiod_line_request(line, &config, lines->initial) < 0) {
        error = last_error();
        free(made);
        return error;
    }
    made->line = line;
    made->base.offsets[0] = lines->offset;
    made->base.count = 1;
    made->base.descriptor = lines->edges ? gpiod_line_event_get_fd(line) : -1;
    made->stamps_are_realtime = kernel_stamps_realtime();
    if (made->base.descriptor >= 0) error = make_non_blocking(made->base.descriptor);
    if (error) {
        detent_gpio_release(made);
        return error;
    }
    *group = made;
    return 0;
}

int detent_gpio_read_edges(
    struct detent_gpio_group *group, struct detent_gpio_edge *edges, size_t capacity, bool *full
) {
    if (!group || !edges || !full || group->base.descriptor < 0) return -EINVAL;
    *full = false;
    struct gpiod_line_event events[queue_length];
    unsigned int wanted = capacity < queue_length ? (unsigned int)capacity : queue_length;
    errno = 0;
    int count = gpiod_line_event_read_fd_multiple(group->base.descriptor, events, wanted);
    if (count < 0) return errno == EAGAIN ? 0 : last_error();
    struct timespec now = {0, 0};
    if (group->stamps_are_realtime) clock_gettime(CLOCK_MONOTONIC, &now);
    for (int place = 0; place < count; place++) {
        struct timespec stamp = group->stamps_are_realtime ? now : events[place].ts;
        edges[place] = (struct detent_gpio_edge){
            .nanoseconds = (uint64_t)stamp.tv_sec * 1000000000u + (uint64_t)stamp.tv_nsec,
            .offset = group->base.offsets[0],
            .sequence = 0,
            .rising = events[place].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
        };
    }
    *full = count == queue_length;
    return count;
}

int detent_gpio_get(struct detent_gpio_group *group, size_t index) {
    if (!group || index >= group->base.count) return -EINVAL;
    errno = 0;
    int level = gpiod_line_get_value(group->line);
    return level < 0 ? last_error() : level;
}

int detent_gpio_get_mask(struct detent_gpio_group *group, uint64_t mask, uint64_t *levels) {
    if (!levels || mask != 1) return -EINVAL;
    int level = detent_gpio_get(group, 0);
    if (level < 0) return level;
    *levels = (uint64_t)level;
    return 0;
}

int detent_gpio_set(struct detent_gpio_group *group, size_t index, bool level) {
    if (!group || index >= group->base.count) return -EINVAL;
    errno = 0;
    return gpiod_line_set_value(group->line, level) < 0 ? last_error() : 0;
}

int detent_gpio_set_mask(struct detent_gpio_group *group, uint64_t mask, uint64_t levels) {
    return mask == 1 ? detent_gpio_set(group, 0, levels & 1) : -EINVAL;
}

void detent_gpio_release(struct detent_gpio_group *group) {
    if (!group) return;
    gpiod_line_release(group->line);
    free(group);
}

#else

// ---- libgpiod 2.x: many lines in a request

struct detent_gpio_group {
    struct group_base base;
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer; // NULL without edges
};

int detent_gpio_interface(void) {
    return 2;
}

const char *detent_gpio_library_version(void) {
    return gpiod_api_version();
}

size_t detent_gpio_lines_per_group(void) {
    return DETENT_GPIO_LINES_MAX;
}

size_t detent_gpio_batch_length(void) {
    return DETENT_GPIO_BATCH_MAX;
}

void detent_gpio_describe(struct detent_gpio_chip_info *info) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(info->path);
    if (!chip) {
        info->error = -last_error();
        return;
    }
    struct gpiod_chip_info *found = gpiod_chip_get_info(chip);
    if (found) {
        copy_text(info->name, sizeof info->name, gpiod_chip_info_get_name(found));
        copy_text(info->label, sizeof info->label, gpiod_chip_info_get_label(found));
        info->lines = (uint32_t)gpiod_chip_info_get_num_lines(found);
        gpiod_chip_info_free(found);
    } else {
        info->error = -last_error();
    }
    gpiod_chip_close(chip);
}

int detent_gpio_line_info(
    struct detent_gpio_chip *chip, uint32_t offset, struct detent_gpio_line_info *info
) {
    if (!chip || !info) return -EINVAL;
    memset(info, 0, sizeof *info);
    info->offset = offset;
    errno = 0;
    struct gpiod_line_info *found = gpiod_chip_get_line_info(chip->chip, offset);
    if (!found) return last_error();
    copy_text(info->name, sizeof info->name, gpiod_line_info_get_name(found));
    copy_text(info->consumer, sizeof info->consumer, gpiod_line_info_get_consumer(found));
    info->used = gpiod_line_info_is_used(found);
    info->output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
    info->active_low = gpiod_line_info_is_active_low(found);
    gpiod_line_info_free(found);
    return 0;
}

static int apply_settings(
    struct gpiod_line_settings *settings, const struct detent_gpio_line_request *line
) {
    static const enum gpiod_line_bias biases[] = {
        [DETENT_GPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
        [DETENT_GPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
        [DETENT_GPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
        [DETENT_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
    };
    gpiod_line_settings_reset(settings);
    gpiod_line_settings_set_active_low(settings, line->active_low);
    int result = gpiod_line_settings_set_bias(settings, biases[line->bias]);
    if (line->output) {
        result |= gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        result |= gpiod_line_settings_set_output_value(
            settings, line->initial ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
    } else {
        result |= gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        if (line->edges)
            result |= gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_line_settings_set_debounce_period_us(settings, line->debounce_microseconds);
    }
    return result;
}

// Makes a request from configuration objects that the caller frees.
static struct gpiod_line_request *request_with(
    struct detent_gpio_chip *chip, const char *consumer,
    const struct detent_gpio_line_request *lines, size_t count,
    struct gpiod_line_settings *settings, struct gpiod_line_config *config,
    struct gpiod_request_config *options
) {
    if (!settings || !config || !options) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t place = 0; place < count; place++) {
        unsigned int offset = lines[place].offset;
        if (apply_settings(settings, &lines[place]) < 0) return NULL;
        if (gpiod_line_config_add_line_settings(config, &offset, 1, settings) < 0) return NULL;
    }
    if (consumer) gpiod_request_config_set_consumer(options, consumer);
    // The largest buffer that the kernel allows for a request.
    gpiod_request_config_set_event_buffer_size(options, DETENT_GPIO_LINES_MAX * 16);
    errno = 0;
    return gpiod_chip_request_lines(chip->chip, options, config);
}

int detent_gpio_request(
    struct detent_gpio_chip *chip, const char *consumer,
    const struct detent_gpio_line_request *lines, size_t count, struct detent_gpio_group **group
) {
    int error = check_request(chip, lines, count, group);
    if (error) return error;
    struct detent_gpio_group *made = calloc(1, sizeof *made);
    if (!made) return -ENOMEM;
    bool edges = false;
    made->base.count = count;
    made->base.descriptor = -1;
    for (size_t place = 0; place < count; place++) {
        made->base.offsets[place] = lines[place].offset;
        edges = edges || lines[place].edges;
    }
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *config = gpiod_line_config_new();
    struct gpiod_request_config *options = gpiod_request_config_new();
    errno = 0;
    made->request = request_with(chip, consumer, lines, count, settings, config, options);
    if (!made->request) error = last_error();
    if (settings) gpiod_line_settings_free(settings);
    if (config) gpiod_line_config_free(config);
    if (options) gpiod_request_config_free(options);
    if (!error && edges) {
        made->buffer = gpiod_edge_event_buffer_new(DETENT_GPIO_BATCH_MAX);
        made->base.descriptor = gpiod_line_request_get_fd(made->request);
        error = made->buffer ? make_non_blocking(made->base.descriptor) : -ENOMEM;
    }
    if (error) {
        detent_gpio_release(made);
        return error;
    }
    *group = made;
    return 0;
}

int detent_gpio_read_edges(
    struct detent_gpio_group *group, struct detent_gpio_edge *edges, size_t capacity, bool *full
) {
    if (!group || !edges || !full || !group->buffer) return -EINVAL;
    *full = false;
    if (capacity > DETENT_GPIO_BATCH_MAX) capacity = DETENT_GPIO_BATCH_MAX;
    errno = 0;
    int count = gpiod_line_request_read_edge_events(group->request, group->buffer, capacity);
    if (count < 0) return errno == EAGAIN ? 0 : last_error();
    for (int place = 0; place < count; place++) {
        struct gpiod_edge_event *event =
            gpiod_edge_event_buffer_get_event(group->buffer, (unsigned long)place);
        if (!event) return place;
        edges[place] = (struct detent_gpio_edge){
            .nanoseconds = gpiod_edge_event_get_timestamp_ns(event),
            .offset = gpiod_edge_event_get_line_offset(event),
            .sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event),
            .rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
        };
    }
    return count;
}

int detent_gpio_get(struct detent_gpio_group *group, size_t index) {
    if (!group || index >= group->base.count) return -EINVAL;
    errno = 0;
    int level = gpiod_line_request_get_value(group->request, group->base.offsets[index]);
    return level < 0 ? last_error() : level;
}

static uint64_t mask_of_all(size_t count) {
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

// Collects the offsets of the lines in a mask.
static size_t chosen_offsets(
    const struct detent_gpio_group *group, uint64_t mask, unsigned int *offsets
) {
    size_t count = 0;
    for (size_t index = 0; index < group->base.count; index++)
        if (mask >> index & 1) offsets[count++] = group->base.offsets[index];
    return count;
}

int detent_gpio_get_mask(struct detent_gpio_group *group, uint64_t mask, uint64_t *levels) {
    if (!group || !levels || !mask || mask & ~mask_of_all(group->base.count)) return -EINVAL;
    unsigned int offsets[DETENT_GPIO_LINES_MAX];
    enum gpiod_line_value values[DETENT_GPIO_LINES_MAX];
    size_t count = chosen_offsets(group, mask, offsets);
    errno = 0;
    if (gpiod_line_request_get_values_subset(group->request, count, offsets, values) < 0)
        return last_error();
    *levels = 0;
    size_t place = 0;
    for (size_t index = 0; index < group->base.count; index++)
        if (mask >> index & 1 && values[place++] == GPIOD_LINE_VALUE_ACTIVE)
            *levels |= UINT64_C(1) << index;
    return 0;
}

int detent_gpio_set(struct detent_gpio_group *group, size_t index, bool level) {
    if (!group || index >= group->base.count) return -EINVAL;
    errno = 0;
    int result = gpiod_line_request_set_value(
        group->request, group->base.offsets[index],
        level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
    return result < 0 ? last_error() : 0;
}

int detent_gpio_set_mask(struct detent_gpio_group *group, uint64_t mask, uint64_t levels) {
    if (!group || !mask || mask & ~mask_of_all(group->base.count)) return -EINVAL;
    unsigned int offsets[DETENT_GPIO_LINES_MAX];
    enum gpiod_line_value values[DETENT_GPIO_LINES_MAX];
    size_t count = chosen_offsets(group, mask, offsets), place = 0;
    for (size_t index = 0; index < group->base.count; index++)
        if (mask >> index & 1)
            values[place++] =
                levels >> index & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    errno = 0;
    int result =
        gpiod_line_request_set_values_subset(group->request, count, offsets, values);
    return result < 0 ? last_error() : 0;
}

void detent_gpio_release(struct detent_gpio_group *group) {
    if (!group) return;
    if (group->buffer) gpiod_edge_event_buffer_free(group->buffer);
    if (group->request) gpiod_line_request_release(group->request);
    free(group);
}

#endif

int detent_gpio_group_descriptor(const struct detent_gpio_group *group) {
    return group ? group->base.descriptor : -1;
}
