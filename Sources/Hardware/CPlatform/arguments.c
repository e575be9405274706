#include "CPlatform.h"

static char **words;
static int number;

/* The C library passes what `main` gets to each function that runs before it, too. */
__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
    number = count;
    words = arguments;
}

char *const *detent_arguments(int *count) {
    *count = number;
    return words;
}
