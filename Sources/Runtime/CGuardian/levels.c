#define _GNU_SOURCE
#include "levels.h"

#include <CGPIOD.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct held_line {
    struct detent_guarded_line line;
    bool is_of_panel; /* the panel that runs has told it, not one before */
    bool is_written;  /* it has its level */
    struct detent_gpio_chip *chip;
    struct detent_gpio_group *group; /* NULL until it is requested */
    int file;                        /* of an output with levels; -1 for a chip */
};

struct detent_levels {
    size_t count;
    struct held_line lines[DETENT_GUARDED_LINES_MAX];
};

struct detent_levels *detent_levels_make(void) {
    return calloc(1, sizeof(struct detent_levels));
}

static void close_file(struct held_line *held) {
    if (held->file >= 0) close(held->file);
    held->file = -1;
}

bool detent_levels_add(
    struct detent_levels *levels, const struct detent_guarded_line *line, int file
) {
    size_t place = 0;
    while (place < levels->count && strcmp(levels->lines[place].line.name, line->name) != 0)
        place++;
    if (place == DETENT_GUARDED_LINES_MAX) {
        if (file >= 0) close(file);
        return false;
    }
    if (place < levels->count) close_file(&levels->lines[place]);
    levels->lines[place] = (struct held_line){.line = *line, .is_of_panel = true, .file = file};
    if (place == levels->count) levels->count++;
    return true;
}

void detent_levels_forget(struct detent_levels *levels) {
    for (size_t place = 0; place < levels->count; place++) close_file(&levels->lines[place]);
    levels->count = 0;
}

void detent_levels_begin(struct detent_levels *levels) {
    for (size_t place = 0; place < levels->count; place++)
        levels->lines[place].is_of_panel = false;
}

void detent_levels_forget_earlier(struct detent_levels *levels) {
    size_t kept = 0;
    for (size_t place = 0; place < levels->count; place++)
        if (levels->lines[place].is_of_panel)
            levels->lines[kept++] = levels->lines[place];
        else
            close_file(&levels->lines[place]);
    levels->count = kept;
}

size_t detent_levels_count(const struct detent_levels *levels) {
    return levels->count;
}

/* An output with levels keeps what was written last. The file is the one that the panel has opened:
   what its path leads to now does not matter. */
static int write_text(const struct held_line *held) {
    return pwrite(held->file, held->line.text, strlen(held->line.text), 0) < 0 ? -errno : 0;
}

/* A chip for each line: a request must not fail because of another line, and libgpiod 1.6 needs the
   chip for as long as its line is held. */
static int request(struct held_line *held) {
    struct detent_gpio_line_request request = {
        .offset = held->line.offset,
        .output = true,
        .active_low = held->line.active_low,
        .initial = held->line.level,
    };
    int error = held->chip ? 0 : detent_gpio_chip_open(held->line.chip, &held->chip);
    if (error) return error;
    return detent_gpio_request(held->chip, "detent-guard", &request, 1, &held->group);
}

size_t detent_levels_write(
    struct detent_levels *levels, void (*tell)(const struct detent_guarded_line *, int error)
) {
    static const struct timespec pause = {.tv_nsec = 1000000};
    int errors[DETENT_GUARDED_LINES_MAX];
    size_t written = 0;
    /* A program that was just being started may hold a line of the panel until it is gone. All free
       lines come first. */
    for (int turn = 0; turn <= DETENT_GUARDIAN_WAIT_MILLISECONDS; turn++) {
        size_t busy = 0;
        for (size_t place = 0; place < levels->count; place++) {
            struct held_line *held = &levels->lines[place];
            if (held->is_written || (turn > 0 && errors[place] != -EBUSY)) continue;
            errors[place] = held->line.text[0] ? write_text(held) : request(held);
            if (errors[place] == -EBUSY) busy++;
            held->is_written = errors[place] == 0;
            if (held->is_written) written++;
        }
        if (busy == 0) break;
        nanosleep(&pause, NULL);
    }
    for (size_t place = 0; place < levels->count; place++)
        if (!levels->lines[place].is_written) tell(&levels->lines[place].line, errors[place]);
    return written;
}

void detent_levels_release(struct detent_levels *levels) {
    for (size_t place = 0; place < levels->count; place++) {
        detent_gpio_release(levels->lines[place].group);
        detent_gpio_chip_close(levels->lines[place].chip);
        levels->lines[place].is_of_panel = false;
        levels->lines[place].is_written = false;
        levels->lines[place].group = NULL;
        levels->lines[place].chip = NULL;
    }
}
