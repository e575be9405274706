#include "CMutant.h"

#include <stdio.h>
#include <stdlib.h>

int mutant_active;
unsigned char mutant_reached[MUTANTS_MAX];

__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("MUTANT");
    if (number) mutant_active = atoi(number);
}

/* A test can have a process of its own, which has written before this one. */
__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("MUTANT_REACHED");
    FILE *file = path ? fopen(path, "r+b") : NULL;
    if (!file) return;
    static unsigned char before[MUTANTS_MAX];
    size_t count = fread(before, 1, sizeof before, file);
    for (size_t number = 0; number < count; number++) mutant_reached[number] |= before[number];
    rewind(file);
    fwrite(mutant_reached, 1, sizeof mutant_reached, file);
    fclose(file);
}
