/* The first process of a running panel: it reads no file, and survives the panel. */
#ifndef CGUARDIAN_H
#define CGUARDIAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines that it can hold; further ones are not written after a crash, and the panel is told so. */
#define DETENT_GUARDED_LINES_MAX 256

/* How long it waits for what a dead panel has left: words in pipes, and lines in use. */
#define DETENT_GUARDIAN_WAIT_MILLISECONDS 100

/* An output with the level that it gets when the panel dies. */
struct detent_guarded_line {
    uint32_t offset;
    bool active_low;
    bool level;       /* logical */
    char chip[128];   /* the device node, such as /dev/gpiochip0; ends with a zero */
    char text[24];    /* if not empty, `chip` is no chip but an open file that gets this text */
    char name[32];    /* of the panel file, for messages; ends with a zero */
};

/* Values that survive a panel; a panel with more controls than this keeps none so. */
#define DETENT_KEPT_VALUES_MAX 4096

/* Memory that a panel shares with its guardian. */
struct detent_kept;

/* The panel's ends of a pipe and a socket to the guardian, closed on exec. */
struct detent_guard {
    struct detent_kept *kept;
    int programs; /* for detent_guardian_tell of CProcess */
    int lines;    /* for detent_guard_line and detent_guard_forget_lines */
};

/*
 * Splits this process: it becomes the guardian, and `panel` is called in a child; the child ends
 * with the status 0 after it. Returns a negative error number if nothing was split, and does not
 * return otherwise. Call it before any thread begins.
 *
 * The panel begins on a thread that has run nothing else. Swift notes the number of a thread when
 * the thread first takes one of its locks, and a child of the noting thread would inherit that
 * number: its locks then belong to the guardian for the kernel, and the first one that two threads
 * want at once is never free again.
 *
 * The guardian passes signals on to the panel. When the panel ends, it kills the programs that are
 * left. If lines are guarded at that moment, or a signal ended the panel, the panel has crashed:
 * the guardian writes the levels. It then ends with the status or the signal of the panel, or
 * starts the panel again, as detent_guard_restart says. When the guardian is killed, the panel
 * receives SIGTERM.
 */
int detent_guard_begin(
    void (*panel)(const struct detent_guard *guard, void *context), void *context);

/*
 * Makes the guardian hold the lines for this time after a crash, and then start the panel again:
 * detent_guard_begin calls its function in another child. A signal that asks the panel to end
 * prevents this.
 */
void detent_guard_restart(int lines, uint32_t milliseconds);

/* Guards a line, or replaces the line of that name. `file` is -1 for a chip; otherwise it is the
   open file that gets the text, and stays the caller's: the guardian has a descriptor of its own,
   and opens no path. False if the guardian has ended. */
bool detent_guard_line(int lines, const struct detent_guarded_line *line, int file);

/* Forgets all lines: the panel has left them as it should. */
void detent_guard_forget_lines(int lines);

/* The panel follows another one by a reload: the lines so far count as earlier ones. */
void detent_guard_begin_lines(int lines);

/* Forgets the lines of earlier panels: this one has guarded its own. */
void detent_guard_forget_earlier(int lines);

/*
 * The words of the values, one for each control, all zero; NULL for too many controls. The panel
 * stores each value with one write to an aligned word.
 */
uint64_t *detent_kept_values(struct detent_kept *kept, size_t count);

/*
 * From now on, when the panel has died, the guardian writes to this file: the word
 * "detentk1", the identity of the panel to which the values belong, their count, and the values.
 * False if the path is too long.
 */
bool detent_keep_values(struct detent_kept *kept, const char *file, uint64_t identity);

/* The panel has saved its values as it should: nothing is written. */
void detent_forget_values(struct detent_kept *kept);

#endif
