/* The check of what the processes beside a panel may do: shared by its files. */
#ifndef WALLS_H
#define WALLS_H

#include "CWall.h"

/* What a test says of itself. */
void expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs `body` in a child that has the filter of a role; its wait status. */
int in_process(enum detent_wall_role role, bool reads_files, int (*body)(void *), void *context);

/* Tries the arguments that a role must not use, and those that it needs. */
void try_arguments(enum detent_wall_role role, bool reads_files);

/* Tries detent_wall_enclose as a whole: rights, limits, files. */
void try_enclosing(void);

/* The name of a role. */
const char *name_of(enum detent_wall_role role, bool reads_files);

#endif
