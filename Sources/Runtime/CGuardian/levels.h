#pragma once
#include "CGuardian.h"

/* The guarded lines, and those that are requested after a crash. */
struct detent_levels;

/* Empty levels; NULL without memory. */
struct detent_levels *detent_levels_make(void);

/* Adds a line, or replaces the line of that name; false if there is no room. Takes over the file,
   which is -1 for a chip. */
bool detent_levels_add(
    struct detent_levels *levels, const struct detent_guarded_line *line, int file);

/* Forgets every line, and closes their files. */
void detent_levels_forget(struct detent_levels *levels);

/* From now on the lines so far count as those of an earlier panel. */
void detent_levels_begin(struct detent_levels *levels);

/* Forgets the lines that the panel that runs has not added: an earlier one had them. */
void detent_levels_forget_earlier(struct detent_levels *levels);

/* The number of lines. */
size_t detent_levels_count(const struct detent_levels *levels);

/* Requests every line with its level. `tell` gets each line that failed, with a negative error
   number. Returns the number of lines that have their levels. */
size_t detent_levels_write(
    struct detent_levels *levels, void (*tell)(const struct detent_guarded_line *, int error));

/* Releases the lines. They stay guarded until the next panel has added its own, because it may die
   before. */
void detent_levels_release(struct detent_levels *levels);
